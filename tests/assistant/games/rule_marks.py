"""Which rules a game's tests are about, read from the source of the tests."""

import ast
from pathlib import Path


def marked(folder: Path, mark: str) -> set[str]:
    """The rule ids that the tests in a folder carry under a mark."""
    return {
        str(argument.value)
        for path in folder.glob("test_*.py")
        for test in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
        for call in test.decorator_list
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == mark
        for argument in call.args
        if isinstance(argument, ast.Constant)
    }
