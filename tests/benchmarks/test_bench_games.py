"""Games that were measured are kept as they were."""

from collections import Counter
from pathlib import Path

from assistant.measure import Score
from tests.benchmarks.bench_games import keep, played


def test_a_game_that_was_kept_is_read_as_it_was(tmp_path: Path) -> None:
    score = Score(games=1, actions=30, right=29, injected=Counter({"Y-G5": 2}), latencies=[0.2, 1.4])
    keep(tmp_path / "games.jsonl", 9200, 3, score)
    keep(tmp_path / "games.jsonl", 9200, 4, Score(games=1))
    assert played(tmp_path / "games.jsonl", 9200) == {3: score, 4: Score(games=1)}
    assert played(tmp_path / "games.jsonl", 9300) == {}
