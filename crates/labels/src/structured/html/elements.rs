//! What libxml2 knows of the elements of HTML 4. Newer elements are unknown to it: they have no rules.

/// Known elements with content that get separate lines when a page is written.
#[rustfmt::skip]
const BLOCKS: [&str; 42] = [
    "address", "blockquote", "body", "caption", "center", "colgroup", "dd", "dir", "div", "dl", "dt",
    "fieldset", "form", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "html", "legend", "li",
    "menu", "noframes", "noscript", "ol", "optgroup", "option", "p", "pre", "style", "table", "tbody",
    "td", "tfoot", "th", "thead", "title", "tr", "ul",
];

#[rustfmt::skip]
const EMPTY: [&str; 13] = [
    "area", "base", "basefont", "br", "col", "frame", "hr", "img", "input", "isindex", "link", "meta",
    "param",
];

/// Elements in which white space between tags is text.
#[rustfmt::skip]
const TEXT: [&str; 53] = [
    "a", "abbr", "acronym", "address", "applet", "b", "bdo", "big", "blockquote", "body", "button",
    "caption", "center", "cite", "code", "dd", "del", "dfn", "div", "dt", "em", "font", "form", "h1",
    "h2", "h3", "h4", "h5", "h6", "i", "iframe", "ins", "kbd", "label", "legend", "li", "noframes",
    "noscript", "object", "p", "pre", "q", "s", "samp", "small", "span", "strike", "strong", "td", "th",
    "tt", "u", "var",
];

/// Attributes whose presence is their value.
#[rustfmt::skip]
const BOOLEAN: [&str; 13] = [
    "checked", "compact", "declare", "defer", "disabled", "ismap", "multiple", "nohref", "noresize",
    "noshade", "nowrap", "readonly", "selected",
];

/// The name at the beginning of a text, in lower case; empty if none is there.
pub(super) fn name_of(text: &str) -> String {
    let starts = |first: u8| first.is_ascii_alphabetic() || matches!(first, b'_' | b':' | b'.');
    if !text.bytes().next().is_some_and(starts) {
        return String::new();
    }
    let part =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'_' | b'.');
    let length = text.bytes().take_while(part).count();
    text.get(..length).unwrap_or_default().to_ascii_lowercase()
}

pub(super) fn is_empty(name: &str) -> bool {
    EMPTY.contains(&name)
}

pub(super) fn is_block(name: &str) -> bool {
    let is_inline = matches!(name, "basefont" | "br" | "img" | "input");
    BLOCKS.contains(&name) || EMPTY.contains(&name) && !is_inline
}

/// Whether white space between tags counts inside or after an element.
pub(super) fn allows_text(name: &str) -> bool {
    TEXT.contains(&name)
}

pub(super) fn is_boolean(name: &str) -> bool {
    BOOLEAN.iter().any(|candidate| candidate.eq_ignore_ascii_case(name))
}

/// An end tag closes other elements up to its own, but none with a higher rank.
pub(super) fn rank(name: &str) -> u8 {
    match name {
        "div" => 150,
        "td" | "th" => 160,
        "tr" => 170,
        "thead" | "tbody" | "tfoot" => 180,
        "table" => 190,
        "head" | "body" => 200,
        "html" => 220,
        _ => 100,
    }
}

/// Whether the start of an element ends the open one.
pub(super) fn closes(open: &str, start: &str) -> bool {
    match open {
        "a" => matches!(start, "a" | "fieldset" | "table" | "td" | "th"),
        "address" => matches!(start, "dd" | "dl" | "dt" | "form" | "li" | "ul"),
        "b" | "i" => matches!(start, "center" | "p" | "td" | "th"),
        "big" | "s" | "small" | "strike" | "tt" => start == "p",
        "caption" | "col" => {
            matches!(start, "col" | "colgroup" | "tbody" | "tfoot" | "thead" | "tr")
        }
        "colgroup" => matches!(start, "colgroup" | "tbody" | "tfoot" | "thead" | "tr"),
        "dd" => start == "dt",
        "dir" | "menu" => matches!(start, "dd" | "dl" | "dt" | "form" | "ul"),
        "dl" => matches!(start, "form" | "li"),
        "dt" => matches!(start, "dd" | "dl"),
        "font" => matches!(start, "center" | "td" | "th"),
        "form" | "hr" => start == "form",
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            matches!(start, "fieldset" | "form" | "li" | "p" | "table")
        }
        "head" => ends_head(start),
        "legend" => start == "fieldset",
        "li" => start == "li",
        "link" | "style" | "title" => matches!(start, "body" | "frameset"),
        "listing" | "pre" | "xmp" => {
            matches!(start, "dd" | "dl" | "dt" | "fieldset" | "form" | "li" | "table" | "ul")
        }
        "ol" => matches!(start, "form" | "ul"),
        "option" => matches!(start, "optgroup" | "option"),
        "p" => ends_paragraph(start),
        "script" => start == "noscript",
        "span" => matches!(start, "td" | "th"),
        "tbody" => matches!(start, "tbody" | "tfoot"),
        "td" | "th" => matches!(start, "tbody" | "td" | "tfoot" | "th" | "tr"),
        "tfoot" => start == "tbody",
        "thead" => matches!(start, "tbody" | "tfoot"),
        "tr" => matches!(start, "tbody" | "tfoot" | "tr"),
        "u" => matches!(start, "p" | "td" | "th"),
        "ul" => matches!(start, "address" | "form" | "menu" | "ol" | "pre"),
        _ => false,
    }
}

#[rustfmt::skip]
fn ends_head(start: &str) -> bool {
    matches!(
        start,
        "a" | "abbr" | "acronym" | "address" | "b" | "bdo" | "big" | "blockquote" | "body" | "br"
            | "center" | "cite" | "code" | "dd" | "dfn" | "dir" | "div" | "dl" | "dt" | "em"
            | "fieldset" | "font" | "form" | "frameset" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"
            | "hr" | "i" | "iframe" | "img" | "kbd" | "li" | "listing" | "map" | "menu" | "ol" | "p"
            | "pre" | "q" | "s" | "samp" | "small" | "span" | "strike" | "strong" | "sub" | "sup"
            | "table" | "tt" | "u" | "ul" | "var" | "xmp"
    )
}

#[rustfmt::skip]
fn ends_paragraph(start: &str) -> bool {
    matches!(
        start,
        "address" | "blockquote" | "body" | "caption" | "center" | "col" | "colgroup" | "dd" | "dir"
            | "div" | "dl" | "dt" | "fieldset" | "form" | "frameset" | "h1" | "h2" | "h3" | "h4"
            | "h5" | "h6" | "head" | "hr" | "li" | "listing" | "menu" | "ol" | "p" | "pre" | "table"
            | "tbody" | "td" | "tfoot" | "th" | "title" | "tr" | "ul" | "xmp"
    )
}
