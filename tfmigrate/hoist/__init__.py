"""Moving construction out of traced code: what is made, in which context, from what, and into which ``__init__``.

Codemods that hoist state build on this package; none of it knows a particular kind of state.
"""
