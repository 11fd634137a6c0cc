"""Plausible constructor arguments by parameter name: a table, without TensorFlow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

UNITS = 8
"""Divisible by the two heads below, and large enough that two draws of weights never agree by chance."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TABLE: tuple[tuple[Any, str], ...] = (
    (
        UNITS,
        """units unit dim dims d_model model_dim hidden hidden_size hidden_dim hidden_units num_units
        n_units embed_dim embedding_dim embedding_size emb_dim emb_size latent_dim features num_features
        n_features output_dim out_dim output_size input_dim in_dim input_size in_features out_features
        filters num_filters n_filters nf channels num_channels n_channels out_channels in_channels ch
        width size d h state_size num_hidden projection_dim image_size img_size intermediate_size
        intermediate_dim ffn_dim mlp_dim dff d_ff rnn_units memory_dim token_dim bottleneck n_hidden
        feature_dim query_dim value_dim output_units""",
    ),
    (
        2,
        """num_heads heads n_heads nhead num_attention_heads num_layers n_layers layers_count depth
        num_blocks n_blocks blocks repeats n steps num_steps n_steps groups num_groups ratio reduction
        reduction_ratio expansion scale patch_size factor num_experts n_experts iterations
        num_iterations order levels num_levels num_encoder_layers num_decoder_layers batch_size""",
    ),
    (
        3,
        """num_classes n_classes classes num_labels n_labels num_outputs n_outputs n_out kernel_size kernel
        k ksize ks num_capsules window window_size filter_size action_dim num_actions n_actions""",
    ),
    (4, "key_dim head_dim rank"),
    (1, "stride strides dilation dilation_rate pad"),
    (
        20,
        """vocab_size vocab vocabulary_size num_tokens n_vocab input_vocab_size target_vocab_size
        num_embeddings max_tokens num_items num_users n_items n_users num_words""",
    ),
    (
        12,
        """max_len max_length seq_len seq_length sequence_length maxlen timesteps time_steps max_seq_len
        max_sequence_length max_position_embeddings maximum_position_encoding num_timesteps n_steps_out""",
    ),
    (0.25, "rate dropout dropout_rate drop_rate drop_prob drop dropout_prob keep_prob p prob"),
    (0.5, "alpha beta gamma lam lambda_ weight momentum decay"),
    (1e-3, "eps epsilon tol"),
    (2.0, "temperature scale_factor"),
    (0.01, "lr learning_rate"),
    ("relu", "activation act activation_fn hidden_activation"),
    ("same", "padding"),
    ("channels_last", "data_format"),
    (-1, "axis"),
    (True, "use_bias"),
)
VALUES: Mapping[str, Any] = {name: value for value, names in _TABLE for name in names.split()}

LISTS = _names("""layer_sizes hidden_layers hidden_sizes layers_sizes units_list filters_list sizes
        num_filters_list layer_units hidden_dims unit_list mlp_units dense_units hidden_layer_sizes
        widths channels_list fc_layers layer_dims""")
LAYERS = _names("""layer cell encoder decoder backbone model base base_model network net sublayer fn generator
        discriminator""")
SHAPES = frozenset(["input_shape", "in_shape", "image_shape", "shape", "target_shape"])

IDS = _names("""ids id input_ids tokens token token_ids indices index idx words word word_ids items users
        sentence sentences text x_ids token_type_ids position_ids segment_ids user item labels label
        actions action""")
IMAGES = frozenset(["image", "images", "img", "imgs", "pixels", "pixel_values", "picture", "frame"])
SEQUENCES = _names(
    """q k v query key value queries keys values seq sequence sequences hidden_states memory enc_output
        encoder_output"""
)
MASKS = frozenset({"mask", "attention_mask", "padding_mask"})
