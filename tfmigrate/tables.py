"""Facts about TensorFlow and Keras as data.

Which layers own variables was measured: each class of ``keras.layers`` was built on inputs of rank 2 to 5 and its
variables and seed generators counted, in Keras 3.15 (TensorFlow 2.21) and tf_keras 2.21. Dropout, the noise layers and
most of the ``Random*`` layers own a seed variable in Keras 3 and nothing in Keras 2. The reserved names are the public
attributes of ``Layer`` and ``Model`` of the two.
"""

from __future__ import annotations

import re


def words(text: str) -> frozenset[str]:
    """The words of ``text``."""
    return frozenset(text.split())


STATELESS_LAYERS = words("""
    Activation ActivityRegularization AdaptiveAveragePooling1D AdaptiveAveragePooling2D AdaptiveAveragePooling3D
    AdaptiveMaxPooling1D AdaptiveMaxPooling2D AdaptiveMaxPooling3D Add AutoContrast Average AveragePooling1D
    AveragePooling2D AveragePooling3D AvgPool1D AvgPool2D AvgPool3D CategoryEncoding CenterCrop Concatenate
    ContrastLimitedAdaptiveHistogramEqualization Cropping1D Cropping2D Cropping3D Dot ELU Equalization Flatten
    GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D GlobalAvgPool1D GlobalAvgPool2D GlobalAvgPool3D
    GlobalMaxPool1D GlobalMaxPool2D GlobalMaxPool3D GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D
    HashedCrossing Hashing Identity Lambda LeakyReLU Masking MaxNumBoundingBoxes MaxPool1D MaxPool2D MaxPool3D
    MaxPooling1D MaxPooling2D MaxPooling3D Maximum MelSpectrogram Minimum Multiply Permute ReLU RepeatVector Rescaling
    Reshape Resizing STFTSpectrogram Softmax Subtract ThresholdedReLU UnitNormalization UpSampling1D UpSampling2D
    UpSampling3D ZeroPadding1D ZeroPadding2D ZeroPadding3D
    """)
"""Layers of ``keras.layers`` that own no variable in either flavour: making one in ``call`` is harmless."""

NOT_LAYERS = words("Input InputLayer InputSpec Layer Wrapper AbstractRNNCell")
"""Capitalised names of ``keras.layers`` whose call makes no layer that ``call`` could apply."""

PURE_KERAS_CALLS = re.compile(
    r"keras\.(initializers|regularizers|constraints|activations|layers|metrics|optimizers|random\.SeedGenerator)\b"
)
"""Constructors without side effects, and what a layer's arguments commonly hold."""

PURE_CALLS = words("""
    builtins.int builtins.float builtins.bool builtins.str builtins.len builtins.max builtins.min builtins.round
    builtins.abs builtins.sum builtins.tuple builtins.list builtins.dict builtins.set builtins.range builtins.zip
    builtins.enumerate builtins.reversed builtins.sorted builtins.pow builtins.divmod builtins.all builtins.any
    builtins.isinstance builtins.hasattr builtins.getattr builtins.slice builtins.callable
    math.ceil math.floor math.sqrt math.log math.log2 math.log10 math.exp math.pow math.prod math.gcd
    functools.partial tensorflow.TensorShape tensorflow.as_dtype
    """)
"""Functions whose result depends on their arguments alone."""

TENSOR_MAKERS = words("""
    tensorflow.Variable tensorflow.zeros tensorflow.ones tensorflow.fill tensorflow.constant tensorflow.eye tensorflow.range
    tensorflow.linspace tensorflow.cast tensorflow.convert_to_tensor tensorflow.random.normal tensorflow.random.uniform
    tensorflow.random.truncated_normal
    """)
"""Functions that make a new tensor from their arguments alone."""

MUTATORS = words(
    "append extend insert remove pop clear update setdefault popitem add discard sort reverse appendleft"
)
"""Methods of lists, dicts and sets that change them."""

