//! What a call of `grep` asks for.

use crate::Stopped;
use crate::text::options::Grammar;

const GRAMMAR: Grammar = Grammar {
    command: "grep",
    flags: "EFGacHhinoOpqSsUvwxyz0123456789",
    valued: "ABCem",
    long: &[
        ("after-context", 'A'),
        ("basic-regexp", 'G'),
        ("before-context", 'B'),
        ("count", 'c'),
        ("extended-regexp", 'E'),
        ("fixed-strings", 'F'),
        ("ignore-case", 'i'),
        ("invert-match", 'v'),
        ("line-number", 'n'),
        ("line-regexp", 'x'),
        ("max-count", 'm'),
        ("no-filename", 'h'),
        ("no-messages", 's'),
        ("null-data", 'z'),
        ("only-matching", 'o'),
        ("quiet", 'q'),
        ("regexp", 'e'),
        ("silent", 'q'),
        ("text", 'a'),
        ("word-regexp", 'w'),
    ],
    mixed: true,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::text) enum Dialect {
    Basic,
    Extended,
    Fixed,
}

#[expect(clippy::struct_excessive_bools, reason = "grep has that many independent switches")]
pub(super) struct Request<'a> {
    pub patterns: Vec<&'a str>,
    pub dialect: Dialect,
    pub ignore_case: bool,
    pub inverted: bool,
    pub only_matching: bool,
    pub whole_word: bool,
    pub whole_line: bool,
    pub quiet: bool,
    pub count: bool,
    pub line_numbers: bool,
    pub null_data: bool,
    pub before: usize,
    pub after: usize,
    /// How many lines are selected at most.
    pub limit: usize,
}

impl<'a> Request<'a> {
    /// Reads the arguments. Nothing if there is no pattern, which is an error.
    pub(super) fn parse(
        arguments: &'a [String],
        dialect: Dialect,
    ) -> Result<Option<Self>, Stopped> {
        let mut options = GRAMMAR.parse(arguments)?;
        let mut request = Self {
            patterns: Vec::new(),
            dialect,
            ignore_case: options.has('i') || options.has('y'),
            inverted: options.has('v'),
            only_matching: options.has('o'),
            whole_word: options.has('w'),
            whole_line: options.has('x'),
            quiet: options.has('q'),
            count: options.has('c'),
            line_numbers: options.has('n'),
            null_data: options.has('z'),
            before: 0,
            after: 0,
            limit: usize::MAX,
        };
        if options.has('H') {
            return Err(Stopped::unsupported("grep", "the option -H"));
        }
        let mut digits = String::new();
        for &(letter, value) in &options.given {
            match letter {
                'E' => request.dialect = Dialect::Extended,
                'F' => request.dialect = Dialect::Fixed,
                'G' => request.dialect = Dialect::Basic,
                'A' => request.after = number(value)?,
                'B' => request.before = number(value)?,
                'C' => (request.before, request.after) = (number(value)?, number(value)?),
                'm' => request.limit = number(value)?,
                'e' => request.patterns.extend(value.split('\n')),
                '0'..='9' => {
                    // `-12` is a context of twelve lines, also behind other letters.
                    digits.push(letter);
                    (request.before, request.after) = (number(&digits)?, number(&digits)?);
                }
                _ => {}
            }
        }
        if request.patterns.is_empty() {
            if options.operands.is_empty() {
                return Ok(None);
            }
            request.patterns.extend(options.operands.remove(0).split('\n'));
        }
        options.only_standard_input("grep")?;
        Ok(Some(request))
    }
}

fn number(text: &str) -> Result<usize, Stopped> {
    text.parse().map_err(|_| Stopped::unsupported("grep", format_args!("the number {text}")))
}
