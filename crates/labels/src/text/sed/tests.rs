use crate::text::testing::{refused, text};

fn sed(arguments: &[&str], input: &str) -> String {
    text("sed", arguments, input)
}

#[test]
fn versions_are_cut_out_by_groups() {
    let url = "https://example.com/dl/App-1.2.3.dmg\n";
    assert_eq!(sed(&["-E", r"s/.*\/[a-zA-Z]*-([0-9.]*)\..*/\1/g"], url), "1.2.3\n");
    assert_eq!(sed(&[r"s/.*-\([0-9\.][0-9\.]*\).*/\1/"], url), "1.2.3.\n");
    assert_eq!(sed(&["-r", "s|.*/([^/]+)$|<\\1 & >|"], "a/b"), "<b a/b >");
    assert_eq!(sed(&[r"s#.*-\(\)#\1#"], "a-b-1.2\n"), "1.2\n");
    let fader = r"s/.*Fader \([0-9]\)\.\([0-9]\).*/\1_\2_/p";
    assert_eq!(sed(&["-n", fader], "x\nFader 4.5\n"), "4_5_\n");
    let libericajdk = r#"s/.*"version":"\{0,1\}\([^,"]*\)"\{0,1\}.*/\1/"#;
    assert_eq!(sed(&[libericajdk], r#"{"version":"17.0.1","a":1}"#), "17.0.1");
    let reaper = r"s/[^0-9]*\(\([0-9]\.\)\{0,4\}[0-9][^.]\).*/\1/p";
    assert_eq!(sed(&["-ne", reaper], "DOWNLOAD REAPER 7.79 now\n"), "7.79\n");
}

#[test]
fn escapes_are_a_mac_s() {
    assert_eq!(sed(&[r"s|.*Kit \(.*\)\<.*|\1|"], "<h1>Kit 17.0.1</h1>"), "17.0.1");
    assert_eq!(sed(&["-E", r"s/.*Clue*([0-9.]*)\F.*/\1/g"], "x/Clue7.1Full.dmg"), "7.1");
    assert_eq!(sed(&["-E", r"s/\d//"], "d5"), "5");
    assert_eq!(sed(&[r"s/\&quot\;/\n/g"], "a&quot;b"), "a\nb");
    assert_eq!(sed(&[r"s/&amp;/\&/g"], "a&amp;b"), "a&b");
    assert_eq!(sed(&["s/a/x\\\ny/"], "a"), "x\ny");
    assert_eq!(sed(&[r"s/[\n]/x/g"], "n\\"), "xx");
}

#[test]
fn flags_choose_what_is_replaced() {
    assert_eq!(sed(&["s/a/b/g"], "aab"), "bbb");
    assert_eq!(sed(&[r"s/\.[^.]*//3"], "1.2.3.4\n"), "1.2.3\n");
    assert_eq!(sed(&["s/./&./1"], "12\n"), "1.2\n");
    assert_eq!(sed(&["s/x*/-/g"], "abxc"), "-a-b-c-");
    assert_eq!(sed(&["s/EXPRESS_//i; s/_release.*//"], "express_1.2_release\n"), "1.2\n");
    assert_eq!(sed(&["-E", "s/.*EID_|.dmg//g"], "x/EID_1.2.dmg\n"), "1.2\n");
}

#[test]
fn delimiters_are_free() {
    assert_eq!(sed(&["s~https://e/~~;s/b-//;s/\\.dmg//"], "https://e/b-1.dmg"), "1");
    assert_eq!(sed(&["s:.*>\\(.*\\)<.*:\\1:"], "<a>1</a>"), "1");
    assert_eq!(sed(&["s|^|https://e/|"], "x\n"), "https://e/x\n");
    assert_eq!(sed(&["s/[^/]*$//"], "a/b/c\n"), "a/b/\n");
    assert_eq!(sed(&["s,a\\,b,c,"], "a,b"), "c");
}

#[test]
fn addresses_choose_lines() {
    let input = "1\n2\n3\n4\n";
    assert_eq!(sed(&["-n", "2p"], input), "2\n");
    assert_eq!(sed(&["-n", "$p"], input), "4\n");
    assert_eq!(sed(&["2,3d"], input), "1\n4\n");
    assert_eq!(sed(&["-n", "/2/,/3/p"], input), "2\n3\n");
    assert_eq!(sed(&["-n", "/3/,$p"], input), "3\n4\n");
    assert_eq!(sed(&["3q"], input), "1\n2\n3\n");
    assert_eq!(sed(&["-r", "/filename=/!d;s/.*filename=(.*)$/\\1/"], "a\nfilename=b\n"), "b\n");
    assert_eq!(sed(&["-e", "s/a//", "-e", "/^$/ d"], "a\nb\n"), "b\n");
    assert_eq!(sed(&["3,1d"], input), "1\n2\n4\n");
}

#[test]
fn other_commands_work() {
    assert_eq!(sed(&["-n", "/a/{n;p;}"], "a\nb\nc\n"), "b\n");
    assert_eq!(sed(&["-n", "/a/{\ns/a/x/\np\n}"], "a\nb\n"), "x\n");
    assert_eq!(sed(&["N;s/\\n/ /"], "a\nb\nc\n"), "a b\n");
    assert_eq!(sed(&["-e", ":a", "-e", "s/^x//", "-e", "ta"], "xxy\n"), "y\n");
    assert_eq!(sed(&["-e", ":a", "-e", "N;$!ba", "-e", "s/\\n/,/g"], "a\nb\nc\n"), "a,b,c\n");
    assert_eq!(sed(&["s/b/x/;s//y/g"], "bb\n"), "xy\n");
}

#[test]
fn the_last_line_keeps_its_end_and_carriage_returns_stay() {
    assert_eq!(sed(&["s/a/b/"], "a\r\na"), "b\r\nb");
    assert_eq!(sed(&["s/.$//"], "1.2\r\n"), "1.2\n");
}

#[test]
fn what_a_mac_rejects_is_refused() {
    assert_eq!(
        refused("sed", &["s/a/b"], ""),
        "sed: a replacement without an end is not supported"
    );
    assert_eq!(refused("sed", &["s/a/\\1/"], ""), "sed: \\1 without such a group is not supported");
    assert_eq!(refused("sed", &["/a/{p}"], ""), "sed: text behind the command p is not supported");
    assert_eq!(refused("sed", &["-i", "s/a/b/"], ""), "sed: the option -i is not supported");
    for command in ["w x", "y/a/b/", "a\\\nx", "G", "x", "D", "="] {
        let reason = format!("sed: the command {} is not supported", &command[..1]);
        assert_eq!(refused("sed", &[command], ""), reason);
    }
    assert_eq!(refused("sed", &["1,+1d"], ""), "sed: a range without an end is not supported");
}

#[test]
fn an_endless_script_is_stopped() {
    let mut budget = crate::Budget::new(1000, 1000, 0);
    assert!(super::run(&[":a;ba".to_owned()], "x", &mut budget).is_err());
}
