//! The fields of a form that a browser sends with a file (`multipart/form-data`).
//!
//! The body is in memory already, so a field is a range of it and nothing is copied. Everything else
//! that the format allows, such as nested parts, is rejected: no browser sends it.

use std::ops::Range;

use memchr::memmem;

const MOST_FIELDS: usize = 16;

/// The most bytes of the head of a field.
const LONGEST_HEAD: usize = 4 << 10;

/// The most bytes of the line that separates fields, as the format has it.
const LONGEST_BOUNDARY: usize = 70;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    /// Where its value is in the body.
    pub(super) value: Range<usize>,
}

/// Why a body is not a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormFault {
    NotAForm,
    Incomplete,
    TooManyFields,
    Nameless,
}

impl std::fmt::Display for FormFault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::NotAForm => {
                "The request is not a form. Use the form of this page, or send the list itself to /inventory/check."
            }
            Self::Incomplete => "The form is incomplete. Send it again.",
            Self::TooManyFields => "The form has too many fields. Use the form of this page.",
            Self::Nameless => "A field of the form has no name. Use the form of this page.",
        })
    }
}

pub(super) fn read_form(content_type: &str, body: &[u8]) -> Result<Vec<Field>, FormFault> {
    let boundary = boundary(content_type).ok_or(FormFault::NotAForm)?;
    let line = [b"\r\n--", boundary.as_bytes()].concat();
    let finder = memmem::Finder::new(&line);
    // The first line has no line break before it.
    let first = &line[2..];
    let start = if body.starts_with(first) {
        first.len()
    } else {
        finder.find(body).ok_or(FormFault::Incomplete)? + line.len()
    };
    let mut fields = Vec::new();
    let mut offset = start;
    loop {
        let rest = &body[offset..];
        if rest.starts_with(b"--") {
            return Ok(fields);
        }
        if fields.len() >= MOST_FIELDS {
            return Err(FormFault::TooManyFields);
        }
        let rest = rest.strip_prefix(b"\r\n").ok_or(FormFault::Incomplete)?;
        offset += 2;
        let head = &rest[..rest.len().min(LONGEST_HEAD)];
        let head_end = memmem::find(head, b"\r\n\r\n").ok_or(FormFault::Incomplete)?;
        let name = name(&head[..head_end]).ok_or(FormFault::Nameless)?;
        let value = offset + head_end + 4;
        // An empty value ends right where its head does, so the line break may belong to both.
        let from = value - 2;
        let length = finder.find(&body[from..]).ok_or(FormFault::Incomplete)?;
        let end = from + length;
        fields.push(Field { name, value: value..end.max(value) });
        offset = end + line.len();
    }
}

/// The line between fields, without its dashes.
fn boundary(content_type: &str) -> Option<&str> {
    let mut parts = content_type.split(';').map(str::trim);
    if !parts.next()?.eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let is_boundary = |name: &str| name.trim().eq_ignore_ascii_case("boundary");
    let boundary = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        is_boundary(name).then(|| value.trim().trim_matches('"'))
    })?;
    (1..=LONGEST_BOUNDARY).contains(&boundary.len()).then_some(boundary)
}

fn name(head: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(head);
    let disposition = head.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
    })?;
    // A file name may hold anything, but not a quote, so the first match is the name.
    let (_, rest) = disposition.split_once(" name=\"")?;
    rest.split_once('"').map(|(name, _)| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: &str = "multipart/form-data; boundary=----x";

    fn read(body: &str) -> Result<Vec<(String, String)>, FormFault> {
        let fields = read_form(KIND, body.as_bytes())?;
        Ok(fields.into_iter().map(|field| (field.name, body[field.value].to_owned())).collect())
    }

    fn field(name: &str, value: &str) -> String {
        format!("------x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    }

    #[test]
    fn fields_are_found_whatever_they_hold() {
        for values in [
            vec![("list", "a,b\r\nc,d")],
            vec![("file", ""), ("list", "x"), ("q", "")],
            vec![("list", "\r\n\r\n--\r\n-----x\r\n"), ("q", "------y")],
        ] {
            let body: String = values.iter().map(|(name, value)| field(name, value)).collect();
            let expected: Vec<(String, String)> =
                values.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
            assert_eq!(read(&format!("{body}------x--\r\n")), Ok(expected.clone()));
            assert_eq!(read(&format!("preamble\r\n{body}------x--")), Ok(expected));
        }
        let file = "------x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a name=.json\"\r\nContent-Type: application/json\r\n\r\n[]\r\n------x--";
        assert_eq!(read(file), Ok(vec![("file".to_owned(), "[]".to_owned())]));
        assert_eq!(read("------x--\r\n"), Ok(Vec::new()));
    }

    #[test]
    fn what_is_not_a_form_is_rejected() {
        for (body, fault) in [
            (String::new(), FormFault::Incomplete),
            ("hello".to_owned(), FormFault::Incomplete),
            ("------x".to_owned(), FormFault::Incomplete),
            ("------x\r\n".to_owned(), FormFault::Incomplete),
            ("------x\r\n\r\n\r\n------x--".to_owned(), FormFault::Nameless),
            ("------x\r\nA: b\r\n\r\nvalue\r\n------x--".to_owned(), FormFault::Nameless),
            (field("a", "b"), FormFault::Incomplete),
            (field("a", "b").repeat(17) + "------x--", FormFault::TooManyFields),
            (format!("------x\r\nA: {}\r\n\r\n", "b".repeat(5000)), FormFault::Incomplete),
        ] {
            assert_eq!(read(&body), Err(fault), "{body}");
        }
        for kind in [
            "",
            "text/plain",
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "multipart/mixed; boundary=x",
            &format!("multipart/form-data; boundary={}", "x".repeat(71)),
        ] {
            assert_eq!(read_form(kind, b"--x--"), Err(FormFault::NotAForm), "{kind}");
        }
        assert_eq!(read_form("Multipart/Form-Data; Boundary=\"x\"", b"--x--"), Ok(Vec::new()));
    }
}
