//! Counts of right, wrong and missing answers.

/// How the catalog's answers compare with the expected ones.
#[derive(Default)]
pub(super) struct Score {
    rows: usize,
    /// Rows that have an answer.
    answerable: usize,
    /// Answers given to rows that have none are wrong.
    right: usize,
    wrong: usize,
    mistakes: Vec<String>,
}

impl Score {
    /// Adds one row: what was expected, what the catalog says, and whether that is accepted.
    pub(super) fn add(
        &mut self,
        row: &str,
        expected: Option<&str>,
        found: Option<&str>,
        is_accepted: bool,
    ) {
        self.rows += 1;
        self.answerable += usize::from(expected.is_some());
        match (found, is_accepted) {
            (Some(_), true) => self.right += usize::from(expected.is_some()),
            (Some(_), false) => self.wrong += 1,
            (None, _) => {}
        }
        let is_missing = found.is_none() && expected.is_some();
        if is_missing || (found.is_some() && !is_accepted) {
            let written = |answer: Option<&str>| answer.unwrap_or("null").to_owned();
            self.mistakes.push(format!("{row}: {}, not {}", written(expected), written(found)));
        }
    }

    /// The share of the given answers that are right.
    pub(super) fn precision(&self) -> f64 {
        share(self.right, self.right + self.wrong)
    }

    /// The share of the expected answers that were given.
    pub(super) fn recall(&self) -> f64 {
        share(self.right, self.answerable)
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn mistakes(&self) -> &[String] {
        &self.mistakes
    }
}

#[expect(clippy::cast_precision_loss, reason = "the counts are small")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_answers_lower_precision_and_missing_ones_recall() {
        let mut score = Score::default();
        score.add("right", Some("a"), Some("A"), true);
        score.add("wrong", Some("a"), Some("b"), false);
        score.add("missing", Some("a"), None, false);
        score.add("rightly null", None, None, true);
        score.add("guessed", None, Some("b"), false);
        score.add("accepted guess", None, Some("c"), true);
        assert!((score.precision() - 1.0 / 3.0).abs() < 1e-9);
        assert!((score.recall() - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(score.mistakes().len(), 3);
    }
}
