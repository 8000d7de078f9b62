//! The syntax tree.

use std::rc::Rc;

pub(crate) type Script = Rc<[Statement]>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) command: Command,
    pub(crate) redirections: Vec<Redirection>,
    /// The text of the statement, for people who follow a run.
    pub(crate) text: Rc<str>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Command {
    Simple(Simple),
    /// Commands joined by `|`; with `negated`, the exit status is turned around.
    Pipeline {
        parts: Vec<Statement>,
        negated: bool,
    },
    /// `first && second || third`, from left to right.
    Chain {
        first: Box<Statement>,
        rest: Vec<(Operator, Statement)>,
    },
    If {
        branches: Vec<(Script, Script)>,
        otherwise: Option<Script>,
    },
    Case {
        word: Word,
        arms: Vec<(Vec<Word>, Script)>,
    },
    For {
        name: String,
        words: Vec<Word>,
        body: Script,
    },
    /// `while`, or `until` if `negated`.
    While {
        negated: bool,
        condition: Script,
        body: Script,
    },
    Group(Script),
    Subshell(Script),
    Condition(Condition),
    /// `(( … ))`
    Arithmetic(Word),
    Function {
        name: String,
        body: Script,
        text: Rc<str>,
    },
}

/// Assignments, or a command with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Simple {
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) words: Vec<Word>,
    /// The assignments among the arguments of `local` and its like.
    pub(crate) declared: Vec<Assignment>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    And,
    Or,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Assignment {
    pub(crate) name: String,
    /// Whether only one element is assigned.
    pub(crate) has_subscript: bool,
    /// Whether the value is added to what is there.
    pub(crate) append: bool,
    pub(crate) value: Assigned,
    /// The texts of the value, or of the elements of a list, as they stand in the label.
    pub(crate) written: Vec<Rc<str>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Assigned {
    Scalar(Word),
    Array(Vec<Word>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Redirection {
    /// `<<< word`
    HereString(Word),
    /// `< word`
    Input(Word),
    /// The standard output goes into a file, or to the standard error.
    OutputAway,
    /// The standard error goes into a file.
    ErrorsAway,
    /// `2>&1`
    ErrorsToOutput,
}

/// A word: parts that are joined.
pub(crate) type Word = Vec<Part>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// Unquoted text, in which the characters of patterns have their meaning.
    Plain(String),
    /// Quoted text, without its quotes and escapes.
    Quoted(String),
    /// A value that is put in, and whether it is between double quotes.
    Expansion { expansion: Expansion, quoted: bool },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expansion {
    Parameter(Box<Parameter>),
    Command(Script),
    Arithmetic(Word),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// The letters between parentheses, such as `U` in `${(U)name}`.
    pub(crate) flags: String,
    pub(crate) subject: Subject,
    /// `${#name}`
    pub(crate) length: bool,
    /// `${+name}`
    pub(crate) is_set: bool,
    /// `${=name}`
    pub(crate) split: bool,
    pub(crate) subscripts: Vec<Word>,
    pub(crate) operations: Vec<Operation>,
}

/// What a parameter expansion starts from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    Name(String),
    /// Another expansion, as in `${${name#a}%b}`.
    Nested(Word),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operation {
    /// `:-`, `-`: another value if it is empty (with the colon) or not set.
    Default { empty_too: bool, word: Word },
    /// `:=`, `=`: the same, and the value is kept.
    Assign { empty_too: bool, word: Word },
    /// `:+`, `+`: another value if there is one.
    Alternative { empty_too: bool, word: Word },
    /// `#`, `##`, `%`, `%%`
    Strip { suffix: bool, longest: bool, pattern: Word },
    /// `/`, `//`
    Replace { every: bool, pattern: Word, replacement: Word },
    /// `:offset:length`
    Slice { offset: Word, length: Option<Word> },
    /// `:#pattern`: drops elements that match.
    Without(Word),
    /// `:u`, `:l`, `:t`, `:h`, `:r`, `:e`
    Modifier(char),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// A test of one word, such as `-z`.
    Unary {
        operator: String,
        word: Word,
    },
    Binary {
        operator: String,
        left: Word,
        right: Word,
    },
}
