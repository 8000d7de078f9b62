//! The table of results, as Markdown.
//!
//! It is written after every target, and keeps the rows of targets that were run before: a long run
//! can be interrupted, and goes on with the targets that are missing.

use std::{fs, io, path::Path};

use crate::outcome::Outcome;

const HEAD: &str = "\
    | Target | Executions | Per second | Slowest | Peak memory | Branches | Kept inputs | Failures |\n\
    |---|--:|--:|--:|--:|--:|--:|--:|\n";

/// The outcomes as a table.
pub(crate) fn table(outcomes: &[Outcome]) -> String {
    let rows = outcomes.iter().map(row);
    rows.fold(HEAD.to_owned(), |table, row| table + &row)
}

/// Puts the row of an outcome into the table in a file. A new row goes to the end.
pub(crate) fn update(path: &Path, outcome: &Outcome) -> io::Result<()> {
    let old = match fs::read_to_string(path) {
        Ok(old) => old,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    fs::write(path, with_row(&old, outcome))
}

fn with_row(old: &str, outcome: &Outcome) -> String {
    let new = row(outcome);
    let own = format!("| {} |", outcome.target);
    let mut table = HEAD.to_owned();
    let mut is_new = true;
    for line in old.lines().filter(|line| !HEAD.contains(line)) {
        if line.starts_with(&own) {
            table.push_str(&new);
            is_new = false;
        } else {
            table.extend([line, "\n"]);
        }
    }
    if is_new { table + &new } else { table }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "figures for readers"
)]
fn row(outcome: &Outcome) -> String {
    let rate = outcome.executions as f64 / outcome.seconds.max(0.001);
    format!(
        "| {} | {} | {} | {:.1} ms | {} kB | {} | {} | {} |\n",
        outcome.target,
        grouped(outcome.executions),
        grouped(rate as u64),
        outcome.slowest_us as f64 / 1000.0,
        grouped(outcome.peak_bytes.div_ceil(1000)),
        grouped(outcome.reached as u64),
        grouped(outcome.kept as u64),
        outcome.failures.len(),
    )
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

    fn outcome(target: &str, executions: u64) -> Outcome {
        Outcome {
            target: target.to_owned(),
            executions,
            seconds: 20.0,
            slowest_us: 1500,
            peak_bytes: 4096,
            reached: 1234,
            kept: 56,
            failures: Vec::new(),
        }
    }

    #[test]
    fn a_row_has_every_figure() {
        let table = table(&[outcome("versions", 10_000_000)]);
        let row = table.lines().nth(2).unwrap();
        assert_eq!(row, "| versions | 10,000,000 | 500,000 | 1.5 ms | 5 kB | 1,234 | 56 | 0 |");
    }

    #[test]
    fn a_table_keeps_the_rows_of_other_targets() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.md");
        for (target, executions) in [("titles", 1), ("title_table", 2), ("titles", 3)] {
            update(&path, &outcome(target, executions)).unwrap();
        }
        let expected = table(&[outcome("titles", 3), outcome("title_table", 2)]);
        assert_eq!(fs::read_to_string(path).unwrap(), expected);
    }
}
