//! What a run of a target came to, and the table of all.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// What a run of one target came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The target.
    pub target: String,
    /// How many inputs were run.
    pub executions: u64,
    /// How long that took, in seconds.
    pub seconds: f64,
    /// The time of the slowest execution, in microseconds.
    pub slowest_us: u64,
    /// The most memory of an execution, in bytes.
    pub peak_bytes: u64,
    /// How many branches were reached; 0 without coverage.
    pub reached: usize,
    /// How many inputs are kept because they reach a branch that none before did.
    pub kept: usize,
    /// The failures, one for each cause.
    pub failures: Vec<String>,
}

/// The outcomes as a table in Markdown.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "figures for readers"
)]
pub(crate) fn table(outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "| Target | Executions | Per second | Slowest | Peak memory | Branches | Kept inputs | Failures |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for outcome in outcomes {
        let rate = outcome.executions as f64 / outcome.seconds.max(0.001);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.1} ms | {} kB | {} | {} | {} |",
            outcome.target,
            grouped(outcome.executions),
            grouped(rate as u64),
            outcome.slowest_us as f64 / 1000.0,
            grouped(outcome.peak_bytes.div_ceil(1000)),
            grouped(outcome.reached as u64),
            grouped(outcome.kept as u64),
            outcome.failures.len(),
        );
    }
    text
}

/// A number with a comma after every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_every_figure() {
        let outcome = Outcome {
            target: "versions".to_owned(),
            executions: 10_000_000,
            seconds: 20.0,
            slowest_us: 1500,
            peak_bytes: 4096,
            reached: 1234,
            kept: 56,
            failures: Vec::new(),
        };
        let table = table(&[outcome]);
        let row = table.lines().nth(2).unwrap();
        assert_eq!(row, "| versions | 10,000,000 | 500,000 | 1.5 ms | 5 kB | 1,234 | 56 | 0 |");
    }
}
