//! The counts and problems of an upload.

use appstitch_text::visible;
use serde::{Deserialize, Serialize};

/// The maximum number of problems in a summary.
pub(crate) const LISTED_PROBLEMS: usize = 100;

/// The maximum length of a problem, in bytes. Problems quote the upload.
const PROBLEM_BYTES: usize = 500;

/// The entry counts and problems of an upload of any kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    pub received: usize,
    pub rejected: usize,
    /// The first problems, a hundred unless more were asked for.
    pub problems: Vec<UploadProblem>,
    most_problems: usize,
}

impl Default for Tally {
    fn default() -> Self {
        Self::with_problems(LISTED_PROBLEMS)
    }
}

impl Tally {
    /// Nothing yet. At most this number of problems will be kept.
    #[must_use]
    pub const fn with_problems(most_problems: usize) -> Self {
        Self { received: 0, rejected: 0, problems: Vec::new(), most_problems }
    }

    pub fn refuse(&mut self, what: String, why: String) {
        self.rejected += 1;
        self.note(what, why);
    }

    /// Notes a problem of an entry that is not rejected.
    pub fn note(&mut self, what: String, why: String) {
        if self.problems.len() < self.most_problems {
            self.problems.push(UploadProblem::new(what, why));
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadProblem {
    pub what: String,
    pub why: String,
}

impl UploadProblem {
    /// A problem as people read it: what they sent is quoted without characters that change how a
    /// terminal or a page shows the rest.
    fn new(what: String, why: String) -> Self {
        // Escapes are longer than what they stand for.
        let readable = |text: String| shortened(visible(&shortened(text)));
        Self { what: readable(what), why: readable(why) }
    }
}

/// The text, cut to the length of a problem.
pub(crate) fn shortened(text: String) -> String {
    appstitch_budget::shortened(text, PROBLEM_BYTES)
}
