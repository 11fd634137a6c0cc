"""TensorFlow's operations as far as lists and loops meet them."""

from __future__ import annotations

from tfmigrate.draws import ops


def _names(text: str, prefix: str = "tensorflow.") -> frozenset[str]:
    return frozenset(prefix + name for name in text.split())


CERTAIN = (
    ops.SAME_DTYPE
    | frozenset(ops.FIXED_DTYPE)
    | _names(
        """constant convert_to_tensor cast stack concat add_n range fill one_hot zeros ones where random.uniform
        random.normal shape size rank linspace einsum tensordot argsort equal greater less logical_and logical_or
        logical_not math.argmax math.floormod math.mod random.stateless_uniform random.stateless_normal greater_equal
        less_equal not_equal reduce_all reduce_any math.reduce_all math.reduce_any math.equal math.greater math.less
        divide truediv image.resize nn.softmax nn.conv2d nn.embedding_lookup scatter_nd math.cumsum
        math.unsorted_segment_sum signal.frame strings.join random.truncated_normal norm linalg.norm
        nn.sparse_softmax_cross_entropy_with_logits nn.softmax_cross_entropy_with_logits"""
    )
)
"""Operations that return one tensor."""
REDUCTIONS = (
    _names("sum mean max min prod all any logsumexp", "tensorflow.reduce_")
    | _names("sum mean max min prod all any std variance logsumexp", "tensorflow.math.reduce_")
    | _names("norm linalg.norm")
)
SCALARS = _names("size rank")
SHAPED = _names("zeros ones fill random.uniform random.normal random.truncated_normal")
"""Operations whose first argument is the shape of their result."""
SAME_RANK = _names(
    """abs cast exp identity negative sigmoid sign sin sqrt square stop_gradient tanh zeros_like ones_like reverse roll
    transpose tile clip_by_value round floor math.log math.exp math.tanh math.sigmoid nn.relu nn.softmax nn.sigmoid
    nn.tanh nn.log_softmax nn.dropout sort cumsum math.cumsum logical_not math.softplus"""
)
SAME_SHAPE = _names(
    """abs exp identity negative sigmoid sign sin sqrt square stop_gradient tanh zeros_like ones_like round floor math.log
    math.exp math.tanh nn.relu nn.softmax nn.sigmoid nn.tanh"""
)
BESIDE = _names("add subtract multiply maximum minimum")
PACKED = (
    (
        ops.WHOLE_TENSORS
        | _names(
            """size shape cast reduce_all reduce_any math.reduce_all math.reduce_any reduce_logsumexp math.reduce_logsumexp
        argmax argmin math.argmax math.argmin identity clip_by_value nn.softmax"""
        )
    )
    - _names("boolean_mask")
)
"""Operations that take a list of tensors for one tensor, stacked."""
PACKING = _names("stack convert_to_tensor")
SUMS = _names("add_n math.add_n") | {"builtins.sum"}
