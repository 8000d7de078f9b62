//! The kinds of regular expressions that the tools of a Mac read.

/// What the pattern of a tool may contain.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "the differences are independent")]
pub(crate) struct Syntax {
    /// Fixed text: nothing is special.
    pub(super) fixed: bool,
    /// Extended rather than basic expressions: `(a|b)+` rather than `\(a\)`.
    pub(super) extended: bool,
    /// A Mac's additions: `\d`, `\b`, lazy repetitions, and `\+`, `\?`, `\|` in basic expressions.
    pub(super) enhanced: bool,
    /// awk's escapes of control characters, such as `\t` and `\011`.
    pub(super) controls: bool,
    /// Whether a backslash in a bracket expression escapes.
    pub(super) escapes_in_brackets: bool,
}

impl Syntax {
    pub(crate) const GREP_BASIC: Self = Self::new(false, true, false);
    pub(crate) const GREP_EXTENDED: Self = Self::new(true, true, false);
    pub(crate) const SED_BASIC: Self = Self::new(false, false, false);
    pub(crate) const SED_EXTENDED: Self = Self::new(true, false, false);
    pub(crate) const AWK: Self = Self::new(true, false, true);
    pub(crate) const FIXED: Self = Self { fixed: true, ..Self::SED_BASIC };

    const fn new(extended: bool, enhanced: bool, awk: bool) -> Self {
        Self { fixed: false, extended, enhanced, controls: awk, escapes_in_brackets: awk }
    }
}
