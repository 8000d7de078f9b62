//! What a run did, step by step, for people who want to follow it.

/// A step of a run. Texts are shortened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A statement of the label is run.
    Statement(String),
    /// A command is run.
    Command {
        /// The command with its arguments.
        call: String,
        /// The start of its standard input.
        input: String,
        /// The start of its standard output, or why there is none.
        output: Result<String, String>,
        /// The exit status.
        status: Option<u8>,
    },
    /// A request is made.
    Request {
        /// The method.
        method: String,
        /// The address.
        url: String,
        /// The answer, or why there is none.
        answer: Result<Answered, String>,
    },
}

/// What is told of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answered {
    /// The status.
    pub status: u16,
    /// The length of the body in bytes.
    pub bytes: usize,
}

/// Takes the steps of a run.
pub trait Trace {
    /// Takes one step.
    fn step(&mut self, step: Step);

    /// Whether anyone looks at the steps. Otherwise they are not made.
    fn is_on(&self) -> bool {
        true
    }
}

/// Takes no steps.
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

/// The start of a text.
pub(crate) fn shortened(text: &str) -> String {
    const SHOWN: usize = 160;
    let mut characters = text.chars();
    let mut start: String = characters.by_ref().take(SHOWN).collect();
    if characters.next().is_some() {
        start.push('…');
    }
    start
}
