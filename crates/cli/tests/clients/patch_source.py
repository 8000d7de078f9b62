"""Reads a patch source as Jamf Pro does, and checks every answer against its schema.

patch_source.py SCHEMAS BASE STATE: STATE is a file with what the last run read. It tells how many titles
there are, how many changed since, and how many of the definitions differ.
"""

import http.client
import json
import pathlib
import sys
import urllib.parse

import jsonschema

schemas, base, state_file = sys.argv[1:]
address = urllib.parse.urlsplit(base)
connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)


def validator(name):
    schema = json.loads((pathlib.Path(schemas) / f"{name}.json").read_text())
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def read(path, valid):
    connection.request("GET", address.path + path)
    response = connection.getresponse()
    body = response.read()
    assert response.status == 200, (path, response.status, body[:200])
    assert response.headers["content-type"] == "application/json", path
    assert response.headers["etag"], path
    answer = json.loads(body)
    valid.validate(answer)
    return answer


lists, one, omitted = map(validator, ("software", "definition", "omitted"))


def alternatives(requirements):
    """The values that have to hold together: another identifier that the app had is an alternative."""
    found = []
    for criterion in requirements:
        if criterion["and"] and found:
            found[-1].append(criterion["value"])
        else:
            found.append([criterion["value"]])
    return found


software = read("/software", lists)
ids = [summary["id"] for summary in software]
assert len(ids) == len({each.lower() for each in ids}), "identifiers are unique"
left_out = read("/omitted", omitted)

state = pathlib.Path(state_file)
known = json.loads(state.read_text()) if state.exists() else {"summaries": {}, "definitions": {}}
changed = []
for start in range(0, len(ids), 100):
    part = ids[start : start + 100]
    summaries = read("/software/" + ",".join([*part, "no-such-title"]) + ",", lists)
    assert [summary["id"] for summary in summaries] == part
    changed += [each for each in summaries if known["summaries"].get(each["id"]) != each]

# Only this test reads all definitions, to see that the summaries miss nothing.
definitions = {each: read("/patch/" + each, one) for each in ids}
for summary in software:
    definition = definitions[summary["id"]]
    assert {key: definition[key] for key in summary} == summary, summary
    versions = [patch["version"] for patch in definition["patches"]]
    assert summary["currentVersion"] in versions and len(versions) == len(set(versions)), summary
    for patch in definition["patches"]:
        component = patch["components"][0]
        assert component["version"] == patch["version"] == component["criteria"][-1]["value"]
        assert all(criterion["and"] for criterion in component["criteria"])
        found_by = [criterion["value"] for criterion in component["criteria"][:-1]]
        assert found_by in alternatives(definition["requirements"]), summary

differing = {each for each, found in definitions.items() if known["definitions"].get(each) != found}
assert differing == {each["id"] for each in changed}, "the summaries tell which definitions changed"
lost = 0
for each, before in known["definitions"].items():
    if each in definitions and len(definitions[each]["patches"]) < 100:
        now = {patch["version"] for patch in definitions[each]["patches"]}
        lost += sum(patch["version"] not in now for patch in before["patches"])
assert lost == 0, "a published version is never dropped"

summaries = {each["id"]: each for each in software}
state.write_text(json.dumps({"summaries": summaries, "definitions": definitions}))
several = sum(len(each["patches"]) > 1 for each in definitions.values())
reasons = {}
for each in left_out:
    reasons[each["reason"]] = reasons.get(each["reason"], 0) + 1
print(json.dumps({
    "titles": len(ids), "changed": len(changed), "several": several, "omitted": reasons,
    "without_file": sum(not each["appName"] for each in definitions.values()),
}))
