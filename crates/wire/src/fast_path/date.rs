//! The last lines of a head, the date and an empty one, written once a second and thread.

use std::{cell::RefCell, time::Duration};

use jiff::{Timestamp, fmt::rfc2822};
use tokio::time::Instant;

thread_local! {
    static LINE: RefCell<Option<DateLine>> = const { RefCell::new(None) };
}

/// Adds the lines to a head. The clock is not read within a second.
pub(super) fn add_date_and_end(head: &mut Vec<u8>, now: Instant) {
    LINE.with_borrow_mut(|line| {
        let line = match line {
            Some(line) if now < line.until => line,
            outdated => outdated.insert(DateLine::new(now)),
        };
        head.extend_from_slice(line.text.as_bytes());
    });
}

struct DateLine {
    text: String,
    until: Instant,
}

impl DateLine {
    fn new(now: Instant) -> Self {
        let time = Timestamp::now();
        let spent = Duration::from_nanos(u64::from(time.subsec_nanosecond().unsigned_abs()));
        Self {
            text: format!("date: {}\r\n\r\n", http_date(time)),
            until: now + Duration::from_secs(1).saturating_sub(spent),
        }
    }
}

fn http_date(time: Timestamp) -> String {
    // Every time a clock can show has four digits in its year.
    rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&time).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_http_has_them() {
        let date = |second| http_date(Timestamp::from_second(second).unwrap());
        assert_eq!(date(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(date(951_782_400), "Tue, 29 Feb 2000 00:00:00 GMT");
    }

    #[test]
    fn the_line_is_written_again_when_its_second_is_over() {
        let line = |now| {
            let mut head = Vec::new();
            add_date_and_end(&mut head, now);
            String::from_utf8(head).unwrap()
        };
        let now = Instant::now();
        assert!(line(now).starts_with("date: ") && line(now).ends_with(" GMT\r\n\r\n"));
        LINE.with_borrow_mut(|line| line.as_mut().unwrap().text.clear());
        let until = LINE.with_borrow(|line| line.as_ref().unwrap().until);
        assert!(until <= now + Duration::from_secs(1));
        assert_eq!(line(now), "", "it is not written within its second");
        assert_ne!(line(until), "");
    }
}
