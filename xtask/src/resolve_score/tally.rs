//! How many values are right, wrong and unresolved.

use std::{collections::BTreeMap, time::Duration};

use appstitch_labels::Case;

/// What became of one value.
pub(super) enum Verdict {
    Right,
    Wrong { got: String, wanted: String },
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

/// All verdicts.
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
                Verdict::Wrong { got, wanted } => {
                    counts.wrong += 1;
                    self.rows.push(format!("wrong {place}: {got:?} instead of {wanted:?}"));
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
