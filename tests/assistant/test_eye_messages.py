"""Whatever the eye or a camera has to say can be said in every language."""

import re
from pathlib import Path

import pytest

import vision
from assistant.kit import Message
from assistant.wording import Wording, languages
from vision.register import Lost

SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in Path(vision.__file__).parent.glob("*.py"))
KEYS = sorted({*re.findall(r'"((?:sight|source)\.[a-z-]+)"', SOURCE), *(lost.value for lost in Lost)})


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("key", KEYS)
def test_a_key_of_the_eye_has_a_sentence(key: str, language: str) -> None:
    assert Wording(language).say(Message.of(key))


def test_the_keys_were_found() -> None:
    assert {"sight.hand", "sight.glare", "source.frozen", "register.unlike"} <= set(KEYS)
