//! What cannot be known from a label's text is null, and what can is what zsh would give.

use serde_json::json;

use super::*;

fn is_unknown(text: &str) -> bool {
    let raw = raw(text);
    raw[LabelToolSource::RESOLVED].get("x") == Some(&Value::Null)
}

#[test]
fn the_outcome_of_a_request_is_unknown_and_so_is_what_depends_on_it() {
    for text in [
        "v=$(curl https://example.com) && x=1",
        "v=$(curl https://example.com) || x=1",
        "v=$(curl https://example.com | head -1) && x=1",
        "curl https://example.com && x=1",
        "v=a$(curl https://example.com)$(false) && x=1",
        "x=1\nv=$(curl https://example.com)\n[[ -z $v ]] && x=2",
        "x=1\nif [[ -z $(curl https://example.com) ]]; then\nx=2\nfi",
        "x=1\ncase $(curl https://example.com) in\n'') x=2 ;;\nesac",
        "x=1\nfor i in $(curl https://example.com); do x=2; done",
        "x=1\nuntil curl https://example.com; do x=2; done",
        "set_x() { x=2 }\nx=1\nif curl https://example.com; then set_x; fi",
        "x=1\nif curl https://example.com; then eval \"$v\"; fi",
        "v=$(curl https://example.com)\nx=1\neval \"$v\"",
        "x=1\n[[ $INSTALL == force ]] && x=2",
        "x=1\nif [[ ! -d /Applications/A.app ]]; then x=2; fi",
    ] {
        assert!(is_unknown(text), "{text}: {}", raw(text));
    }
}

#[test]
fn an_empty_answer_is_never_assumed() {
    for text in [
        "v=$(curl https://example.com)\nx=\"https://example.com/$v.dmg\"",
        "v=$(curl https://example.com)\nx=${v:-1}",
        "v=$(curl https://example.com)\nx=a\nx+=$v",
        "v=$(curl https://example.com)\nx=( a $v )",
        "x=$(v=$(curl https://example.com); echo a$v)",
        "x=$(if curl https://example.com; then exit; fi; echo a)",
        "x=${#INSTALL}",
        "x=$(( INSTALL + 1 ))",
        "x=$([[ $(arch) == arm64 ]] && echo \"a$v\" || echo \"b$v\")",
    ] {
        assert_eq!(resolved(text, "x"), Value::Null, "{text}");
    }
    let text = "v=$(curl https://example.com)\nx=$([[ $(arch) == arm64 ]] && echo a$v || echo b$v)";
    assert_eq!(raw(text).get(LabelToolSource::RESOLVED_INTEL), None, "unknown on both");
}

#[test]
fn filters_give_what_they_give_on_a_mac() {
    let lines = "v=\"a.1\nb\nc.3\nd.4\"\n";
    for (command, value) in [
        ("tail -n +2", "b\nc.3\nd.4"),
        ("tail -n 1", "d.4"),
        ("cut -s -d . -f 2", "1\n3\n4"),
        ("cut -d . -f 2", "1\nb\n3\n4"),
    ] {
        let text = format!("{lines}x=$(echo \"$v\" | {command})");
        assert_eq!(resolved(&text, "x"), value, "{command}");
    }
}

#[test]
fn literals_have_no_escapes() {
    let raw = raw(r#"
    a="say \"hi\""
    b=https://example.com/\?file=1
    c="\$5"
    d=( one\ two "t\"hree" )
    e="${a}!"
    "#);
    assert_eq!(raw["a"], "say \"hi\"");
    assert_eq!(raw["b"], "https://example.com/?file=1");
    assert_eq!(raw["c"], "$5");
    assert_eq!(raw["d"], json!(["one two", "t\"hree"]));
    assert_eq!(raw[LabelToolSource::RESOLVED], json!({"e": "say \"hi\"!"}));
}

#[test]
fn lists_stay_lists() {
    let text = "v=1\nx=( \"a b\" $v )\ny=\"$v $v\"\nx+=( c )";
    assert_eq!(raw(text)[LabelToolSource::RESOLVED], json!({"x": ["a b", "1", "c"], "y": "1 1"}));
}

#[test]
fn a_label_that_ends_itself_has_no_download_there() {
    let first = "downloadURL=https://e.com/a.dmg\nappNewVersion=1.0\n";
    let last = "\nexpectedTeamID=ABCDE12345";
    let ends = |architecture: &str| {
        format!("{first}if [[ $(arch) == {architecture} ]]; then\nexit 1\nfi{last}")
    };
    let intel = raw(&ends("i386"));
    assert_eq!(
        intel[LabelToolSource::RESOLVED_INTEL],
        json!({"downloadURL": null, "appNewVersion": null})
    );
    assert_eq!(intel.get(LabelToolSource::RESOLVED), None);
    let silicon = raw(&ends("arm64"));
    assert_eq!(
        silicon[LabelToolSource::RESOLVED],
        json!({"downloadURL": null, "appNewVersion": null})
    );
    // Whether it ends depends on who runs it.
    let perhaps = format!("{first}if [[ -z $server ]]; then\nx=1\ncleanupAndExit 1\nfi{last}");
    assert_eq!(raw(&perhaps)[LabelToolSource::RESOLVED], json!({"x": null}));
}
