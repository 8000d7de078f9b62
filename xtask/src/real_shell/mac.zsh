# What a Mac answers about itself, and the helpers of the tool that print, exit or need a Mac.

arch() { print -r -- $MACHINE }
uname() {
    case $1 in
        -m) [[ $MACHINE == arm64 ]] && print arm64 || print x86_64 ;;
        -p) [[ $MACHINE == arm64 ]] && print arm || print i386 ;;
        -r) print 25.1.0 ;;
        *) print Darwin ;;
    esac
}
sw_vers() {
    case $1 in
        *productVersion) print 26.1 ;;
        *buildVersion) print 25B78 ;;
    esac
}
date() { [[ $1 == +%Y ]] && print 2026 }
defaults() {
    case "$*" in
        *AppleLocale) print en_US ;;
        *AppleLanguages) print '(\n    "en-US"\n)' ;;
        *) return 1 ;;
    esac
}
pgrep() { return 1 }
killall() { return 1 }
sleep() { : }

printlog() { : }
cleanupAndExit() { exit $1 }
runAsUser() { "$@" }
xpath() { command xpath -q -e $@ }
getJSONValue() {
    printf '%s' "$1" | node -e '
        const value = eval("JSON.parse(require(\"fs\").readFileSync(0, \"utf8\"))" + process.argv[1]);
        if (value !== undefined) console.log(typeof value === "object" ? JSON.stringify(value, null, 4) : String(value));
    ' "$([ -n "${2%%[.[]*}" ] && echo '.')$2"
}

currentUser=tester
versionKey=CFBundleShortVersionString
DEBUG=0

# Prints label, name and value of variables, each with a separator behind it.
report() {
    local __label=$1 __name __end=$'\x1e'
    shift
    for __name in "$@"; do
        print -u3 -rn -- "$__label$__end$__name$__end${(j: :)${(P)__name}}$__end"
    done
}
