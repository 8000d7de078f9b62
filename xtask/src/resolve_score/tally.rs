//! How many values are right, wrong and unresolved.

use std::{collections::BTreeMap, time::Duration};

use appstitch_labels::Case;

use crate::run::Failure;

/// Of a hundred runs, at least this many must have both values right.
const RUNS_RIGHT_OF_100: u32 = 98;

/// Of this many values, at most one may be wrong.
const VALUES_PER_WRONG_ONE: u32 = 200;

pub(super) enum Verdict {
    Right,
    Wrong { actual: String, expected: String },
    Unresolved(String),
}

#[derive(Default, Clone, Copy)]
struct Counts {
    runs: u32,
    runs_right: u32,
    right: u32,
    wrong: u32,
    unresolved: u32,
}

#[derive(Default)]
pub(super) struct Tally {
    total: Counts,
    by_category: BTreeMap<String, Counts>,
    rows: Vec<String>,
}

impl Tally {
    pub(super) fn add(
        &mut self,
        case: &Case,
        architecture: &str,
        verdicts: [(&'static str, Verdict); 2],
    ) {
        let mut counts = Counts { runs: 1, ..Counts::default() };
        for (variable, verdict) in &verdicts {
            let place = format!("{} {architecture} {variable}", case.name);
            match verdict {
                Verdict::Right => counts.right += 1,
                Verdict::Wrong { actual, expected } => {
                    counts.wrong += 1;
                    self.rows.push(format!("wrong {place}: {actual:?} instead of {expected:?}"));
                }
                Verdict::Unresolved(why) => {
                    counts.unresolved += 1;
                    self.rows.push(format!("unresolved {place}: {why}"));
                }
            }
        }
        counts.runs_right = u32::from(counts.right == 2);
        self.total.add(counts);
        for category in &case.category {
            self.by_category.entry(category.clone()).or_default().add(counts);
        }
    }

    pub(super) fn print(&self, elapsed: Duration) {
        println!("| Category | Runs | Both right | Values right | Wrong | Unresolved |");
        println!("|---|---:|---:|---:|---:|---:|");
        for (category, counts) in &self.by_category {
            counts.print(category);
        }
        self.total.print("all");
        println!("\n{} runs in {} ms", self.total.runs, elapsed.as_millis());
    }

    /// Fails unless enough runs are right and few enough values are wrong.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let Counts { runs, runs_right, right, wrong, unresolved } = self.total;
        if runs_right * 100 < runs * RUNS_RIGHT_OF_100 {
            return Err(Failure(format!(
                "only {runs_right} of {runs} runs are right: at least {RUNS_RIGHT_OF_100} of 100 must be"
            )));
        }
        let values = right + wrong + unresolved;
        if wrong * VALUES_PER_WRONG_ONE > values {
            return Err(Failure(format!(
                "{wrong} of {values} values are wrong: at most one of {VALUES_PER_WRONG_ONE} may be"
            )));
        }
        Ok(())
    }

    pub(super) fn print_rows(&self) {
        println!();
        for row in &self.rows {
            println!("{row}");
        }
    }
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.runs += other.runs;
        self.runs_right += other.runs_right;
        self.right += other.right;
        self.wrong += other.wrong;
        self.unresolved += other.unresolved;
    }

    fn print(&self, name: &str) {
        let share = f64::from(self.runs_right) * 100.0 / f64::from(self.runs.max(1));
        println!(
            "| {name} | {} | {share:.1} % | {} | {} | {} |",
            self.runs, self.right, self.wrong, self.unresolved
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(runs: u32, runs_right: u32, wrong: u32) -> bool {
        let right = runs * 2 - wrong;
        let total = Counts { runs, runs_right, right, wrong, unresolved: 0 };
        Tally { total, ..Tally::default() }.check().is_ok()
    }

    #[test]
    fn too_few_right_runs_and_too_many_wrong_values_fail() {
        assert!(checked(100, 98, 1));
        assert!(!checked(100, 97, 0), "97 of 100 runs are too few");
        assert!(!checked(100, 98, 2), "2 wrong values of 200 are too many");
        assert!(checked(0, 0, 0));
    }
}
