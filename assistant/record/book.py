"""What a player does with a campaign between two games: count a game, turn a card over, write a note."""

from dataclasses import dataclass

from assistant.errors import FloodwatchError
from assistant.kit import CampaignKit, CampaignPage, GameKit
from assistant.record.campaigns import Entry, StoredCampaign, begin_campaign, current_campaign, go_on, note
from assistant.record.store import Store
from assistant.record.telling import game_of
from vision.cards import CardId, CardPack


class CampaignError(FloodwatchError):
    """Something that a campaign does not allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignBook:
    """The newest campaign of one game in one record."""

    kit: GameKit
    campaign: CampaignKit
    store: Store
    pack: CardPack

    def current(self) -> StoredCampaign | None:
        return current_campaign(self.store, self.kit.name)

    def begin(self) -> StoredCampaign:
        state = self.campaign.encode(self.campaign.new(self.pack))
        return begin_campaign(self.store, self.kit.name, state)

    def page(self, stored: StoredCampaign) -> CampaignPage:
        return self.campaign.page(self.pack, self.campaign.decode(stored.state))

    def may_turn(self, stored: StoredCampaign) -> tuple[CardId, ...]:
        return self.campaign.may_turn(self.pack, self.campaign.decode(stored.state))

    def count(self, stored: StoredCampaign, text: str) -> StoredCampaign:
        """The game that a player names counts in this campaign."""
        recorded = self.store.load(self.store.find(text))
        if recorded.header.game != self.kit.name or recorded.ending is None or recorded.ending.cause is None:
            raise CampaignError(f"Expected a finished game of {self.kit.name}, found game {recorded.id}.")
        before = self.campaign.decode(stored.state)
        if self.campaign.may_turn(self.pack, before):
            raise CampaignError("First turn over the card of the last game: floodwatch campaign --turn CARD.")
        if self.campaign.page(self.pack, before).over:
            raise CampaignError("This campaign is over: begin a new one with floodwatch campaign --new.")
        last = game_of(recorded, self.kit).decode(recorded.state)
        after = self.campaign.encode(self.campaign.finished(self.pack, before, last))
        return go_on(self.store, self.kit.name, stored, Entry.GAME, after, played=recorded.id)

    def turn(self, stored: StoredCampaign, card: str) -> tuple[StoredCampaign, int | None]:
        """The campaign after that card was turned over, and the story entry that it names."""
        possible = self.may_turn(stored)
        if CardId(card) not in possible:
            wanted = ", ".join(sorted(possible)) or "no card now: count a game first with --add"
            raise CampaignError(
                f"Expected a card that may be turned over, found {card!r}; there is {wanted}."
            )
        after, entry = self.campaign.turn(self.pack, self.campaign.decode(stored.state), CardId(card))
        encoded = self.campaign.encode(after)
        return go_on(self.store, self.kit.name, stored, Entry.TURNED, encoded, story_entry=entry), entry

    def note(self, stored: StoredCampaign, entry: int, words: str) -> StoredCampaign:
        return note(self.store, self.kit.name, stored, entry, words)
