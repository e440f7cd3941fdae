"""The campaign as the machinery sees it: games counted, cards turned over, a page without spoilers."""

from collections.abc import Callable, Iterable

from assistant.games.yu import campaign as rules
from assistant.games.yu import mixes
from assistant.games.yu.aftermath import read_out
from assistant.games.yu.campaign import LAST, Campaign
from assistant.games.yu.campaign_codec import decode_campaign, encode_campaign
from assistant.games.yu.copy import Copy
from assistant.games.yu.state import Result, State
from assistant.kit import CampaignKit, CampaignPage, Message
from vision.cards import CardId, CardPack


def campaign_kit(copy_of_pack: Callable[[CardPack], Copy]) -> CampaignKit:
    def finished(pack: CardPack, campaign: Campaign, state: State) -> Campaign:
        return rules.finished(copy_of_pack(pack), campaign, state)

    def turn(pack: CardPack, campaign: Campaign, card: CardId) -> tuple[Campaign, int | None]:
        copy = copy_of_pack(pack)
        assert campaign.last is not None
        entry = rules.entry_to_read(copy, card, campaign.last)
        turned = rules.flipped(campaign, card)
        return (turned if entry is None else read_out(copy, turned, entry)), entry

    return CampaignKit(
        new=lambda pack: rules.new_campaign(copy_of_pack(pack)),
        finished=finished,
        may_turn=lambda pack, campaign: rules.may_flip(copy_of_pack(pack), campaign),
        turn=turn,
        page=lambda pack, campaign: page(copy_of_pack(pack), campaign),
        encode=encode_campaign,
        decode=decode_campaign,
    )


def page(copy: Copy, campaign: Campaign) -> CampaignPage:
    decks = campaign.decks
    playing = (
        *decks.townsfolk,
        *decks.barbarians,
        *decks.huts,
        *(c for group in decks.canals for c in group),
    )
    lasting = {card.stone for card in decks.story_cards}
    added = [name for name in (stone_of(copy, card) for card in playing) if name is not None]
    return CampaignPage(
        wins=campaign.wins,
        losses=campaign.losses,
        most=LAST,
        over=rules.over(campaign),
        added=_sorted([*added, *(f"#{card.stone}" for card in decks.story_cards)]),
        history=_sorted(stone_of(copy, card) or card for card in campaign.history),
        story_left=sum(copy.pack[card].stone not in lasting for card in campaign.story),
        to_do=_to_do(campaign),
    )


def stone_of(copy: Copy, card: CardId) -> str | None:
    """How a card of the Story Deck is named to the player; None for the starting cards."""
    if mixes.is_token(card) or card not in copy.pack or not copy.pack[card].stone:
        return None
    return f"#{copy.pack[card].stone}"


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(
        sorted(set(names), key=lambda name: (name[:1] != "#", len(name) if name[:1] == "#" else 0, name))
    )


def _to_do(campaign: Campaign) -> Message | None:
    if campaign.last is None:
        return None
    return Message.of(
        "yu.campaign.turn-victory" if campaign.last is Result.WIN else "yu.campaign.turn-defeat"
    )
