"""A campaign is saved and read as it was; a damaged one is refused in one sentence."""

import json
from typing import Any

import pytest

from assistant.games.yu.campaign import Campaign, finished, flipped, may_flip, new_campaign
from assistant.games.yu.campaign_codec import decode_campaign, encode_campaign
from assistant.games.yu.campaign_kit import page
from assistant.games.yu.codec import StateError
from assistant.games.yu.kit import KIT, copy_with
from assistant.games.yu.pack import demo_pack
from assistant.simulate import play_game, policy_named

COPY = copy_with(demo_pack())


def after_games(number: int) -> Campaign:
    game = KIT.bind(demo_pack())
    campaign = new_campaign(COPY)
    for seed in range(number):
        campaign = finished(COPY, campaign, play_game(game, policy_named(game, "random"), seed).last)
        if seed < number - 1:
            campaign = flipped(campaign, may_flip(COPY, campaign)[0])
    return campaign


@pytest.mark.parametrize("games", [0, 1, 3])
def test_a_campaign_comes_back_through_json(games: int) -> None:
    campaign = after_games(games)
    assert decode_campaign(json.loads(json.dumps(encode_campaign(campaign)))) == campaign


DAMAGE: dict[str, Any] = {
    "format": 99, "wins": 8, "losses": True, "last": "boredom", "victory": "gold", "story": [1],
    "history": [""], "decks": {}, "flipped": None,
}  # fmt: skip


@pytest.mark.parametrize("key", DAMAGE)
def test_damage_is_refused(key: str) -> None:
    with pytest.raises(StateError, match="Expected a saved campaign"):
        decode_campaign(encode_campaign(after_games(1)) | {key: DAMAGE[key]})


@pytest.mark.parametrize("key", sorted(DAMAGE))
def test_a_missing_part_is_refused(key: str) -> None:
    data = encode_campaign(after_games(0))
    del data[key]
    with pytest.raises(StateError):
        decode_campaign(data)


def test_the_page_counts_and_spoils_nothing() -> None:
    shown = page(COPY, after_games(3))
    assert (shown.wins + shown.losses, shown.most, shown.over) == (3, 7, False)
    assert shown.to_do is not None
    story = {card.id for card in demo_pack().cards if card.stone}
    assert not story & {*shown.added, *shown.history}
