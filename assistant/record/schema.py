"""The tables of a record and how they grew: format versions, and the steps from each to the next."""

import time
from collections.abc import Callable
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    func,
    insert,
    inspect,
    select,
)

from assistant.record.columns import Bytes, Moment, WholeNumber, Words
from assistant.record.errors import RecordError, Trouble

META: Final = MetaData()
BIG: Final = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts rows up only for INTEGER

migrations = Table(
    "migrations",
    META,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("program", Text, nullable=False),
)

games = Table(
    "games",
    META,
    Column("id", BIG, primary_key=True),
    Column("table_name", Words, nullable=False, index=True),
    Column("game", Words, nullable=False),
    Column("pack_name", Words, nullable=False),
    Column("pack_hash", Words, nullable=False),
    Column("board_hash", Words),
    Column("model_hashes", Words, nullable=False),
    Column("profile_hash", Words),
    Column("program", Words, nullable=False),
    Column("started_at", Moment, nullable=False),
    Column("seed", Words),
    Column("start", Bytes, nullable=False),
)

events = Table(
    "events",
    META,
    Column("game_id", BIG, ForeignKey(games.c.id), nullable=False),
    Column("sequence", WholeNumber, nullable=False),
    Column("at", Moment, nullable=False),
    Column("kind", Words, nullable=False),
    Column("payload", Bytes, nullable=False),
    PrimaryKeyConstraint("game_id", "sequence"),
)

# A row without notation only takes back: its number and all later ones.
actions = Table(
    "actions",
    META,
    Column("game_id", BIG, ForeignKey(games.c.id), nullable=False),
    Column("entry", WholeNumber, nullable=False),
    Column("number", WholeNumber, nullable=False),
    Column("event", WholeNumber, nullable=False),
    Column("at", Moment, nullable=False),
    Column("round", WholeNumber, nullable=False),
    Column("notation", Words),
    Column("words", Words),
    Column("state", Bytes),
    Column("crop", Bytes),
    PrimaryKeyConstraint("game_id", "entry"),
)

findings = Table(
    "findings",
    META,
    Column("game_id", BIG, ForeignKey(games.c.id), nullable=False),
    Column("entry", WholeNumber, nullable=False),
    Column("finding", WholeNumber, nullable=False),
    Column("after", WholeNumber, nullable=False),
    Column("at", Moment, nullable=False),
    Column("rule", Words, nullable=False),
    Column("severity", Words, nullable=False),
    Column("message", Words, nullable=False),
    Column("zones", Words, nullable=False),
    Column("fate", Words, nullable=False),
    PrimaryKeyConstraint("game_id", "entry"),
)

endings = Table(
    "endings",
    META,
    Column("game_id", BIG, ForeignKey(games.c.id), primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    Column("end", Words, nullable=False, quote=True),
    Column("won", Boolean),
    Column("cause", Words),
    Column("rounds", WholeNumber, nullable=False),
)

# The cards that a game was played with, as they were known then.
game_packs = Table(
    "game_packs",
    META,
    Column("game_id", BIG, ForeignKey(games.c.id), primary_key=True, autoincrement=False),
    Column("pack", Bytes, nullable=False),
)

# The last entry with a state is where a campaign stands; entries with words are the player's notes.
campaign_entries = Table(
    "campaign_entries",
    META,
    Column("game", Words, nullable=False),
    Column("campaign", WholeNumber, nullable=False),
    Column("entry", WholeNumber, nullable=False),
    Column("at", Moment, nullable=False),
    Column("kind", Words, nullable=False),
    Column("game_id", BIG, ForeignKey(games.c.id)),
    Column("story_entry", WholeNumber),
    Column("words", Words),
    Column("state", Bytes),
    PrimaryKeyConstraint("game", "campaign", "entry"),
)

CONTENT: Final = (games, events, actions, findings, endings, game_packs, campaign_entries)
"""The tables that a player's games are in, each after those it refers to."""


def _add_campaigns_and_packs(connection: Connection) -> None:
    campaign_entries.create(connection)
    game_packs.create(connection)


_STEPS: Final[tuple[Callable[[Connection], None], ...]] = (_add_campaigns_and_packs,)
"""From format 1 to 2, from 2 to 3, and so on."""

_PREPARING: Final = 0xF100D
"""The advisory lock under which one program at a time makes or changes tables."""

FORMAT: Final = len(_STEPS) + 1


def prepare(connection: Connection, program: str) -> None:
    """A new record gets today's tables; an older one is brought to today's format, step by step."""
    if connection.dialect.name == "postgresql":  # SQLite has locked the file already
        connection.execute(select(func.pg_advisory_xact_lock(_PREPARING)))
    found = format_of(connection)
    if found > FORMAT:
        raise RecordError(
            f"The record has format {found}, this program reads up to {FORMAT}: update floodwatch.",
            Trouble.TOO_NEW,
        )
    if found == 0:
        META.create_all(connection)
    for version in range(found + 1 if found else FORMAT, FORMAT + 1):
        if found:
            _STEPS[version - 2](connection)
        connection.execute(insert(migrations).values(version=version, at=time.time(), program=program))


def format_of(connection: Connection) -> int:
    """The format of a record; 0 where there is none yet."""
    if not inspect(connection).has_table(migrations.name):
        return 0
    return connection.execute(select(func.max(migrations.c.version))).scalar() or 0
