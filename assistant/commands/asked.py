"""Commands that are loaded when they are asked for: a run needs one, and all together are slow to load."""

from collections.abc import Iterator, MutableMapping, Sequence
from importlib import import_module
from typing import Any

import typer
from typer.main import get_command


class OnceAsked(MutableMapping[str, Any]):
    """The commands of Typer by their names; each is imported the first time that it is looked up."""

    def __init__(self, commands: Sequence[str], groups: Sequence[str]) -> None:
        self._names = dict.fromkeys((*commands, *groups))
        self._groups = frozenset(groups)
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> Any:
        module = import_module(f"assistant.commands.{name}")
        if name in self._groups:
            return get_command(module.app)
        alone = typer.Typer(add_completion=False)
        alone.command()(getattr(module, name))
        return get_command(alone)

    def __setitem__(self, name: str, command: Any) -> None:
        self._names[name] = None
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._names[name]
        self._loaded.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
