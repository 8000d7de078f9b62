#!/bin/sh
# Installs appstitch from a release archive, which `cargo xtask dist` makes. Works on Linux and macOS.
#
#   sh install.sh appstitch-0.1.0-aarch64-apple-darwin.tar.gz
#   sh install.sh --prefix "$HOME/.local" appstitch-0.1.0-x86_64-unknown-linux-gnu.tar.gz
#
# The file SHA256SUMS of the release must be next to the archive. Nothing is installed unless the hash of the
# archive is the one in that file. To upgrade, run it with a newer archive, then restart the server.
set -eu

usage="usage: sh install.sh [--prefix DIR] ARCHIVE"
prefix=/usr/local
archive=

fail() {
    echo "error: $1" >&2
    echo "Nothing was installed." >&2
    exit 1
}

while [ $# -gt 0 ]; do
    case $1 in
    --prefix)
        [ $# -ge 2 ] || fail "--prefix requires a folder; $usage"
        prefix=$2
        shift
        ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    -h | --help)
        echo "$usage"
        echo "The default of --prefix is /usr/local; another one for a single user is \$HOME/.local."
        exit 0
        ;;
    -*) fail "unknown option '$1'; $usage" ;;
    *)
        [ -z "$archive" ] || fail "more than one archive; $usage"
        archive=$1
        ;;
    esac
    shift
done

[ -n "$archive" ] || fail "no archive; $usage"
[ -n "$prefix" ] || fail "--prefix is empty; $usage"
[ -f "$archive" ] || fail "there is no file $archive"

# The hash first: an archive that is not what was released is not even unpacked.
sums=$(dirname "$archive")/SHA256SUMS
name=$(basename "$archive")
[ -f "$sums" ] || fail "there is no file $sums; download it from where the archive is from"
expected=$(awk -v name="$name" '$2 == name || $2 == "*" name { print $1; exit }' "$sums")
[ -n "$expected" ] || fail "$sums has no hash of $name"
if command -v sha256sum >/dev/null 2>&1; then
    actual=$(sha256sum <"$archive")
elif command -v shasum >/dev/null 2>&1; then
    actual=$(shasum -a 256 <"$archive")
else
    fail "cannot check the archive: neither sha256sum nor shasum is installed"
fi
actual=${actual%% *}
if [ "$actual" != "$expected" ]; then
    fail "$name is damaged or not the released file: its SHA-256 is $actual, but $sums has $expected"
fi

unpacked=$(mktemp -d "${TMPDIR:-/tmp}/appstitch.XXXXXX")
trap 'rm -rf "$unpacked"' EXIT
tar -xzf "$archive" -C "$unpacked"
from=$unpacked/${name%.tar.gz}
version=$("$from/appstitch" --version 2>/dev/null) ||
    fail "the program in $name does not run here; choose the archive for this kind of machine"

mkdir -p "$prefix/bin" 2>/dev/null && [ -w "$prefix/bin" ] ||
    fail "cannot write to $prefix/bin; run this with sudo, or pass --prefix \"\$HOME/.local\""

# put FILE MODE TARGET: a running program keeps its old file, because the new one replaces only its name.
put() {
    mkdir -p "$(dirname "$prefix/$3")"
    cp "$from/$1" "$prefix/$3.new"
    chmod "$2" "$prefix/$3.new"
    mv -f "$prefix/$3.new" "$prefix/$3"
}

put appstitch.1 644 share/man/man1/appstitch.1
put completions/appstitch.bash 644 share/bash-completion/completions/appstitch
put completions/_appstitch 644 share/zsh/site-functions/_appstitch
put completions/appstitch.fish 644 share/fish/vendor_completions.d/appstitch.fish
(cd "$from" && find deploy -type f) >"$unpacked/files"
while read -r file; do
    put "$file" 644 "share/appstitch/$file"
done <"$unpacked/files"
# The program comes last: once it is there, so is everything else.
put appstitch 755 bin/appstitch

echo "installed $version as $prefix/bin/appstitch; sample configurations are in $prefix/share/appstitch/deploy"
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "hint: add $prefix/bin to PATH" ;;
esac
