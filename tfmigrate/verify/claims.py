"""The claims of several codemods joined into one. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from tfmigrate.claim import Claim


def joined(claims: Iterable[Claim]) -> Claim:
    """What may differ where several codemods rewrote: whatever one of them announces."""
    found = tuple(claims)
    return Claim(
        first_call_only=any(claim.first_call_only for claim in found),
        may_track_more=any(claim.may_track_more for claim in found),
        may_fix_graph=any(claim.may_fix_graph for claim in found),
        may_fix_eager=any(claim.may_fix_eager for claim in found),
        constant_weight_count=any(claim.constant_weight_count for claim in found),
        trains_and_saves=any(claim.trains_and_saves for claim in found),
        redraws=any(claim.redraws for claim in found),
        decides_in_graph=any(claim.decides_in_graph for claim in found),
        fewer_traces=any(claim.fewer_traces for claim in found),
        stdout=all(claim.stdout for claim in found),
    )
