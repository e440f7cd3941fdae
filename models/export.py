"""Weights on their way out of training: averaged over the last steps, written as ONNX and listed."""

import copy
import hashlib
import re
from pathlib import Path

import torch
from torch import nn

FOLDER = Path(__file__).parent
MANIFEST = FOLDER / "manifest.toml"


class Average:
    """A network whose weights are the mean of the last few hundred steps of another."""

    def __init__(self, net: nn.Module, keep: float = 0.998) -> None:
        self.net = copy.deepcopy(net).eval()
        self._of = net
        self._keep = keep

    @torch.no_grad()
    def follow(self, step: int) -> None:
        keep = min(self._keep, (1 + step) / (10 + step))
        state = self._of.state_dict()
        for name, value in self.net.state_dict().items():
            if value.is_floating_point():
                value.mul_(keep).add_(state[name], alpha=1 - keep)
            else:
                value.copy_(state[name])


def export(net: nn.Module, example: torch.Tensor, name: str, *, quiet: bool = False) -> Path:
    """Writes models/<name>/<name>.onnx; any number of pictures of any length go in at once."""
    path = FOLDER / name / f"{name}.onnx"
    net.eval()
    axes = {0: "n", 1: "height", 2: "width"}
    with torch.no_grad():
        torch.onnx.export(
            net,
            (example,),
            str(path),
            input_names=["image"],
            output_names=["answer"],
            dynamic_axes={"image": axes, "answer": {0: "n", 2: "rows", 3: "columns"}}
            if name == "items"
            else {"image": {0: "n"}, "answer": {0: "n"}},
            opset_version=17,
            dynamo=False,
        )
    if not quiet:
        enter(name, path)
    return path


def enter(name: str, path: Path) -> None:
    """The new weights' hash, where the manifest names the old one."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    text = MANIFEST.read_text(encoding="utf-8")
    pattern = rf'(\[{name}\][^\[]*?sha256 = ")[0-9a-f]*(")'
    text, found = re.subn(pattern, rf"\g<1>{digest}\g<2>", text, flags=re.DOTALL)
    if not found:
        raise SystemExit(f"expected a table [{name}] with a sha256 in {MANIFEST.name}")
    MANIFEST.write_text(text, encoding="utf-8")
