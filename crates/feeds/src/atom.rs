//! Atom (RFC 4287), with links to archives (RFC 5005).

use crate::{entry::Entry, feed::Feed, line::line, links::Links};

/// About as many bytes as an entry takes.
const ENTRY: usize = 700;

const TITLE_BYTES: usize = 300;

pub(crate) fn text(feed: &Feed, links: &Links) -> String {
    let mut xml = String::with_capacity(1000 + feed.entries.len() * ENTRY);
    xml.push_str("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    xml.push_str("<feed xmlns=\"http://www.w3.org/2005/Atom\"");
    if feed.current.is_some() {
        xml.push_str(" xmlns:fh=\"http://purl.org/syndication/history/1.0\"");
    }
    xml.push_str(">\n");
    element(&mut xml, "", "id", &feed.id());
    element(&mut xml, "", "title", &line(&feed.title, TITLE_BYTES));
    element(&mut xml, "", "updated", &feed.updated.to_string());
    xml.push_str("<author><name>appstitch</name></author>\n");
    if feed.current.is_some() {
        xml.push_str("<fh:archive/>\n");
    }
    let relations = [
        ("self", Some(&feed.path)),
        ("alternate", Some(&feed.about)),
        ("current", feed.current.as_ref()),
        ("prev-archive", feed.previous_archive.as_ref()),
    ];
    for (relation, path) in relations {
        if let Some(path) = path {
            link(&mut xml, "", relation, &links.reference(path));
        }
    }
    for entry in &feed.entries {
        self::entry(&mut xml, entry, links);
    }
    xml.push_str("</feed>\n");
    xml
}

fn entry(xml: &mut String, entry: &Entry, links: &Links) {
    xml.push_str("<entry>\n");
    element(xml, "  ", "id", &entry.id);
    element(xml, "  ", "title", &entry.title);
    element(xml, "  ", "updated", &entry.at.to_string());
    link(xml, "  ", "alternate", &links.reference(&entry.path));
    xml.push_str("  <category term=\"");
    push_escaped(xml, entry.category);
    xml.push_str("\"/>\n");
    element(xml, "  ", "summary", &entry.summary);
    xml.push_str("</entry>\n");
}

fn element(xml: &mut String, indent: &str, name: &str, text: &str) {
    xml.extend([indent, "<", name, ">"]);
    push_escaped(xml, text);
    xml.extend(["</", name, ">\n"]);
}

/// Without a type: many readers only open links to pages, and take one without a type for a page.
fn link(xml: &mut String, indent: &str, relation: &str, address: &str) {
    xml.extend([indent, "<link rel=\"", relation, "\" href=\""]);
    push_escaped(xml, address);
    xml.push_str("\"/>\n");
}

/// Writes a text for any place in a document. Characters that XML 1.0 forbids cannot be escaped, so
/// they are left out. A `>` is escaped as well: `]]>` must not be in a text.
fn push_escaped(xml: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\'' => xml.push_str("&#39;"),
            '\n' | '\t' | ' '..='\u{FFFD}' | '\u{10000}'.. => xml.push(character),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_forbids_is_left_out() {
        let mut xml = String::new();
        push_escaped(&mut xml, "a\u{0}b\u{b}c\u{fffe}d\u{ffff}e\rf\ng\u{fffd}h\u{1f600}");
        assert_eq!(xml, "abcdef\ng\u{fffd}h\u{1f600}");
    }

    #[test]
    fn markup_is_escaped() {
        let mut xml = String::new();
        push_escaped(&mut xml, "<b a=\"'\">&amp;]]></b>");
        assert_eq!(xml, "&lt;b a=&quot;&#39;&quot;&gt;&amp;amp;]]&gt;&lt;/b&gt;");
    }
}
