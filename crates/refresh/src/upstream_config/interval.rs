use std::time::Duration;

/// Upstreams are not asked more often than this.
pub const SHORTEST_INTERVAL: Duration = Duration::from_mins(1);

/// Reads a duration such as 90s, 30m, 12h or 2d.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a number with s, m, h or d, such as 12h".to_owned();
    let unit = text.chars().next_back().ok_or_else(expected)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 60 * 60,
        'd' => 24 * 60 * 60,
        _ => return Err(expected()),
    };
    let digits = &text[..text.len() - 1];
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(expected());
    }
    // A duration of more than a hundred years is a mistake, and could not be subtracted from a time.
    let most = 36_500 * 24 * 60 * 60;
    let number: u64 = digits.parse().map_err(|_| "too long".to_owned())?;
    match number.checked_mul(seconds) {
        None => Err("too long".to_owned()),
        Some(0) => Err("must be longer than 0".to_owned()),
        Some(seconds) if seconds > most => Err("too long".to_owned()),
        Some(seconds) => Ok(Duration::from_secs(seconds)),
    }
}

/// Reads the time from one refresh to the next.
pub(super) fn interval(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        duration if duration < SHORTEST_INTERVAL => Err("must be at least 1m".to_owned()),
        duration => Ok(duration),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit() {
        for (text, seconds) in [("90s", 90), ("30m", 1800), ("12h", 43_200), ("2d", 172_800)] {
            assert_eq!(parse_duration(text), Ok(Duration::from_secs(seconds)));
        }
        for text in
            ["", "h", "12", "-1h", "+1h", "1.5h", "1 h", "0s", "99999999999999999999d", "1ü"]
        {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_interval_is_at_least_a_minute() {
        assert_eq!(interval("1m"), Ok(SHORTEST_INTERVAL));
        assert!(interval("59s").is_err());
    }
}
