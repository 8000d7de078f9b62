"""Checks that the generated synchronous client is up to date."""

import runpy
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "generate_sync.py"


def test_the_synchronous_client_is_up_to_date() -> None:
    script = runpy.run_path(str(SCRIPT))
    expected: str = script["generate"]()
    actual: str = script["TARGET"].read_text()
    assert actual == expected, f"run python {SCRIPT.name}"
    assert "async" not in actual.replace("_async.py", "") and "await" not in actual