RESERVED_ATTRIBUTES = words("""
    activity_regularizer add_loss add_metric add_update add_variable add_weight autotune_steps_per_execution build
    build_from_config built call compile compile_from_config compiled compiled_loss compiled_metrics compute_dtype
    compute_loss compute_mask compute_metrics compute_output_shape compute_output_signature compute_output_spec
    count_params distribute_reduction_method distribute_strategy dtype dtype_policy dynamic evaluate evaluate_generator
    export finalize_state fit fit_generator from_config get_build_config get_compile_config get_config get_input_at
    get_input_mask_at get_input_shape_at get_layer get_metrics_result get_output_at get_output_mask_at
    get_output_shape_at get_quantization_layer_structure get_state_tree get_weight_paths get_weights inbound_nodes input
    input_dtype input_mask input_names input_shape input_spec inputs jit_compile layers load_own_variables load_weights
    loss losses make_predict_function make_test_function make_train_function metrics metrics_names metrics_variables
    name name_scope non_trainable_variables non_trainable_weights optimizer outbound_nodes output output_mask
    output_names output_shape outputs path predict predict_generator predict_on_batch predict_step
    quantization_mode quantize quantized_build quantized_call rematerialized_call reset_metrics reset_states
    run_eagerly save save_own_variables save_spec save_weights seed set_state_tree set_weights stateful stateless_call
    stateless_compute_loss state_updates steps_per_execution stop_training submodules summary supports_jit
    supports_masking symbolic_call test_on_batch test_step to_json to_yaml train_on_batch train_step trainable
    trainable_variables trainable_weights updates variable_dtype variables weights with_name_scope
    """)
"""Names that an attribute of a layer or model must not take: properties that cannot be set, and methods."""

KERAS_ATTRIBUTES = words("""
    _activity_regularizer _allow_non_tensor_positional_args _auto_config _auto_get_config _auto_track_sub_layers
    _autocast _autotune_steps_per_execution _base_model_initialized _build_input_shape _build_shapes_dict
    _call_context_args _call_has_context_arg _call_has_mask_arg _call_has_training_arg _call_signature _call_spec
    _callable_losses _called _captured_weight_regularizer _checkpoint _cluster_coordinator _compile_loss
    _compile_metrics _compiled_trainable_state _compute_dtype_object _compute_loss_has_training_arg
    _compute_output_and_mask_jointly _convert_input_args _distribute_reduction_method _distribute_strategy
    _distribution_strategy _dtype_policy _dynamic _inbound_nodes _inbound_nodes_value _initial_epoch
    _initial_weights _input_spec _instrumented_keras_api _instrumented_keras_layer_class
    _instrumented_keras_model_class _is_compiled _is_graph_network _is_model_for_instrumentation _jit_compile
    _layers _layout_map _lock _loss_ids _loss_tracker _losses _losses_override _metrics _metrics_lock _name
    _name_scope_on_declaration _non_trainable_variables _non_trainable_weights _obj_reference_counts_dict
    _outbound_nodes _outbound_nodes_value _parent_path _path _predict_counter _preserve_input_structure_in_config
    _remat_mode _run_eagerly _saved_model_arg_spec _saved_model_inputs_spec _seed_generators
    _self_name_based_restores _self_saveable_object_factories _self_setattr_tracking _self_tracked_trackables
    _self_unconditional_checkpoint_dependencies _self_unconditional_deferred_dependencies
    _self_unconditional_dependency_names _self_update_uid _stateful _steps_per_execution _steps_per_execution_tuner
    _supports_masking _test_counter _thread_local _tracked _tracker _train_counter _trainable _trainable_variables
    _trainable_weights _training_state _updates autocast call_signature_parameters history predict_function
    test_function train_function train_tf_function unrolled_steps_per_execution
    """)
"""Further attributes that the ``__init__`` of a layer or model sets (``vars()`` of both in both flavours)."""

STATE_CONSTRUCTORS = {
    "tensorflow.Variable": "a variable",
    "keras.Variable": "a variable",
    "keras.backend.variable": "a variable",
    "tensorflow.random.Generator": "a random generator",
    "tensorflow.random.Generator.from_seed": "a random generator",
    "tensorflow.random.Generator.from_non_deterministic_state": "a random generator",
    "keras.random.SeedGenerator": "a seed generator",
    "tensorflow.lookup.StaticHashTable": "a lookup table",
    "tensorflow.lookup.experimental.MutableHashTable": "a lookup table",
}
"""Calls, other than layers, that make state; in traced code they run once or raise."""

OPTIMIZER_MODULES = ("keras.optimizers.", "tensorflow.optimizers.")
METRIC_MODULES = ("keras.metrics.", "tensorflow.metrics.")
MODEL_MODULES = ("keras.applications.", "tensorflow.keras.applications.")
STATE_MODULES = (*OPTIMIZER_MODULES, *METRIC_MODULES, *MODEL_MODULES)
"""Modules whose classes own variables (optimizers and metrics), and whose functions with a class's name build models."""


def is_class_name(name: str) -> bool:
    """Whether the last part of a dotted name is spelled as a class (``Dense``, ``_Block``, ``MLP``)."""
    last = name.rpartition(".")[2].lstrip("_")
    return last[:1].isupper() and not (last.isupper() and len(last) > 1 and "_" in last)


def is_pure_call(name: str) -> bool:
    """Whether the function of this canonical name gives the same for the same arguments, and does nothing else."""
    return name in PURE_CALLS or PURE_KERAS_CALLS.match(name) is not None
