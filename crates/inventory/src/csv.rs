//! Tables for spreadsheets as CSV, such as the results of a check.

use appstitch_types::{
    Uri,
    inventory::{Confidence, MatchedBy},
};

use crate::check::CheckedRow;

pub const HEADER: &str = "host,name,bundle_id,path,verdict,slug,slugs,installed_version,\
                          newest_version,download_url,matched_by,confidence,rule,did_you_mean,deprecated\r\n";

/// Lists are separated by blanks.
pub fn write_row<'a>(line: &mut Vec<u8>, app: impl Into<CheckedRow<'a>>) {
    let app = app.into();
    let slugs = app.slugs.join(" ");
    let did_you_mean = app.did_you_mean.join(" ");
    let cells = [
        app.host,
        app.name,
        app.bundle_id,
        app.path,
        Some(app.verdict.word()),
        app.slug,
        Some(slugs.as_str()),
        app.installed_version,
        app.newest_version,
        app.download_url.map(Uri::as_str),
        app.matched_by.map(MatchedBy::word),
        app.confidence.map(Confidence::word),
        Some(app.rule.word()),
        Some(did_you_mean.as_str()),
        app.slug.map(|_| if app.deprecated { "true" } else { "false" }),
    ];
    write_line(line, cells);
}

/// A missing cell is empty. No cell is read as a formula.
pub fn write_line<'a>(line: &mut Vec<u8>, cells: impl IntoIterator<Item = Option<&'a str>>) {
    for (number, cell) in cells.into_iter().enumerate() {
        if number > 0 {
            line.push(b',');
        }
        write_cell(line, cell.unwrap_or_default());
    }
    line.extend_from_slice(b"\r\n");
}

/// A spreadsheet runs a cell that begins like a formula, and anyone can write an inventory. An
/// apostrophe makes the cell a text.
fn write_cell(line: &mut Vec<u8>, text: &str) {
    let is_formula =
        text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    // Looks at all bytes, because a loop that stops at the first one is slower for short texts.
    let is_quoted = text.bytes().fold(false, |is_quoted, byte| {
        is_quoted | matches!(byte, b',' | b';' | b'"' | b'\r' | b'\n' | b'\t')
    });
    if is_quoted {
        line.push(b'"');
    }
    if is_formula {
        line.push(b'\'');
    }
    if is_quoted {
        line.extend_from_slice(text.replace('"', "\"\"").as_bytes());
        line.push(b'"');
    } else {
        line.extend_from_slice(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> String {
        let mut line = Vec::new();
        write_cell(&mut line, text);
        String::from_utf8(line).unwrap()
    }

    #[test]
    fn cells_are_quoted_and_never_formulas() {
        for (text, expected) in [
            ("Firefox.app", "Firefox.app"),
            ("Say \"Hi\", Tool", "\"Say \"\"Hi\"\", Tool\""),
            ("=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\""),
            ("@SUM(1)", "'@SUM(1)"),
            ("-1+2", "'-1+2"),
            ("\tx", "\"'\tx\""),
        ] {
            assert_eq!(cell(text), expected);
        }
    }
}
