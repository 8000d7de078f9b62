use super::super::{failure::Failure, tree::Dialect, xml};
use super::*;
use crate::{Budget, Stopped};

const PLIST: &str = "<plist><array><dict><key>Title</key><string>App 2.0</string>\
    <key>Location</key><string>https://example.com/app-2.pkg</string></dict>\
    <dict><key>Title</key><string>App 1.0</string></dict></array></plist>";

const FEED: &str = r#"<rss xmlns:sparkle="http://example.com/s"><channel>
<item><sparkle:channel>beta</sparkle:channel><sparkle:shortVersionString>3.0b</sparkle:shortVersionString>
<enclosure url="https://example.com/3.zip"/></item>
<item><sparkle:shortVersionString>2.1</sparkle:shortVersionString>
<enclosure url="https://example.com/2.zip" xml:lang="en" sparkle:version="210"/></item></channel></rss>"#;

fn find(document: &str, expression: &str, dialect: Dialect) -> Result<String, Failure> {
    let mut budget = Budget::new(1_000_000, 1 << 20, 0);
    let options = xml::Options { dialect, drop_blanks: false };
    let document = xml::read(document, options, &mut budget)?.document;
    Ok(match evaluate(&document, expression, dialect, &mut budget)? {
        Value::Nodes(nodes) => {
            let texts: Vec<String> =
                nodes.iter().map(|node| document.string_value(*node)).collect();
            texts.join("|")
        }
        Value::Text(text) => text,
        Value::Number(number) => format_number(number),
        Value::Truth(truth) => truth.to_string(),
    })
}

fn libxml(document: &str, expression: &str) -> String {
    find(document, expression, Dialect::Libxml).unwrap()
}

#[test]
fn siblings_and_predicates_select_from_a_property_list() {
    let value = "//array/dict[1]/key[text()=\"Location\"]/following-sibling::string[1]/text()";
    assert_eq!(libxml(PLIST, value), "https://example.com/app-2.pkg");
    let titles = "//key[.='Title']/following-sibling::string[1]";
    assert_eq!(libxml(PLIST, titles), "App 2.0|App 1.0");
    let chosen =
        "string((//dict[key[text()='Title']/following-sibling::string[1]='App 1.0']/key)[1])";
    assert_eq!(libxml(PLIST, chosen), "Title");
    let both = "(//string[contains(text(), 'app') and not(contains(., '1'))])[1]/text()";
    assert_eq!(libxml(PLIST, both), "https://example.com/app-2.pkg");
}

#[test]
fn local_names_reach_prefixed_nodes() {
    let last =
        "string(//*[local-name()=\"item\"][last()]/*[local-name()=\"shortVersionString\"]/text())";
    assert_eq!(libxml(FEED, last), "2.1");
    let version = "string(//*[local-name()='enclosure']/@*[local-name()='version'])";
    assert_eq!(libxml(FEED, version), "210");
    let released = "string(//item[not(*[local-name()=\"channel\" and .=\"beta\"])]/enclosure/@url)";
    assert_eq!(libxml(FEED, released), "https://example.com/2.zip");
    assert_eq!(
        libxml(FEED, "string(//enclosure[@xml:lang=\"en\"]/@url)"),
        "https://example.com/2.zip"
    );
    assert_eq!(libxml(FEED, "name(//enclosure[2]/@*[3])"), "");
    assert_eq!(libxml(FEED, "name((//enclosure)[2]/@*[3])"), "sparkle:version");
}

#[test]
fn only_perl_knows_the_prefixes_of_the_document() {
    let expression = "//sparkle:shortVersionString";
    assert_eq!(find(FEED, expression, Dialect::Perl).as_deref(), Ok("3.0b|2.1"));
    assert_eq!(find(FEED, expression, Dialect::Libxml), Err(Failure::Refused));
    let undeclared = "<a><s:b>1</s:b></a>";
    assert_eq!(find(undeclared, "//s:b", Dialect::Perl).as_deref(), Ok(""));
}

