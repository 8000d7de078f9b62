"""Generates the synchronous client from the asynchronous one.

    python generate_sync.py

The two differ only in `await` and a few names. A test fails if the generated file is out of date.
"""

import re
from pathlib import Path

PACKAGE = Path(__file__).parent / "src" / "appstitch"
SOURCE = PACKAGE / "_async.py"
TARGET = PACKAGE / "_sync.py"

HEADER = "# Generated from _async.py by generate_sync.py. Do not edit.\n\n"

#: Patterns and their replacements, in this order.
REPLACEMENTS = [
    (r'^"""The asynchronous client\."""', '"""The synchronous client, for scripts."""'),
    (r"^import asyncio$", "import threading\nimport time"),
    (r"\bclass Client\b", "class SyncClient"),
    (r"for use with `async with`\.", "for use with `with`. Threads can share it."),
    (r"\basyncio\.Semaphore\b", "threading.BoundedSemaphore"),
    (r"\bawait asyncio\.sleep\b", "time.sleep"),
    (r"\bAsyncClient\b", "Client"),
    (r"\bAsyncIterator\b", "Iterator"),
    (r"\b__aenter__\b", "__enter__"),
    (r"\b__aexit__\b", "__exit__"),
    (r"\baclose\b", "close"),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
]


def generate() -> str:
    """Returns the source code of the synchronous client."""
    text = SOURCE.read_text()
    for pattern, replacement in REPLACEMENTS:
        text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        if count == 0:
            raise SystemExit(f"{SOURCE.name} does not match {pattern!r}: update {__file__}")
    return HEADER + text


if __name__ == "__main__":
    TARGET.write_text(generate())
