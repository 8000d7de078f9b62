//! What a run did, step by step, for people who want to follow it.

/// Texts are shortened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Statement(String),
    Command {
        call: String,
        /// The start of its standard input.
        input: String,
        /// The start of its standard output, or why there is none.
        output: Result<String, String>,
        status: Option<u8>,
    },
    Request {
        method: String,
        url: String,
        /// Or why there is none.
        response: Result<ResponseSummary, String>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponseSummary {
    pub status: u16,
    pub bytes: usize,
}

pub trait Trace {
    fn step(&mut self, step: Step);

    /// Whether anyone looks at the steps. Otherwise they are not made.
    fn is_on(&self) -> bool {
        true
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct NoTrace;

impl Trace for NoTrace {
    fn step(&mut self, _: Step) {}

    fn is_on(&self) -> bool {
        false
    }
}

impl Trace for Vec<Step> {
    fn step(&mut self, step: Step) {
        self.push(step);
    }
}

pub(crate) fn shortened(text: &str) -> String {
    const SHOWN: usize = 160;
    let mut characters = text.chars();
    let mut start: String = characters.by_ref().take(SHOWN).collect();
    if characters.next().is_some() {
        start.push('…');
    }
    start
}
