//! Made-up HTTP responses.

use crate::{Chance, mutated};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

const JSON: &str = r#"{"tag_name": "v1.2.3", "version": "1.2", "data": [{"n": 7, "lts": false,
 "url": "https://example.com/App-1.2.dmg"}, {"n": 8.5, "lts": "x"}], "assets":
 [{"browser_download_url": "https://example.com/a/App.dmg", "size": 1e3}], "é\n": null}"#;

const XML: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?><!DOCTYPE rss [<!ELEMENT a ANY>]>\
<rss xmlns:sparkle=\"http://example.com/s\"><channel><item><title>Version 1.2 &amp; more</title>\
<enclosure url=\"https://example.com/App.zip\" sparkle:version=\"12\"/></item><item>\
<title><![CDATA[1.1]]></title><!-- c --><pubDate>x</pubDate></item></channel></rss>";

const PLIST: &str = "<?xml version=\"1.0\"?><!DOCTYPE plist PUBLIC \"-//x//EN\" \"x.dtd\">\
<plist version=\"1.0\"><dict><key>version</key><string>1.2</string><key>list</key><array>\
<integer>3</integer><real>1.5</real><true/><date>2026</date></array></dict></plist>";

const HTML: &str = "<!DOCTYPE html><html><head><meta charset=utf-8><title>App &copy;</title>\
<script>var v = \"<b>1.2</b>\";</script></head><body><div id=x class='a b'><p>Version 1.2.3<br>\
<a href=\"/App-1.2.3.dmg\">Get &nbsp; it</a><ul><li>one<li>two</ul><table><tr><td>1<td>2</table>\
<input disabled><p>&#x41;&#9999999;</div></body></html>";

const LINES: &str = "version: 1.2.3\nfile,size,sha\nApp-1.2.3-arm64.dmg\t1024\r\n  path: a/b\n\n\
releaseDate: '2026-08-01'\n\"quoted\" 'text' \\escaped\nlast";

pub fn responses(chance: &mut Chance) -> Vec<Response> {
    (0..=chance.below(5)).map(|_| response(chance)).collect()
}

fn response(chance: &mut Chance) -> Response {
    let statuses = [200, 200, 200, 200, 301, 302, 307, 404, 403, 500, 0, 999];
    let status = statuses.get(chance.below(statuses.len())).copied().unwrap_or(200);
    let mut headers = Vec::new();
    if (300..400).contains(&status) || chance.once_in(6) {
        let targets = [
            "https://example.com/owner/app/releases/tag/v1.2.3",
            "/other",
            "../a b",
            "?q=1",
            "//example.com:99999/x",
            "",
            "https://",
            "file:///etc/passwd",
            "https://example.com/[1-9]{a,b}",
        ];
        headers.push(("location".to_owned(), mutated_at_times(chance.pick(&targets), chance)));
    }
    if chance.once_in(3) {
        headers.push(("Content-Type".to_owned(), mutated_at_times("text/html", chance)));
    }
    Response { status, headers, body: body(chance) }
}

fn mutated_at_times(text: &str, chance: &mut Chance) -> String {
    if chance.once_in(3) { mutated(text, chance) } else { text.to_owned() }
}

fn body(chance: &mut Chance) -> String {
    match chance.below(12) {
        0 => (0..chance.below(300)).map(|_| chance.character()).collect(),
        1 => nested(chance),
        2 => {
            let line =
                chance.pick(&["a b c\n", "1.2.3\n", "\n", "{\"a\":1}", "<a x='1'/>", "&amp;"]);
            line.repeat(1 + chance.below(3000))
        }
        _ => {
            let text = chance.pick(&[JSON, XML, PLIST, HTML, LINES]);
            mutated_at_times(text, chance)
        }
    }
}

fn nested(chance: &mut Chance) -> String {
    let depth = if chance.once_in(3) { chance.below(5000) } else { chance.below(300) };
    let (open, close) = match chance.below(5) {
        0 => ("[", "]"),
        1 => ("{\"a\":", "}"),
        2 => ("<div><p>", "</div>"),
        3 => ("<a><b c='1'>", "</b></a>"),
        _ => ("<dict><key>a</key>", "</dict>"),
    };
    let closed = if chance.once_in(2) { depth } else { chance.below(depth + 1) };
    format!("{}1{}", open.repeat(depth), close.repeat(closed))
}
