"""Disks that are full, read-only or damaged: told in one sentence, and what was saved stays saved."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from assistant.kit import Message
from assistant.record.database import FILE_NAME
from assistant.record.errors import RecordError, Trouble, trouble_of
from assistant.record.store import open_store
from assistant.wording import Wording, languages
from tests.assistant.record.recorded import action, header, record_simulated

HERE = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}

FILLS_A_DISK = """
    import json, sys
    from pathlib import Path
    from assistant.record.store import open_store
    from tests.assistant.record.recorded import action, header

    folder = Path(sys.argv[1])
    ballast = folder / "ballast"
    ballast.write_bytes(b"x" * 300_000)
    with open_store(folder) as store:
        recorder = store.begin(header(), {})
        told = 0
        while recorder.trouble is None and told < 2000:
            told += 1
            recorder.action(action(told, crop=bytes(1000) + str(told).encode() * 500))
            recorder.flush(0.2)
        trouble = recorder.trouble
        for _ in range(20):  # the game goes on while nothing can be saved
            told += 1
            recorder.action(action(told))
        ballast.unlink()
        healed = recorder.flush(20)
        recorder.leave()
        numbers = [a.number for a in store.load(store.find("last")).actions]
    print(json.dumps({
        "trouble": trouble and trouble.trouble.value, "sentence": str(trouble), "healed": healed,
        "complete": numbers == list(range(1, told + 1)), "told": told, "after": str(recorder.trouble),
    }))
"""


def test_a_full_disk_is_told_and_the_game_is_complete_once_there_is_room(tmp_path: Path) -> None:
    """A real file system of 1 MB, in a mount name space of its own."""
    inside = f'mount -t tmpfs -o size=1m tmpfs {tmp_path} && exec {sys.executable} -c "$1" {tmp_path}'
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare to mount a small disk")
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", inside, "sh", textwrap.dedent(FILLS_A_DISK)],
        capture_output=True, text=True, check=False, timeout=120, env=HERE,
    )  # fmt: skip
    if "unshare failed" in done.stderr or "mount:" in done.stderr:
        pytest.skip(f"no mounts for us here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["trouble"] == "full"
    assert "the disk is full; free some space" in told["sentence"]
    assert told["healed"]
    assert told["complete"]
    assert told["after"] == "None"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(RecordError, match=r"file.* cannot be used"):
        open_store(tmp_path / "file" / "games")


def test_a_file_that_cannot_be_written_to_is_told_as_read_only(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    script = """
        import os, sys
        from assistant.record.store import open_store
        from tests.assistant.record.recorded import action, header
        if os.geteuid() == 0:
            os.setgid(65534); os.setuid(65534)
        try:
            open_store(sys.argv[1]).begin(header(), {})
        except Exception as problem:
            print(type(problem).__name__, problem.trouble.value, problem)
    """
    tmp_path.chmod(0o555)
    (tmp_path / FILE_NAME).chmod(0o444)
    for parent in tmp_path.parents[:3]:
        parent.chmod(parent.stat().st_mode | 0o555)
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(tmp_path)],
        capture_output=True, text=True, check=False, timeout=60, env=HERE,
    )  # fmt: skip
    tmp_path.chmod(0o755)
    assert done.stdout.startswith("RecordError read-only The record"), done.stderr


def test_a_record_cannot_be_begun_on_a_read_only_disk_and_that_is_what_is_said(tmp_path: Path) -> None:
    script = "import sys; from assistant.record.store import open_store; open_store(sys.argv[1])"
    inside = f'mount -t tmpfs -o ro tmpfs {tmp_path} && exec {sys.executable} -c "$1" {tmp_path}'
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare to mount a read-only disk")
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", inside, "sh", script],
        capture_output=True, text=True, check=False, timeout=120, env=HERE,
    )  # fmt: skip
    if "unshare failed" in done.stderr or "mount:" in done.stderr:
        pytest.skip(f"no mounts for us here: {done.stderr.strip()}")
    assert "it cannot be written to; make it writable for you" in done.stderr


def damaged_copy(folder: Path, *, at: float, size: int) -> None:
    """Overwrites part of the database, as a dying disk does."""
    file = folder / FILE_NAME
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    data = bytearray(file.read_bytes())
    place = int(len(data) * at) // 4096 * 4096
    data[place : place + size] = b"\x5a" * size
    file.write_bytes(data)


@pytest.mark.parametrize("at", [0.3, 0.6, 0.9])
def test_a_damaged_record_is_kept_aside_and_what_can_be_read_is_saved(tmp_path: Path, at: float) -> None:
    with open_store(tmp_path) as store:
        for seed in range(4):
            record_simulated(store, seed)
        before = sum(summary.actions for summary in store.games())
    damaged_copy(tmp_path, at=at, size=12_288)
    with open_store(tmp_path) as store:
        assert store.rescue is not None
        assert store.rescue.kept.exists()
        assert len(store.games()) == store.rescue.games == 4
        after = sum(len(store.load(summary.id).actions) for summary in store.games())
    assert 0.8 * before < after <= before
    with open_store(tmp_path) as store:
        assert store.rescue is None


def test_of_a_record_that_was_cut_off_the_first_part_is_saved(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        for seed in range(2):
            record_simulated(store, seed, "random")
        before = sum(summary.actions for summary in store.games())
    file = tmp_path / FILE_NAME
    file.write_bytes(file.read_bytes()[: file.stat().st_size * 3 // 5])
    with open_store(tmp_path) as store:
        assert store.rescue is not None
        after = sum(summary.actions for summary in store.games())
        assert store.rescue.games == 2
    assert 0.3 * before < after < before
    assert not list(tmp_path.glob("*.copy*"))


def test_a_file_that_is_no_database_is_kept_aside_and_a_new_one_is_begun(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"certainly not a database" * 1000)
    with open_store(tmp_path) as store:
        assert store.rescue is not None
        assert store.rescue.rows == 0
        assert store.rescue.kept.read_bytes().startswith(b"certainly")
        recorder = store.begin(header(), {})
        assert recorder.action(action(1)).result(10) == 1
        recorder.leave()


def test_a_locked_record_is_not_mistaken_for_a_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(tmp_path).close()
    monkeypatch.setattr("assistant.record.database.PATIENCE_S", 0.01)
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with open_store(tmp_path) as store:
        assert store.rescue is None
    other.close()


def test_troubles_have_names_for_the_page() -> None:
    for words, trouble in {
        "database or disk is full": Trouble.FULL,
        "attempt to write a readonly database": Trouble.READ_ONLY,
        "database is locked": Trouble.LOCKED,
        "database disk image is malformed": Trouble.DAMAGED,
        'connection to server at "club" failed': Trouble.UNREACHABLE,
        "something new": Trouble.UNKNOWN,
    }.items():
        assert trouble_of(words) is trouble


@pytest.mark.parametrize("language", languages())
def test_every_trouble_is_a_sentence_on_the_page(language: str) -> None:
    wording = Wording(language)
    for trouble in Trouble:
        assert wording.say(Message.of(f"record.trouble.{trouble.value}")).endswith(".")
