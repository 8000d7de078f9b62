"""Reads archives of exports with the readers that the tools use, and checks the rules of the tools.

exports.py FOLDER ZSH: FOLDER has archives by the names of their formats. The code of Munki and AutoPkg is in no
package registry, so their rules are written here once more. Tells how many files each format has.
"""

import csv
import io
import json
import pathlib
import plistlib
import re
import sqlite3
import subprocess
import sys
import tarfile
import urllib.parse

import yaml

folder, zsh = pathlib.Path(sys.argv[1]), sys.argv[2]
SCRIPT_SIZE = 15_360
REPORT = "REPORT.csv"


def files(name):
    """The texts of an archive by their names, which agree with its report."""
    found = {}
    with tarfile.open(folder / f"{name}.tar.gz") as archive:
        for entry in archive:
            assert entry.name.startswith(name + "/") and entry.mtime == 0, entry.name
            found[entry.name.removeprefix(name + "/")] = archive.extractfile(entry).read().decode()
    rows = list(csv.DictReader(io.StringIO(found.pop(REPORT))))
    assert {row["file"] for row in rows if row["file"]} == set(found), name
    for row in rows:
        assert bool(row["file"]) != bool(row["reasons"]), row
        assert bool(row["codes"]) == bool(row["reasons"]), row
    return found


def is_file_address(text):
    parts = urllib.parse.urlsplit(text)
    return parts.scheme in ("http", "https") and "@" not in parts.netloc and " " not in text


def check_munki(text, items):
    info = plistlib.loads(text.encode())
    # What makecatalogs needs, or it leaves the file out.
    assert info["name"] and info["version"] and info["catalogs"], info
    assert not re.search(r"-\d[^-]*$", info["name"]), "Munki takes the end for a version"
    key = (info["name"].lower(), info["version"])
    assert key not in items, key
    items.add(key)
    # What the client needs, or it does not download, verify or install the item.
    assert is_file_address(info["PackageCompleteURL"]), info
    location = info["installer_item_location"]
    assert location.endswith((".dmg", ".pkg", ".mpkg")) and "/" not in location, info
    assert re.fullmatch("[0-9a-f]{64}", info["installer_item_hash"]), info
    is_image = location.endswith(".dmg")
    assert ("items_to_copy" in info) == (info.get("installer_type") == "copy_from_dmg"), info
    assert is_image or "installer_type" not in info, info
    for item in info.get("items_to_copy", []):
        assert item["source_item"] and item["destination_path"].startswith("/"), info
    # Without one of these, Munki would install the item again every time.
    assert ("installs" in info) != ("receipts" in info), info
    for item in info.get("installs", []):
        assert item["type"] == "application", info
        assert item.get("path") or item["CFBundleIdentifier"], info
        assert item[item["version_comparison_key"]] == info["version"], info
        assert item.get("path", "/x.app").startswith("/"), info
    for receipt in info.get("receipts", []):
        assert receipt["packageid"] and receipt["version"] == info["version"], info
    if info.get("uninstallable"):
        assert info["uninstall_method"] in ("remove_copied_items", "removepackages"), info
    # Without it, nothing but the apps of installs blocks an installation while a user works.
    assert not info.get("unattended_install") or "blocking_applications" in info, info
    assert all(isinstance(value, (str, int, bool)) for value in info["_metadata"].values()), info


def check_recipe_list(text, _):
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(lines) == 1 and re.fullmatch(r"\S(.*\S)?", lines[0]), text
    assert f"#   autopkg make-override --pull" in text, text


def check_recipe(text, identifiers):
    recipe = plistlib.loads(text.encode())
    assert recipe["Identifier"] not in identifiers, recipe
    identifiers.add(recipe["Identifier"])
    known = dict(recipe["Input"], RECIPE_CACHE_DIR="/cache", pathname="/cache/file")
    steps = [step["Processor"] for step in recipe["Process"]]
    assert steps[0] == "URLDownloader" and steps[-1] == "CodeSignatureVerifier", steps
    for step in recipe["Process"]:
        for value in step.get("Arguments", {}).values():
            for name in re.findall(r"%(\w+)%", str(value)):
                assert name in known, (name, recipe)
    assert is_file_address(recipe["Input"]["DOWNLOAD_URL"]), recipe


def check_intune(text, _):
    app = json.loads(text)
    for key in ("displayName", "description", "publisher", "primaryBundleId", "primaryBundleVersion"):
        assert isinstance(app[key], str) and app[key].strip(), (key, app)
    [included] = app["includedApps"]
    assert included["bundleId"] == app["primaryBundleId"], app
    assert included["bundleVersion"] == app["primaryBundleVersion"], app
    assert None not in app.values(), app


def check_fleet(text, names):
    [item] = yaml.safe_load(text)
    if "query" in item:
        assert item["platform"] == "darwin" and item["name"] not in names, item
        names.add(item["name"])
        # It passes on a Mac without the app.
        assert len(database.execute(item["query"]).fetchall()) == 1, item
    elif "url" in item:
        assert is_file_address(item["url"]), item
        assert re.fullmatch("[0-9a-f]{64}", item["hash_sha256"]), item
    else:
        assert re.fullmatch(r"[a-z0-9@+._-]+/darwin", item["slug"]), item


def check_query(text, _):
    assert database.execute(text).fetchall() == [], text


def check_script(text, _):
    assert text.startswith("#!/bin/sh\n") and len(text.encode()) < SCRIPT_SIZE, text


database = sqlite3.connect(":memory:")
database.create_function("version_compare", 2, lambda left, right: 0)
database.executescript(
    """CREATE TABLE apps (name, path, bundle_identifier, bundle_short_version, bundle_version);
    CREATE TABLE package_receipts (package_id, version, location);"""
)

CHECKS = {
    "munki": check_munki,
    "autopkg": check_recipe_list,
    "autopkg-download": check_recipe,
    "intune": check_intune,
    "intune-preinstall": check_script,
    "intune-postinstall": check_script,
    "fleet": check_fleet,
    "osquery": check_query,
}

counts = {}
for name, check in CHECKS.items():
    found, seen = files(name), set()
    for file, text in found.items():
        try:
            check(text, seen)
        except Exception as error:
            raise AssertionError(f"{name}/{file}: {error!r}\n{text}") from error
    counts[name] = len(found)
    if check is check_script and found:
        scripts = folder / name
        scripts.mkdir()
        for file, text in found.items():
            (scripts / file).write_text(text)
        subprocess.run(["shellcheck", "--severity=warning", *found], cwd=scripts, check=True)
        for file in found:
            subprocess.run([zsh, "-n", file], cwd=scripts, check=True)
print(json.dumps(counts))
