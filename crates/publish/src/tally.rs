//! The counts and problems of an upload.

use appstitch_text::visible;
use serde::{Deserialize, Serialize};

/// The maximum number of problems in a summary.
pub(crate) const LISTED_PROBLEMS: usize = 100;

/// The maximum length of a problem, in bytes. Problems quote the upload.
const PROBLEM_BYTES: usize = 500;

/// The entry counts and problems of an upload of any kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    pub received: usize,
    pub rejected: usize,
    /// The first hundred problems.
    pub problems: Vec<UploadProblem>,
}

impl Tally {
    pub fn refuse(&mut self, what: String, why: String) {
        self.rejected += 1;
        self.note(what, why);
    }

    /// Notes a problem of an entry that is not rejected.
    pub fn note(&mut self, what: String, why: String) {
        if self.problems.len() < LISTED_PROBLEMS {
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