#[test]
fn the_default_namespace_hides_names_from_libxml_only() {
    let atom = "<feed xmlns='http://example.com/atom'><title>1</title></feed>";
    assert_eq!(find(atom, "//title", Dialect::Perl).as_deref(), Ok("1"));
    assert_eq!(libxml(atom, "//title"), "");
    assert_eq!(libxml(atom, "//*[local-name()='title']"), "1");
}

#[test]
fn only_perl_forgives_missing_parentheses() {
    let expression = "string(//item[1]/enclosure/@url";
    assert_eq!(find(FEED, expression, Dialect::Perl).as_deref(), Ok("https://example.com/3.zip"));
    assert_eq!(find(FEED, expression, Dialect::Libxml), Err(Failure::Refused));
}

#[test]
fn functions_and_operators_work_on_texts_and_numbers() {
    for (expression, expected) in [
        ("substring-after(substring-before('a_1.2_b', '_b'), 'a_')", "1.2"),
        ("normalize-space('  a \n b ')", "a b"),
        ("concat('a', 1, true())", "a1true"),
        ("substring('12345', 2, 3)", "234"),
        ("substring('12345', 1.5, 2.6)", "234"),
        ("translate('v1-2', '-v', '.')", "1.2"),
        ("string-length('abc') * 2 - -1", "7"),
        ("7 mod 3 + 10 div 4", "3.5"),
        ("count(//item) >= 2 and not(false())", "true"),
        ("starts-with('abc', 'b') or 1 != 1", "false"),
        ("count(//item | //enclosure | //item)", "4"),
        ("string(//enclosure/@nothing)", ""),
        ("number('x')", "NaN"),
    ] {
        assert_eq!(libxml(FEED, expression), expected, "{expression}");
    }
}

#[test]
fn every_axis_counts_from_the_context() {
    let tree = "<a><b/><c><d/><e x='1'/></c><f/></a>";
    for (expression, expected) in [
        ("name(//d/ancestor::*[1])", "c"),
        ("name(//e/preceding-sibling::*[1])", "d"),
        ("name(//d/parent::node())", "c"),
        ("name(//d/..)", "c"),
        ("count(/a/descendant-or-self::*)", "6"),
        ("name(//@x/..)", "e"),
        ("count(//node())", "6"),
        ("name(/*)", "a"),
        ("count(//e/ancestor::node())", "3"),
    ] {
        assert_eq!(libxml(tree, expression), expected, "{expression}");
    }
    for expression in
        ["//e/preceding::*", "//e/ancestor-or-self::*", "//processing-instruction()", "round(1)"]
    {
        let result = find(tree, expression, Dialect::Libxml);
        assert!(
            matches!(result, Err(Failure::Stopped(Stopped::Unsupported(_)))),
            "{expression}: {result:?}"
        );
    }
}

#[test]
fn perl_searches_within_lines() {
    let expression = "substring-after('a=1\nb', '=')";
    assert_eq!(find("<a/>", expression, Dialect::Perl).as_deref(), Ok("1"));
    assert_eq!(libxml("<a/>", expression), "1\nb");
}

#[test]
fn depth_and_steps_are_bounded() {
    let deep = "(".repeat(10_000);
    let stopped = find("<a/>", &deep, Dialect::Perl);
    assert!(matches!(stopped, Err(Failure::Stopped(Stopped::TooMuch(_)))));
    let minus = "-".repeat(100_001) + "1";
    assert_eq!(find("<a/>", &minus, Dialect::Perl).as_deref(), Ok("-1"));
    let wide = format!("<a>{}</a>", "<b/>".repeat(5_000));
    let slow = "//b[count(//b[count(//b) > 1]) > 1]";
    let stopped = find(&wide, slow, Dialect::Libxml);
    assert!(matches!(stopped, Err(Failure::Stopped(Stopped::TooMuch(_)))));
    assert!(find("<a/>", "$x", Dialect::Perl).is_err());
}
