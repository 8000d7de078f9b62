//! Splits HTML into tags and text, in one pass and without a tree: a page from outside may have
//! millions of elements and any nesting.

use memchr::{memchr, memmem};

/// A piece of a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    /// A start tag with the value of its `headers` attribute, as written.
    Start {
        name: &'a str,
        headers: Option<&'a str>,
    },
    End {
        name: &'a str,
    },
}

/// The pieces of a page. Comments and declarations are left out.
pub(super) struct Pieces<'a> {
    rest: &'a str,
    /// How many drawings (`svg`, `math`) are open.
    drawings: u32,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        Self { rest: html, drawings: 0 }
    }

    /// Takes the bytes up to `end` from the rest.
    fn take(&mut self, end: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    /// Skips everything up to and including a text; without it, the whole rest.
    fn skip_past(&mut self, text: &str) {
        let found = memmem::find(self.rest.as_bytes(), text.as_bytes());
        self.take(found.map_or(self.rest.len(), |start| start + text.len()));
    }

    /// Reads a tag. Its name starts at the beginning of the rest.
    fn tag(&mut self) -> (&'a str, Option<&'a str>) {
        let name_end = self.rest.bytes().position(|byte| is_blank(byte) || b"/>".contains(&byte));
        let name = self.take(name_end.unwrap_or(self.rest.len()));
        let mut headers = None;
        loop {
            let start = self.rest.bytes().position(|byte| !is_blank(byte) && byte != b'/');
            self.take(start.unwrap_or(self.rest.len()));
            if self.rest.is_empty() {
                return (name, headers);
            }
            if self.rest.starts_with('>') {
                self.take(1);
                return (name, headers);
            }
            let (attribute, value) = self.attribute();
            if attribute.eq_ignore_ascii_case("headers") {
                headers = headers.or(Some(value));
            }
        }
    }

    fn attribute(&mut self) -> (&'a str, &'a str) {
        // An equals sign at the start belongs to the name.
        let ends = |byte: u8| is_blank(byte) || b"/>=".contains(&byte);
        let end = self.rest.bytes().skip(1).position(ends);
        let name = self.take(end.map_or(self.rest.len(), |end| end + 1));
        let blank = self.rest.bytes().take_while(|byte| is_blank(*byte)).count();
        if self.rest.as_bytes().get(blank) != Some(&b'=') {
            return (name, "");
        }
        self.take(blank + 1);
        let blank = self.rest.bytes().take_while(|byte| is_blank(*byte)).count();
        self.take(blank);
        let value = if let Some(quote @ (b'"' | b'\'')) = self.rest.as_bytes().first().copied() {
            self.take(1);
            let end = memchr(quote, self.rest.as_bytes());
            let value = self.take(end.unwrap_or(self.rest.len()));
            self.take(1);
            value
        } else {
            let end = self.rest.bytes().position(|byte| is_blank(byte) || byte == b'>');
            self.take(end.unwrap_or(self.rest.len()))
        };
        (name, value)
    }

    /// Skips the content of an element that has no tags inside.
    fn skip_raw(&mut self, name: &str) {
        while let Some(start) = memmem::find(self.rest.as_bytes(), b"</") {
            let after = &self.rest.as_bytes()[start + 2..];
            let is_end = after
                .get(..name.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
                && after
                    .get(name.len())
                    .is_some_and(|byte| is_blank(*byte) || b"/>".contains(byte));
            if is_end {
                self.take(start);
                return;
            }
            self.take(start + 2);
        }
        self.rest = "";
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            let bytes = self.rest.as_bytes();
            match bytes {
                [] => return None,
                [b'<', b'!', b'-', b'-', ..] => {
                    // `<!-->` is a whole comment.
                    self.take(2);
                    self.skip_past("-->");
                }
                [b'<', b'!' | b'?', ..] => self.skip_past(">"),
                [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                    self.take(2);
                    let (name, _) = self.tag();
                    if is_drawing(name) {
                        self.drawings = self.drawings.saturating_sub(1);
                    }
                    return Some(Piece::End { name });
                }
                [b'<', letter, ..] if letter.is_ascii_alphabetic() => {
                    self.take(1);
                    let (name, headers) = self.tag();
                    if is_drawing(name) {
                        self.drawings += 1;
                    }
                    // In drawings, `<title/>` and `<style/>` are elements like others.
                    if self.drawings == 0 && has_no_tags(name) {
                        self.skip_raw(name);
                    }
                    return Some(Piece::Start { name, headers });
                }
                [_, after @ ..] => {
                    // A bracket that starts no tag is text.
                    let end = memchr(b'<', after).map_or(bytes.len(), |end| end + 1);
                    return Some(Piece::Text(self.take(end)));
                }
            }
        }
    }
}

fn is_drawing(name: &str) -> bool {
    ["svg", "math"].iter().any(|drawing| name.eq_ignore_ascii_case(drawing))
}

fn has_no_tags(name: &str) -> bool {
    ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"]
        .iter()
        .any(|raw| name.eq_ignore_ascii_case(raw))
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::{Piece::*, *};

    fn pieces(html: &str) -> Vec<Piece<'_>> {
        Pieces::new(html).collect()
    }

    fn start<'a>(name: &'a str, headers: Option<&'a str>) -> Piece<'a> {
        Start { name, headers }
    }

    #[test]
    fn tags_and_text_are_found() {
        assert_eq!(
            pieces("a<b>c</b >d<br/>"),
            [
                Text("a"),
                start("b", None),
                Text("c"),
                End { name: "b" },
                Text("d"),
                start("br", None)
            ]
        );
        assert_eq!(pieces("1 < 2 <3"), [Text("1 "), Text("< 2 "), Text("<3")]);
        assert_eq!(pieces("a<!doctype x><!-- <b> --><?x?><!-->z"), [Text("a"), Text("z")]);
        assert_eq!(
            pieces("<script>if (a</b>) '<tr>'</SCRIPT>x"),
            [start("script", None), End { name: "SCRIPT" }, Text("x")]
        );
    }

    #[test]
    fn titles_and_styles_of_drawings_are_elements_like_others() {
        assert_eq!(
            pieces("<svg><title/></svg><tr><style>a</tr></style>"),
            [
                start("svg", None),
                start("title", None),
                End { name: "svg" },
                start("tr", None),
                start("style", None),
                End { name: "style" }
            ]
        );
    }

    #[test]
    fn the_first_headers_attribute_counts_in_every_spelling() {
        for tag in [
            r#"<td headers="a__1">"#,
            "<td headers='a__1'>",
            "<td a headers = a__1>",
            r#"<td class="x>y" HEADERS="a__1" headers="b"/>"#,
            r#"<td =x headers="a__1""#,
        ] {
            assert_eq!(pieces(tag), [start("td", Some("a__1"))], "{tag}");
        }
    }

    #[test]
    fn whatever_is_cut_ends() {
        let page = "<td headers=\"1\">a<!-- b --><script>c</script> é</td>";
        for end in 0..page.len() {
            if let Some(cut) = page.get(..end) {
                assert!(pieces(cut).len() < 8, "{cut}");
            }
        }
    }
}
