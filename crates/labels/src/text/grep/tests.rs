use crate::text::testing::{refused, run, text};

const HEADERS: &str = "HTTP/2 302\r\nLocation: https://example.com/App-1.2.3.dmg\r\nserver: x\r\n";

#[test]
fn lines_are_selected_by_basic_expressions() {
    let location = "Location: https://example.com/App-1.2.3.dmg\r\n";
    assert_eq!(text("grep", &["-i", "^location"], HEADERS), location);
    assert_eq!(text("grep", &["^location"], HEADERS), "");
    assert_eq!(run("grep", &["^location"], HEADERS).unwrap().status, 1);
    assert_eq!(text("grep", &["-v", "-e", "HTTP", "-e", "server"], HEADERS), location);
    assert_eq!(text("grep", &["-m1", ":"], HEADERS), location);
    assert_eq!(text("grep", &["-v", "--", "-rc\\|-beta"], "1-rc\n1\n2-beta\n"), "1\n");
    assert_eq!(text("grep", &["h3", "--max-count", "1"], "h3 a\nh3 b"), "h3 a\n");
}

#[test]
fn only_what_matches_is_printed_once_per_match() {
    assert_eq!(text("grep", &["-Eo", "[0-9]+(\\.[0-9]+)+"], "a 1.2 b 3.4.5\n6\n"), "1.2\n3.4.5\n");
    assert_eq!(text("grep", &["-o", "-e", "[0-9.]*"], "v1.2 and 3\n"), "1.2\n3\n");
    assert_eq!(text("grep", &["-oE", "\\d+-\\d+$"], "150-97\n150-97a"), "150-97\n");
    assert_eq!(text("grep", &["-o", "[0-9]\\+\\.[0-9]\\+"], "v10.4.x"), "10.4\n");
    let page = r#"<a href="a.dmg"><a href="b.dmg">"#;
    assert_eq!(text("grep", &["-Eo", "href=\".*?\""], page), "href=\"a.dmg\"\nhref=\"b.dmg\"\n");
    assert_eq!(text("grep", &["-o", "href=\".*\""], page), "href=\"a.dmg\"><a href=\"b.dmg\"\n");
}

#[test]
fn context_is_printed_with_separators() {
    let input = "a\nb\nX\nc\nd\ne\nX\nf\nX\n";
    assert_eq!(text("grep", &["-A1", "X"], input), "X\nc\n--\nX\nf\nX\n");
    assert_eq!(text("grep", &["-B", "1", "X"], input), "b\nX\n--\ne\nX\nf\nX\n");
    assert_eq!(text("grep", &["X", "-a1"], input), "b\nX\nc\n--\ne\nX\nf\nX\n");
    assert_eq!(text("grep", &["-2", "c"], input), "b\nX\nc\nd\ne\n");
    assert_eq!(text("grep", &["-A1", "-m1", "X"], input), "X\nc\n");
}

#[test]
fn options_are_combined() {
    assert_eq!(text("grep", &["-Eom1", "[0-9]+"], "1 2\n3"), "1\n2\n");
    assert_eq!(text("grep", &["-iF", "[stable]"], "x\n1 [Stable]\n"), "1 [Stable]\n");
    assert_eq!(text("grep", &["-c", "a"], "a\nb\na"), "2\n");
    assert_eq!(text("grep", &["-n", "b"], "a\nb"), "2:b\n");
    assert_eq!(run("grep", &["-q", "b"], "a\nb").unwrap().status, 0);
    assert_eq!(text("grep", &["-w", "1.2"], "1.21\n1.2"), "1.2\n");
    assert_eq!(text("grep", &["-x", "a\\|b"], "ab\nb"), "b\n");
    assert_eq!(text("egrep", &["-o", "(http|https)://[^ ]*"], "https://a b"), "https://a\n");
    assert_eq!(text("fgrep", &["a.b"], "axb\na.b"), "a.b\n");
}

#[test]
fn null_data_lets_a_pattern_span_lines() {
    let page = "<td>TIDAL</td>\n<td>2.38.6</td>\n<td>x</td>\n";
    let found = text("grep", &["-ozpEi", ">tidal<\\/td>\\n<td>(.*)<"], page);
    assert_eq!(found, ">TIDAL</td>\n<td>2.38.6<\0");
}

#[test]
fn a_call_without_a_pattern_fails() {
    let output = run("grep", &["-o"], "a\n").unwrap();
    assert_eq!((output.text.as_str(), output.status), ("", 2));
}

#[test]
fn what_is_not_known_is_refused() {
    assert_eq!(refused("grep", &["-P", "a"], ""), "grep: the option -P is not supported");
    assert_eq!(refused("grep", &["a", "/etc/hosts"], ""), "grep: reading a file is not supported");
    assert_eq!(
        refused("grep", &["-E", "(a)\\1"], ""),
        "grep: the pattern (a)\\1 (a back-reference) is not supported"
    );
}
