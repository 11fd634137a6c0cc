"""TensorFlow's operations as far as draws meet them: what type they return, and where they take a tensor for a number.

Measured with TensorFlow 2.21, eagerly and in a graph: each parameter of :data:`NUMBERS` takes a scalar tensor.
https://www.tensorflow.org/api_docs/python/tf
"""

from __future__ import annotations

import enum
from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _names(prefix: str, text: str) -> frozenset[str]:
    return frozenset(prefix + name for name in text.split())


SAME_DTYPE = (
    _names(
        "tensorflow.",
        """abs acos asin atan ceil clip_by_value cos cosh cumsum ensure_shape exp expand_dims floor identity negative
        pad pow
        repeat reshape reverse roll round rsqrt sigmoid sign sin sinh slice sqrt square squeeze stop_gradient tan tanh
        tile transpose gather gather_nd boolean_mask broadcast_to clip_by_norm reduce_mean reduce_sum reduce_max
        reduce_min reduce_prod linalg.matvec matmul add subtract multiply maximum minimum zeros_like ones_like norm
        strided_slice sort""",
    )
    | _names(
        "tensorflow.math.",
        """abs add ceil cos cumsum divide_no_nan erf exp expm1 floor l2_normalize log log1p maximum minimum multiply
        multiply_no_nan negative pow reciprocal reduce_max reduce_mean reduce_min reduce_prod reduce_std reduce_sum
        reduce_variance round rsqrt sigmoid sign sin softplus sqrt square squared_difference subtract tanh""",
    )
    | _names(
        "tensorflow.nn.",
        """avg_pool avg_pool2d bias_add conv2d dropout elu gelu leaky_relu log_softmax max_pool max_pool2d relu relu6
        selu sigmoid silu softmax softplus softsign swish tanh l2_normalize""",
    )
    | _names(
        "tensorflow.image.",
        """adjust_brightness adjust_contrast adjust_gamma adjust_hue adjust_jpeg_quality adjust_saturation
        central_crop crop_to_bounding_box flip_left_right flip_up_down hsv_to_rgb
        random_brightness random_contrast random_flip_left_right random_flip_up_down random_hue random_saturation
        resize_with_crop_or_pad rgb_to_grayscale rgb_to_hsv rot90 transpose pad_to_bounding_box random_crop
        stateless_random_brightness stateless_random_contrast stateless_random_crop stateless_random_flip_left_right
        stateless_random_flip_up_down stateless_random_hue stateless_random_saturation grayscale_to_rgb""",
    )
    | _names("tensorflow.random.", "shuffle")
    | _names("tensorflow_addons.image.", "rotate translate gaussian_filter2d")
)
"""Operations whose result has the dtype of their first argument, unless ``dtype`` is given."""

ELEMENTWISE = _names("tensorflow.", "add subtract multiply divide maximum minimum pow matmul") | _names(
    "tensorflow.math.", "add subtract multiply divide maximum minimum pow divide_no_nan squared_difference"
)
"""Operations on two tensors of one dtype."""

FLOAT_FUNCTIONS = _names(
    "tensorflow.", "abs cos cosh exp floor ceil sin sinh sqrt square tanh tan negative sign round"
) | _names("tensorflow.math.", "abs cos exp floor ceil log log1p sigmoid sin sqrt square tanh negative sign")
"""Operations on one tensor that take a Python number as well and make it a tensor of float32."""

WHOLE_TENSORS = (
    SAME_DTYPE - ELEMENTWISE - FLOAT_FUNCTIONS | {"tensorflow.shape", "tensorflow.matmul"}
) - _names(
    "tensorflow.",
    "identity stop_gradient clip_by_value zeros_like ones_like broadcast_to repeat pow rsqrt sigmoid",
)
"""Operations whose first argument is a tensor (or a list of tensors), never just a number."""

FIXED_DTYPE: Mapping[str, str] = {
    "tensorflow.shape": "int32",
    "tensorflow.size": "int32",
    "tensorflow.rank": "int32",
    "tensorflow.argmax": "int64",
    "tensorflow.argmin": "int64",
    "tensorflow.math.argmax": "int64",
    "tensorflow.math.argmin": "int64",
    "tensorflow.argsort": "int32",
    "tensorflow.where": "",
    "tensorflow.one_hot": "float32",
    "tensorflow.zeros": "float32",
    "tensorflow.ones": "float32",
    "tensorflow.eye": "float32",
    "tensorflow.random.uniform": "float32",
    "tensorflow.random.normal": "float32",
    "tensorflow.random.truncated_normal": "float32",
    "tensorflow.linspace": "",
    "tensorflow.logical_and": "bool",
    "tensorflow.logical_or": "bool",
    "tensorflow.logical_not": "bool",
    "tensorflow.sequence_mask": "bool",
    "tensorflow.reduce_all": "bool",
    "tensorflow.reduce_any": "bool",
    **{
        f"tensorflow.{home}{name}": "bool"
        for home in ("", "math.")
        for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
    },
    **{
        f"tensorflow.math.{name}": "bool"
        for name in (
            *("is_nan", "is_inf", "is_finite", "logical_and", "logical_or", "logical_not", "logical_xor"),
            *("reduce_all", "reduce_any"),
        )
    },
    "tensorflow.io.decode_jpeg": "uint8",
    "tensorflow.image.decode_jpeg": "uint8",
}
"""Operations whose result has this dtype unless ``dtype`` (``output_type``) is given; empty: some tensor."""

DTYPES = _words(
    "float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool half double"
)

