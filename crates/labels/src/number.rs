//! Floating numbers as C's library reads and prints them.

/// The decimal number at the start of a text, and what follows it. Blanks may precede it.
pub(crate) fn leading(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, rest) = digits(unsigned);
    let (fraction, rest) = match rest.strip_prefix('.').map(digits) {
        Some((fraction, rest)) => (fraction, rest),
        None => ("", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (exponent, rest) = exponent(rest);
    let sign = if text.starts_with('-') { "-" } else { "" };
    let value = format!("{sign}0{whole}.{fraction}0{exponent}").parse().ok()?;
    Some((value, rest))
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// The exponent at the start of a text, if it is a whole one.
fn exponent(text: &str) -> (String, &str) {
    let Some(power) = text.strip_prefix(['e', 'E']) else { return (String::new(), text) };
    let (number, rest) = digits(power.strip_prefix(['-', '+']).unwrap_or(power));
    let sign = if power.starts_with('-') { "-" } else { "" };
    if number.is_empty() { (String::new(), text) } else { (format!("e{sign}{number}"), rest) }
}

/// The form `%e`.
fn scientific(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let Some((digits, power)) = text.split_once('e') else { return text };
    let (sign, power) = match power.strip_prefix('-') {
        Some(power) => ('-', power),
        None => ('+', power),
    };
    format!("{digits}e{sign}{power:0>2}")
}

/// The form `%g`: the shorter of the other two, without zeros at the end.
pub(crate) fn general(value: f64, precision: usize) -> String {
    if !value.is_finite() {
        return format!("{value}").to_lowercase();
    }
    let precision = precision.max(1);
    let text = scientific(value, precision - 1);
    let power = text.rsplit_once('e').and_then(|(_, power)| power.parse::<i32>().ok()).unwrap_or(0);
    let fixed = power >= -4 && i64::from(power) < i64::try_from(precision).unwrap_or(i64::MAX);
    if fixed {
        let decimals = i64::try_from(precision).unwrap_or(i64::MAX) - 1 - i64::from(power);
        let decimals = usize::try_from(decimals).unwrap_or(0);
        return without_zeros(&format!("{value:.decimals$}")).to_owned();
    }
    match text.split_once('e') {
        Some((digits, power)) => format!("{}e{power}", without_zeros(digits)),
        None => text,
    }
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_the_start() {
        let read = |text| leading(text).map(|(value, rest)| format!("{value} {rest}"));
        assert_eq!(read("2024.0.1").as_deref(), Some("2024 .1"));
        assert_eq!(read(" -1.5e2x").as_deref(), Some("-150 x"));
        assert_eq!(read(".5").as_deref(), Some("0.5 "));
        assert_eq!(read("5.e").as_deref(), Some("5 e"));
        assert_eq!(read("x"), None);
        assert_eq!(read("--1"), None);
    }

    #[test]
    fn numbers_are_printed_as_in_c() {
        assert_eq!(general(0.1 + 0.2, 6), "0.3");
        assert_eq!(general(1e10, 6), "1e+10");
        assert_eq!(general(123_456.7, 6), "123457");
        assert_eq!(general(0.00001, 6), "1e-05");
        assert_eq!(scientific(1234.5, 2), "1.23e+03");
    }
}
