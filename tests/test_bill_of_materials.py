"""The bill of materials names every locked package once, and every network that we ship."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_locked_package_and_network_is_on_the_bill(tmp_path: Path) -> None:
    out = tmp_path / "bill.json"
    script = ROOT / "scripts" / "bill_of_materials.py"
    subprocess.run([sys.executable, str(script), "--out", str(out)], check=True, capture_output=True)
    components = json.loads(out.read_text(encoding="utf-8"))["components"]
    lock = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    pinned = {line.split()[0].replace("==", "@") for line in lock.splitlines() if "==" in line.split(" ")[0]}
    packages = [one for one in components if one["type"] == "library"]
    assert {one["bom-ref"] for one in packages} == pinned
    assert len({one["bom-ref"] for one in components}) == len(components)
    assert all(one["properties"] for one in packages), "a package without a hash"
    networks = {one["hashes"][0]["content"] for one in components if one["type"] == "machine-learning-model"}
    shipped = [path for room in ("models", "assistant") for path in (ROOT / room).rglob("*.onnx")]
    assert networks == {hashlib.sha256(path.read_bytes()).hexdigest() for path in shipped}
