//! Sizes of memory on the command line.

const UNITS: [(&str, u32); 3] = [("KiB", 10), ("MiB", 20), ("GiB", 30)];

/// Less would reject the files of real upstreams.
const SMALLEST: u64 = 64 << 20;

/// Parses a number of bytes with a unit, such as `512MiB`.
pub(super) fn parse(text: &str) -> Result<u64, String> {
    let bytes = bytes(text.trim()).ok_or("expected a size such as 512MiB or 2GiB")?;
    if bytes < SMALLEST {
        return Err("expected at least 64MiB".to_owned());
    }
    Ok(bytes)
}

fn bytes(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let (_, power) = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit.trim()))?;
    number.parse::<u64>().ok()?.checked_mul(1 << power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_unit_and_a_minimum() {
        assert_eq!(parse("64MiB"), Ok(64 << 20));
        assert_eq!(parse(" 2 gib "), Ok(2 << 30));
        assert_eq!(parse("131072KiB"), Ok(128 << 20));
        for text in ["", "1", "1GB", "-1GiB", "1.5GiB", "GiB", "99999999999999GiB", "1MiB2"] {
            assert!(parse(text).unwrap_err().contains("512MiB or 2GiB"), "{text}");
        }
        assert!(parse("63MiB").unwrap_err().contains("at least 64MiB"));
    }
}
