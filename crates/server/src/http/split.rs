//! Cutting short texts apart.

/// A text up to the first such byte, which is an ASCII one, and what is behind it. A plain loop is
/// through with a path or a query before a search that is made for long texts has begun.
pub(crate) fn split_first(text: &str, byte: u8) -> (&str, Option<&str>) {
    match text.bytes().position(|found| found == byte) {
        Some(position) => (&text[..position], Some(&text[position + 1..])),
        None => (text, None),
    }
}
