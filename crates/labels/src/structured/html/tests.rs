use super::*;

fn rewrite(text: &str, format: bool) -> String {
    let mut page = read(text, Options::default(), &mut Budget::default()).unwrap();
    let written = write(&mut page, format);
    let (_, body) = written.split_once(">\n").unwrap();
    body.to_owned()
}

#[test]
fn missing_elements_are_added() {
    assert_eq!(rewrite("text", false), "<html><body><p>text</p></body></html>\n");
    assert_eq!(rewrite("<p>a<b>c", false), "<html><body><p>a<b>c</b></p></body></html>\n");
    let titled = "<html>\n<head><title>x</title></head>\n<body><p>y</p></body>\n</html>\n";
    assert_eq!(rewrite("<title>x</title><p>y", false), titled);
}

#[test]
fn start_tags_end_what_cannot_contain_them() {
    let list = "<ul><li>1<li>2</ul><p>a<div>b</div>";
    let expected = "<html><body>\n<ul>\n<li>1</li>\n<li>2</li>\n</ul>\n<p>a</p>\n<div>b</div>\n</body></html>\n";
    assert_eq!(rewrite(list, false), expected);
}

#[test]
fn an_end_tag_does_not_leave_a_stronger_element() {
    let page = "<div><span>a<table><tr><td>b</span>c</td></tr></table></div>";
    let expected =
        "<html><body><div><span>a<table><tr><td>bc</td></tr></table></span></div></body></html>\n";
    assert_eq!(rewrite(page, false), expected);
}

#[test]
fn references_are_read_and_written() {
    let page = "<p>&lt;&copy;&#8364;&foo; & &nbsp</p>";
    assert_eq!(
        rewrite(page, false),
        "<html><body><p>&lt;&copy;&euro;&amp;foo; &amp; &amp;nbsp</p></body></html>\n"
    );
}

#[test]
fn addresses_are_escaped_and_bare_attributes_stay_bare() {
    let page = "<a href=\"x y&amp;z\" alt disabled checked=\"checked\" title=\"\">t</a>";
    let expected =
        "<html><body><a href=\"x%20y&amp;z\" alt disabled checked title=\"\">t</a></body></html>\n";
    assert_eq!(rewrite(page, false), expected);
}

#[test]
fn formatting_states_the_encoding() {
    let page = "<html>\n<head>\n<title>x</title>\n</head>\n<body>\n<ul>\n<li>1</li>\n</ul>\n\u{e9}</body>\n</html>\n";
    let expected = "<html>\n<head>\n\
        <meta http-equiv=\"Content-Type\" content=\"text/html; charset=UTF-8\">\n<title>x</title>\n\
        </head>\n<body>\n<ul>\n<li>1</li>\n</ul>\n&Atilde;&copy;</body>\n</html>\n";
    assert_eq!(rewrite(page, true), expected);
}

#[test]
fn scripts_keep_their_text() {
    let page = "<script>if (a < b && c) { x = '</b>'; }</script><p>y";
    let expected = "<html>\n<head><script>if (a < b && c) { x = ''; }</script></head>\n\
        <body><p>y</p></body>\n</html>\n";
    assert_eq!(rewrite(page, false), expected);
    let options = Options { recover: true };
    let page = read(page, options, &mut Budget::default()).unwrap();
    let text = page.document.string_value(Document::ROOT);
    assert_eq!(text, "if (a < b && c) { x = '</b>'; }y");
}

#[test]
fn deep_pages_stop() {
    let deep = "<div>".repeat(10_000);
    let result = read(&deep, Options::default(), &mut Budget::default());
    assert!(matches!(result, Err(Failure::Stopped(Stopped::TooMuch(_)))));
}

#[test]
fn broken_pages_do_not_stop_the_reader() {
    for page in [
        "<",
        "</",
        "<a",
        "<a href",
        "<a href=\"",
        "<!--",
        "<!",
        "<?",
        "<? >",
        "&",
        "&#",
        "&#x;",
        "</>",
        "<a/>",
        "<body/><body>",
        "<html><html>",
        "<!DOCTYPE",
        "<script>",
        "<script></",
        "<a \"'>",
        "\0",
        "<p\0>",
        "<br></br>",
        "</p>",
        "<a b=&amp>",
        "<!doctype html PUBLIC \"a",
        "<:a>",
        "<_>",
    ] {
        assert!(read(page, Options::default(), &mut Budget::default()).is_ok(), "{page}");
    }
}
