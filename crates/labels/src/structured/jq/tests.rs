use super::*;

fn print(arguments: &[&str], input: &str) -> Output {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    run(&arguments, input, &mut Budget::default()).unwrap()
}

const FEED: &str = r#"{"version": "1.2", "uris": ["a", "b"], "entries": [
    {"platform": "windows", "title": "W", "version": "1", "links": []},
    {"platform": "macos", "title": "App for macOS", "version": "2",
     "links": [{"rel": "x", "href": "no"}, {"rel": "enclosure", "href": "app.dmg"}]}],
    "articles": [{"id": 9, "name": "Hub", "body": "nine"}, {"id": 3, "name": "Hub", "body": "three"},
        {"id": 1, "name": "Other", "body": "one"}]}"#;

#[test]
fn programs_of_labels_run() {
    for (program, expected) in [
        (".version", "1.2\n"),
        (".uris[1]", "b\n"),
        (".uris[-1]", "b\n"),
        (".uris[5]", "null\n"),
        (".entries.[] | select(.platform == \"macos\") | .version", "2\n"),
        (
            ".entries.[] | select(.title == \"App for macOS\").links.[] | select(.rel == \"enclosure\").href",
            "app.dmg\n",
        ),
        (".articles|sort_by(.id)|map(select(.name==\"Hub\")).[].body", "three\nnine\n"),
        (".entries[] | select(.title | test(\"App .* mac[A-Z]+\")) | .title", "App for macOS\n"),
        (".entries[].links[]?.href", "no\napp.dmg\n"),
        (".\"version\"", "1.2\n"),
        (".[\"version\"]", "1.2\n"),
        ("[.entries[].version] | last", "2\n"),
        ("first(.entries[]) | .title", "W\n"),
        (".entries | length", "2\n"),
        (".missing // .version", "1.2\n"),
        (
            ".entries[] | select(.platform == \"macos\" and (.version | tonumber) >= 2 | not) | .title",
            "W\n",
        ),
        (".uris | join(\"-\")", "a-b\n"),
        (".version | split(\".\")[0]", "1\n"),
        (".uris, .version | length", "2\n3\n"),
        ("\"v\" + .version", "v1.2\n"),
        (".entries | map(.version) | sort | reverse | first", "2\n"),
    ] {
        assert_eq!(print(&["-r", program], FEED), Output::success(expected.into()), "{program}");
    }
}

#[test]
fn values_are_printed_as_json_unless_raw() {
    assert_eq!(print(&[".version"], FEED).text, "\"1.2\"\n");
    assert_eq!(
        print(&["."], "{\"a\": [1, 2.5, {}]}").text,
        "{\n  \"a\": [\n    1,\n    2.5,\n    {}\n  ]\n}\n"
    );
    assert_eq!(print(&["-c", "."], "{\"a\": [1]} [2]").text, "{\"a\":[1]}\n[2]\n");
}

#[test]
fn what_comes_before_an_error_is_printed() {
    let failed = print(&["-r", ".[] | .a"], "[{\"a\": 1}, \"text\", {\"a\": 2}]");
    assert_eq!(failed, Output { text: "1\n".into(), status: 5 });
    assert_eq!(print(&["-r", ".a"], "<html>"), Output::status(2));
    assert_eq!(print(&["-r", ".a"], ""), Output::default());
}

#[test]
fn the_exit_status_can_tell_the_last_value() {
    assert_eq!(print(&["-e", ".a"], "{}").status, 1);
    assert_eq!(print(&["-e", ".a"], "{\"a\": 0}").status, 0);
    assert_eq!(print(&["-re", "empty"], "{}").status, 4);
}

#[test]
fn other_programs_are_not_guessed() {
    for arguments in [
        &["def f: 1; f"][..],
        &["reduce .[] as $x (0; . + $x)"],
        &["{a}"],
        &[".. | .a"],
        &["\"\\(.a)\""],
        &["unknown(1)"],
        &["-n", "1"],
        &[".a", "file"],
        &[".a |= 1"],
        &["if . then 1 else 2 end"],
        &["test(\"(?=x)\")"],
        &["[1] + [2]"],
        &["1 - 1"],
        &["1 | length"],
        &["add"],
    ] {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let result = run(&arguments, "\"x\"", &mut Budget::default());
        assert!(matches!(result, Err(Stopped::Unsupported(_))), "{arguments:?}");
    }
}

#[test]
fn growing_and_deep_programs_stop() {
    let growing = "[.,.,.,.]|".repeat(40) + "length";
    let mut budget = Budget::new(1_000_000, 1 << 24, 0);
    assert!(matches!(run(&[growing], "1", &mut budget), Err(Stopped::TooMuch(_))));
    let deep = "(".repeat(10_000);
    assert!(matches!(run(&[deep], "1", &mut Budget::default()), Err(Stopped::TooMuch(_))));
    let nested = "[".repeat(10_000);
    assert!(matches!(
        run(&[".".into()], &nested, &mut Budget::default()),
        Err(Stopped::TooMuch(_))
    ));
}
