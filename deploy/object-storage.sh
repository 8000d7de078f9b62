#!/bin/sh
# Prints the commands that bring an export of `appstitch export DIR` into an object storage, one per line,
# for `s5cmd run`. Requires jq. Nothing is sent by this script itself.
#
#   object-storage.sh DIR s3://BUCKET [LAST] >commands
#   s5cmd run commands && cp DIR/current/manifest.json LAST
#
# LAST is the manifest of the last upload, if there was one: then only what differs is uploaded, and what
# is gone is removed. Keys are the paths of the addresses, without the first slash; addresses with a
# query, and pages at the address of something else, keep the path of their file. Records come first,
# lists and front pages after them, removals last. See docs/reference/static-export.md for what a storage cannot do.
set -eu

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    echo "usage: $0 DIR s3://BUCKET[/PREFIX] [LAST]" >&2
    exit 2
fi
release=$(cd "$1/current" && pwd -P)
bucket=${2%/}
last=/dev/null
if [ $# -eq 3 ] && [ -f "$3" ]; then
    last=$3
fi

jq --raw-output --slurpfile last "$last" --arg release "$release" --arg bucket "$bucket" '
    # A percent-encoded text, decoded.
    def decoded: if contains("%") | not then . else
        [match("(?:%[0-9A-Fa-f]{2})+|[^%]+"; "g").string
            | if startswith("%") then
                [scan("[0-9A-Fa-f]{2}") | ascii_downcase | explode
                    | map(if . > 57 then . - 87 else . - 48 end) | .[0] * 16 + .[1]]
                | . as $bytes | { text: [], at: 0 }
                | until(.at >= ($bytes | length);
                    $bytes[.at] as $first
                    | (if $first < 128 then 1 elif $first < 224 then 2 elif $first < 240 then 3 else 4 end) as $count
                    | (reduce $bytes[.at + 1:.at + $count][] as $byte
                        (if $count == 1 then $first elif $count == 2 then $first - 192
                         elif $count == 3 then $first - 224 else $first - 240 end;
                         . * 64 + $byte - 128)) as $point
                    | .text += [$point] | .at += $count)
                | .text | implode
              else . end]
        | add // ""
        end;
    def key:
        if .address == "/" then "index.html"
        elif (.address | contains("?")) or (.file | IN("changes.html", "apps/@index.html")) then .file
        else .address[1:] | decoded end;
    def is_list: .route | IN("/apps", "/apps/drift", "/changes", "/stats", "/sources", "/",
        "/drift", "/vendors", "/feed.atom", "/feed.json", "/drift/feed.atom", "/drift/feed.json",
        "/sitemap.xml", "/catalog/index.json", "/catalog/{file}");
    def objects: .kinds as $kinds | .files[]
        | { key: key, is_list: is_list, file, sha256,
            fields: ($kinds[.kind] | { "content-type", "cache-control", "content-disposition" }) };
    def upload: "cp --raw"
        + ([.fields | to_entries[] | select(.value) | " --\(.key) \(.value | @sh)"] | add)
        + " \("\($release)/\(.file)" | @sh) \("\($bucket)/\(.key)" | @sh)";
    # Not an assignment or a difference of arrays, which take quadratic time.
    def by_key(stream): reduce stream as $object ({}; setpath([$object.key]; $object));
    by_key($last[0] // { kinds: [], files: [] } | objects) as $before
    | [objects] as $now
    | by_key($now[]) as $after
    | [$now[] | select($before[.key] as $old
        | $old.sha256 != .sha256 or $old.fields != .fields)] as $changed
    | ($changed[] | select(.is_list | not) | upload),
      ($changed[] | select(.is_list) | upload),
      ($before | keys[] | select(. as $key | $after | has($key) | not) | "rm --raw \("\($bucket)/\(.)" | @sh)")
' "$release/manifest.json"
