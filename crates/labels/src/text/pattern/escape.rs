//! Intervals, and escapes of control characters.

/// Reads an interval up to its end: `2}`, `2,}`, `2,4}` or `,4}`.
pub(super) fn interval<'a>(source: &'a str, end: &str) -> Option<(String, &'a str)> {
    let (inside, rest) = source.split_once(end)?;
    let (from, to) = match inside.split_once(',') {
        Some((from, "")) => (from, None),
        Some((from, to)) => (from, Some(to.parse::<u16>().ok()?)),
        None => (inside, Some(inside.parse::<u16>().ok()?)),
    };
    let from = if from.is_empty() && inside.len() > 1 { 0 } else { from.parse::<u16>().ok()? };
    let interval = match to {
        Some(to) if to < from => return None,
        Some(to) => format!("{{{from},{to}}}"),
        None => format!("{{{from},}}"),
    };
    Some((interval, rest))
}

/// Reads awk's escape of a control character after its backslash. Without one, nothing is read.
pub(super) fn control(source: &str) -> (Option<char>, &str) {
    let octal = source.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
    let (digits, rest) = source.split_at_checked(octal).unwrap_or(("", source));
    if let Ok(value) = u32::from_str_radix(digits, 8) {
        return (char::from_u32(value), rest);
    }
    let character = match source.as_bytes().first() {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'f') => '\u{c}',
        Some(b'v') => '\u{b}',
        Some(b'a') => '\u{7}',
        Some(b'b') => '\u{8}',
        _ => return (None, source),
    };
    (Some(character), source.get(1..).unwrap_or_default())
}
