"""Why a construction has to stay where it is, as a value, and the table of all such reasons."""

from __future__ import annotations

from tfmigrate.blocked import Reasons

REASONS: Reasons = {
    "depends-on-call-argument": (
        "an argument of the constructor is an argument of the call",
        "pass it to __init__ and keep it on self, or apply it as an operation instead of a layer's setting",
    ),
    "depends-on-input-shape": (
        "an argument of the constructor is read from the shape of an input",
        "make the layer in build(self, input_shape), where the shape of the call's first argument is known",
    ),
    "depends-on-unknown-dimension": (
        "an argument of the constructor is read from an axis of the input that may be None when the layer is built",
        "make the layer in build() if the axis is always known, or do without the argument",
    ),
    "depends-on-tensor": (
        "an argument of the constructor is computed from tensors",
        "use a setting known when the object is made, or a plain operation on the tensor",
    ),
    "depends-on-local": (
        "an argument of the constructor is a local variable with more than one possible value",
        "keep the value on self in __init__",
    ),
    "attribute-not-set-in-init": (
        "an argument of the constructor is an attribute that no visible __init__ sets",
        "set the attribute in __init__",
    ),
    "attribute-changes-later": (
        "an argument of the constructor is an attribute that is changed outside __init__",
        "set the attribute once, in __init__, or rebuild the layer on purpose in build()",
    ),
    "argument-calls-code": (
        "an argument of the constructor calls code whose result may differ between calls",
        "compute the value in __init__ and keep it on self",
    ),
    "global-changes": (
        "an argument of the constructor is a variable outside of the class that changes",
        "keep the value on self in __init__",
    ),
    "name-shadowed-in-init": (
        "a global name in the constructor's arguments means something else where the layer would be made",
        "rename it, or the parameter or variable of __init__ or build that hides it",
    ),
    "unsupported-argument": (
        "an argument of the constructor has a form that cannot be moved",
        "compute the value in __init__ and keep it on self",
    ),
    "base-not-visible": (
        "a base class, and with it what __init__ does, cannot be seen",
        "run tfmigrate over the code that defines the base class as well, or make the layer in __init__ by hand",
    ),
    "class-not-supported": (
        "Keras tracks nothing that is added to this kind of class, or it is neither Keras's, a tf.Module nor a plain class",
        "make the object in __init__ by hand",
    ),
    "init-not-visible": (
        "the class has no plain __init__ of its own to extend",
        "define __init__ directly in the class body",
    ),
    "config-from-attributes": (
        "get_config takes whatever attributes the object has, and a new one would get into the configuration",
        "name the settings one by one in get_config",
    ),
    "defined-twice": (
        "the class or function is defined more than once in this module",
        "keep one definition, and let the conditions choose what it does",
    ),
    "init-without-super": (
        "no call of super().__init__() comes before it in __init__",
        "call super().__init__() first: Keras tracks nothing before it",
    ),
    "super-not-plain": (
        "super().__init__() is not a statement of its own in the body of __init__",
        "call super().__init__() first in __init__",
    ),
    "super-arguments-change": (
        "an argument of super().__init__() is computed or changed by what stands before it",
        "work out the arguments first, call super().__init__(), and set the attributes after it",
    ),
    "super-sets-attribute": (
        "an attribute that is set before super().__init__() is one that Keras's own __init__ sets over it",
        "call super().__init__() first in __init__, and say after it which value is meant",
    ),
    "super-reads-attributes": (
        "the __init__ of a base class may use or set what is set before super().__init__()",
        "call super().__init__() first in __init__, after looking at what the base class does",
    ),
    "init-returns-early": (
        "__init__ can return before its last line",
        "restructure __init__ so that it runs to its end",
    ),
    "init-runs-call": (
        "__init__ itself runs the code that makes the layer",
        "make the layers in __init__ before the model is called or built there",
    ),
    "build-not-visible": (
        "the class has no plain build(self, input_shape) to extend, or one that can return early",
        "define build(self, input_shape) directly in the class body and let it run to its end",
    ),
    "subclass-skips-init": (
        "a subclass has an __init__ that does not call this one",
        "call super().__init__() in the subclass",
    ),
    "mixin-init-not-run": (
        "a subclass mixes this class in behind a library's class, whose __init__ does not go on to this one's",
        "put the mixin before the library's class in the list of bases",
    ),
    "calls-itself": (
        "the method that makes the layer runs again within the same call, and makes another layer each time",
        "make one layer for each use in __init__ and pass it on",
    ),
    "helper-called-more-than-once": (
        "the function that makes the layer runs several times in one call, and makes another layer each time",
        "make one layer for each use in __init__ and pass it to the function",
    ),
    "in-nested-function": (
        "the layer is made in a function or lambda defined inside the traced function",
        "make one layer for each use in __init__",
    ),
    "lambda-owns-weights": (
        "the function of a Lambda layer makes a layer, and does more than to apply it: Keras 3 tracks none of its weights, "
        "and Keras 2 refuses them",
        "write a Layer subclass that makes the layer in __init__, or apply the layer before or after the Lambda",
    ),
    "in-data-dependent-loop": (
        "the layer is made in a loop whose number of steps is not known in __init__",
        "make the layers in __init__ in a list whose length is known there",
    ),
    "in-unsupported-block": (
        "the layer is made inside a block whose meaning would change (try, match, a comprehension's condition)",
        "make the layer in __init__ by hand",
    ),
    "guard-cannot-move": (
        "the condition that guards the constructor's arguments cannot be evaluated in __init__",
        "make the layer in __init__ under a condition on the constructor's arguments",
    ),
    "layer-escapes": (
        "the new layer is not only applied: it is stored, passed on, changed or put into a container",
        "make the layer in __init__ and use the attribute",
    ),
    "returned-layer": (
        "the function makes a layer and returns it: its callers and overrides decide how often",
        "call the function once, in build() or __init__, and keep the layer on self",
    ),
    "tf-function-on-call": (
        "the method runs under its own @tf.function inside call: in Keras 3 a layer that is first built there gets no "
        "gradients, without a word",
        "remove @tf.function (fit and predict compile the model anyway), or build the layers in build()",
    ),
    "build-not-derivable": (
        "call is a tf.function whose layers are first built in its trace, and the shapes to build them with before that "
        "cannot be told",
        "remove @tf.function from call (fit and predict compile the model anyway), or build the layers in build()",
    ),
    "never-applied": (
        "the layer is made and never applied",
        "apply it or delete the line",
    ),
    "outside-class": (
        "the layer is made in a function that has no self to keep it",
        "make the layer in a class, or outside the function, and pass it in",
    ),
    "class-not-named": (
        "the layer's class is put together, looked up or handed in at run time",
        "make the layer in __init__ and use the attribute",
    ),
    "local-class": (
        "the layer's class is defined or imported inside the function",
        "move the class or the import to the top of the module",
    ),
    "set-on-self": (
        "the layer is made in the call and kept on self",
        "make it in __init__, or in build() if it depends on the input's shape; Keras 3 locks a layer once it is built",
    ),
    "lazy-guard": (
        "the layer is made at the first call, behind a guard",
        "make it in build(): Keras 3 locks a layer once it is built, so the guard may raise there",
    ),
    "variable-in-call": (
        "a variable is made inside a graph: each call would make another, and Keras does not track it",
        "make it with self.add_weight(...) in build() or __init__",
    ),
    "initial-value": (
        "no initializer is known to draw the variable's initial value",
        "make it with self.add_weight(shape=..., initializer=...) in build() or __init__",
    ),
    "variable-not-kept": (
        "a variable is made in __init__ or build and not kept as an attribute by the same statement",
        "keep it with self.name = self.add_weight(...)",
    ),
    "variable-api": (
        "the class asks something of the variable that a weight of Keras 3 does not have",
        "use what both have: assign, assign_add, assign_sub, shape, dtype, numpy",
    ),
    "scratch-variable": (
        "a variable is made as scratch space and assigned in part, differentiated or passed on",
        "use a tensor and tf.tensor_scatter_nd_update or tf.where in place of the assignments",
    ),
    "state-in-call": (
        "an object that owns variables is made inside a graph",
        "make it once, outside the traced function, and keep it on self",
    ),
    "functional-model": (
        "a functional model is built inside a graph",
        "build the model in __init__",
    ),
    "stale-global": (
        "a tf.function keeps the objects that the globals named when it was traced, and a loop binds them anew",
        "make the tf.function anew for each of them, in a function that takes them as arguments",
    ),
    "class-stays-whole": (
        "another place in this class or function cannot be moved, and half of it would still not run as a graph",
        "mend the other place first",
    ),
}
"""Reason code -> (why, what the owner would have to change)."""
