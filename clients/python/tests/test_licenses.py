"""Everything that the client installs has a license that we accept."""

import re
from importlib import metadata
from pathlib import Path

import tomllib

# The same as in deny.toml, as far as Python packages use them.
ACCEPTED = {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0", "PSF-2.0", "Unlicense"}

# The names that packages without an SPDX expression use.
LONG_NAMES = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}


def name_of(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return match[0]


def installed_with(names: list[str]) -> set[str]:
    """The packages and everything that they need here; without extras."""
    found: set[str] = set()
    while names:
        name = names.pop()
        try:
            requirements = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue  # Needed only on another platform or by another Python.
        normal = re.sub(r"[-_.]+", "-", name).lower()
        if normal not in found:
            found.add(normal)
            names += [name_of(entry) for entry in requirements if "extra ==" not in entry]
    return found


def licenses(name: str) -> set[str]:
    about = metadata.metadata(name)
    if expressions := about.get_all("License-Expression"):
        return set(re.split(r" OR | AND |[()]", expressions[0])) - {""}
    classifiers = about.get_all("Classifier") or []
    long = [entry.rsplit(" :: ", 1)[1] for entry in classifiers if entry.startswith("License ::")]
    named = {LONG_NAMES.get(entry, entry) for entry in long} - {"OSI Approved"}
    return named or {LONG_NAMES.get(entry, entry) for entry in about.get_all("License") or ["none"]}


def test_everything_the_client_needs_has_an_accepted_license() -> None:
    project = Path(__file__).parent.parent / "pyproject.toml"
    needed = tomllib.loads(project.read_text())["project"]["dependencies"]
    packages = installed_with([name_of(entry) for entry in needed])
    assert {"httpx2", "pydantic"} <= packages
    refused = {name: entry for name in packages if not (entry := licenses(name)) <= ACCEPTED}
    assert not refused