_PYTHON_RESULTS = _words(
    """as_dtype assert_equal assert_greater assert_less assert_rank broadcast_static_shape constant_initializer
    control_dependencies custom_gradient device executing_eagerly function get_current_name_scope get_logger
    get_static_value grad_pass_through group identity_n import_graph_def init_scope inside_function is_symbolic_tensor
    is_tensor load_library load_op_library make_ndarray make_tensor_proto name_scope no_gradient no_op
    nondifferentiable_batch_function numpy_function ones_initializer print py_function random_normal_initializer
    random_uniform_initializer recompute_grad register_tensor_conversion_function type_spec_from_value
    variable_creator_scope zeros_initializer"""
)
"""Functions of ``tf`` itself that return something else than tensors."""

_SEVERAL = _words(
    """clip_by_global_norm dynamic_partition eig gradients hessians meshgrid shape_n split tuple unique
    unique_with_counts unstack while_loop moments top_k weighted_moments fused_batch_norm svd qr lu eigh
    sufficient_statistics ctc_greedy_decoder ctc_beam_search_decoder"""
)
"""Functions that return several tensors, in a tuple or a list."""

_TENSOR_MODULES = (
    "math",
    "linalg",
    "nn",
    "signal",
    "image",
    "strings",
    "random",
    "bitwise",
    "audio",
    "sparse",
    "quantization",
)


class Returns(enum.Enum):
    """What an operation returns."""

    TENSOR = "one tensor"
    TENSORS = "several tensors"
    OTHER = "something else, or who knows"


def returned_by(name: str) -> Returns:
    """What the function of this canonical name (``tensorflow.math.exp``) returns."""
    home, _, last = name.rpartition(".")
    if not last[:1].islower() or last in _PYTHON_RESULTS or "set_seed" in last or last.startswith("get_"):
        return Returns.OTHER
    module = home.partition(".")[2]
    if home not in ("tensorflow", "keras.ops", "tensorflow_addons.image") and module not in _TENSOR_MODULES:
        return Returns.TENSOR if home == "tensorflow.io" and last.startswith("decode_") else Returns.OTHER
    return Returns.TENSORS if last in _SEVERAL else Returns.TENSOR


FLOATS = _words("float16 float32 float64 bfloat16 half double")
INTEGERS = _words("int8 int16 int32 int64 uint8 uint16 uint32 uint64")


def is_float(dtype: str) -> bool:
    return dtype in FLOATS


KEEPS_SHAPE = (
    _names(
        "tensorflow.",
        """abs acos asin atan cast ceil clip_by_value cos cosh cumsum exp floor identity negative reverse roll round rsqrt
        sigmoid sign sin sinh sqrt square stop_gradient tan tanh zeros_like ones_like""",
    )
    | _names(
        "tensorflow.math.",
        """abs ceil cos cumsum erf exp expm1 floor l2_normalize log log1p negative reciprocal round rsqrt sigmoid sign sin
        softplus sqrt square tanh""",
    )
    | _names(
        "tensorflow.nn.",
        "bias_add dropout elu gelu leaky_relu log_softmax relu relu6 selu sigmoid silu softmax softplus softsign swish tanh",
    )
    | _names(
        "tensorflow.image.",
        """adjust_brightness adjust_contrast adjust_gamma adjust_hue adjust_saturation flip_left_right flip_up_down
        random_brightness random_contrast random_flip_left_right random_flip_up_down random_hue random_saturation
        stateless_random_brightness stateless_random_contrast stateless_random_flip_left_right
        stateless_random_flip_up_down stateless_random_hue stateless_random_saturation""",
    )
)
"""Operations whose result has the shape of their first argument, whatever the others are."""

KEEPING_LAYERS = _words(
    """Activation ReLU LeakyReLU ELU PReLU ThresholdedReLU Softmax Dropout SpatialDropout1D SpatialDropout2D
    SpatialDropout3D GaussianNoise GaussianDropout AlphaDropout LayerNormalization BatchNormalization
    GroupNormalization UnitNormalization"""
)
"""Layers whose output has the shape of their input."""

NUMBERS: Mapping[str, Mapping[str, str]] = {
    "tensorflow.image.adjust_brightness": {"1": "float32", "delta": "float32"},
    "tensorflow.image.adjust_contrast": {"1": "float32", "contrast_factor": "float32"},
    "tensorflow.image.adjust_hue": {"1": "float32", "delta": "float32"},
    "tensorflow.image.adjust_saturation": {"1": "float32", "saturation_factor": "float32"},
    "tensorflow.image.adjust_gamma": {"1": "float32", "gamma": "float32"},
    "tensorflow.image.adjust_jpeg_quality": {"1": "int32", "jpeg_quality": "int32"},
    "tensorflow.image.rot90": {"1": "int32", "k": "int32"},
    "tensorflow.roll": {"1": "int32", "shift": "int32"},
    "tensorflow.gather": {"1": "int", "indices": "int"},
    "tensorflow.clip_by_value": {
        "1": "first",
        "2": "first",
        "clip_value_min": "first",
        "clip_value_max": "first",
    },
    "tensorflow.fill": {"1": "any", "value": "any"},
    "tensorflow.cast": {"0": "any", "x": "any"},
    "tensorflow.cond": {"0": "bool", "pred": "bool"},
    "tensorflow.where": {"0": "bool", "condition": "bool"},
    "tensorflow.random.normal": {"1": "float32", "mean": "float32", "2": "float32", "stddev": "float32"},
    "tensorflow_addons.image.rotate": {"1": "float32", "angles": "float32"},
}
"""Canonical name -> parameter (position or keyword) -> what it takes: a dtype, ``int`` (int32 or int64), ``any``, ``bool``,
or ``first`` for the dtype of the first argument."""
