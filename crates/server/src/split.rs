//! Splitting short texts.

/// A text up to the first occurrence of an ASCII byte, and what follows it. A plain loop is done
/// with a path or a query before a search made for long texts has begun.
pub(crate) fn split_first(text: &str, byte: u8) -> (&str, Option<&str>) {
    match text.bytes().position(|found| found == byte) {
        Some(position) => (&text[..position], Some(&text[position + 1..])),
        None => (text, None),
    }
}
