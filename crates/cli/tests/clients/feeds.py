"""Checks feeds of a running server: Atom against a grammar of RFC 4287 and with a strict feed
parser, JSON Feed against its published schema.

Usage: feeds.py SCHEMA BASE PATH…
"""

import json
import pathlib
import sys
import urllib.request

import feedparser
import jsonschema
from lxml import etree

schema_file, base, *paths = sys.argv[1:]
here = pathlib.Path(__file__).parent
grammar = etree.RelaxNG(etree.parse(here / "atom.rng"))
schema = json.loads(pathlib.Path(schema_file).read_text())
validator = jsonschema.validators.validator_for(schema)
validator.check_schema(schema)
json_feed = validator(schema, format_checker=validator.FORMAT_CHECKER)

ATOM = "{http://www.w3.org/2005/Atom}"
HISTORY = "{http://purl.org/syndication/history/1.0}"


def is_unique(values):
    return len(values) == len(set(values))


def check_atom(path, kind, body):
    assert kind == "application/atom+xml; charset=utf-8", (path, kind)
    # Entities and addresses of other documents are not followed.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=False)
    tree = etree.fromstring(body, parser)
    grammar.assertValid(tree.getroottree())
    entries = tree.findall(f"{ATOM}entry")
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert is_unique(ids), path
    for element in [tree, *entries]:
        relations = [link.get("rel", "alternate") for link in element.findall(f"{ATOM}link")]
        # An entry without content needs one (section 4.1.2), and there may be only one of a type.
        assert "alternate" in relations and is_unique(relations), (path, relations)
    times = [entry.findtext(f"{ATOM}updated") for entry in entries]
    assert times == sorted(times, reverse=True), path
    relations = [link.get("rel") for link in tree.findall(f"{ATOM}link")]
    assert "self" in relations, path
    assert (tree.find(f"{HISTORY}archive") is not None) == ("current" in relations), path

    read = feedparser.parse(body, response_headers={"content-type": kind, "content-location": base + path})
    assert not read.bozo, (path, read.get("bozo_exception"))
    assert read.version == "atom10" and len(read.entries) == len(entries), path
    assert [entry.id for entry in read.entries] == ids, path
    for entry in read.entries:
        assert entry.title and entry.summary and entry.updated_parsed, (path, entry)
        assert entry.link.startswith(("http://", "https://")), (path, entry.link)
    return len(entries)


def check_json(path, kind, body):
    assert kind == "application/feed+json", (path, kind)
    feed = json.loads(body)
    json_feed.validate(feed)
    assert feed["version"] == "https://jsonfeed.org/version/1.1", path
    assert is_unique([item["id"] for item in feed["items"]]), path
    return len(feed["items"])


for path in paths:
    with urllib.request.urlopen(base + path) as answer:
        kind, body = answer.headers["content-type"], answer.read()
    check = check_json if ".json" in path else check_atom
    print(path, check(path, kind, body))
