//! Where a function definition ends, by zsh's rules for quotes.
//!
//! zsh ends the body of a function at an unquoted `}`. Here the only one may be the last character
//! of the text, so all depends on what is quoted. The scanner therefore knows the few kinds of
//! quotes and expansions that version functions use, and rejects everything that changes what is
//! quoted (backticks, `$'…'`, comments, here-documents, arithmetic), that could hide a `}` or `)`
//! (brace expansions, patterns with parentheses, `case`), or that a version of zsh could read
//! differently.

use super::NotOneFunction;

const MAX_DEPTH: usize = 16;

/// In bytes. The longest function of a real label has some hundred.
const MAX_LENGTH: usize = 8192;

/// Words that begin a construct in which parentheses or braces have another meaning.
const REJECTED_WORDS: [&str; 12] = [
    "alias", "always", "case", "coproc", "end", "esac", "foreach", "function", "nocorrect",
    "noglob", "repeat", "select",
];

type Scanned = Result<(), NotOneFunction>;

/// Checks that the text is `name() { … }` up to its last character.
pub(super) fn check(name: &str, text: &str) -> Scanned {
    let header = || NotOneFunction::Header(name.to_owned());
    let body = body(name, text).ok_or_else(header)?;
    let mut scanner = Scanner { text: text.as_bytes(), at: text.len() - body.len(), depth: 0 };
    if text.len() > MAX_LENGTH {
        return Err(scanner.doubt("the function is too long"));
    }
    scanner.characters(text)?;
    scanner.code(b'}')
}

fn body<'t>(name: &str, text: &'t str) -> Option<&'t str> {
    let blank = [' ', '\t'];
    let keyword = text.strip_prefix("function").filter(|rest| rest.starts_with(blank));
    let rest = keyword.map_or(text, |rest| rest.trim_start_matches(blank)).strip_prefix(name)?;
    match (rest.trim_start_matches(blank).strip_prefix("()"), keyword) {
        (Some(rest), _) => rest.trim_start_matches([' ', '\t', '\n']).strip_prefix('{'),
        (None, Some(_)) if rest.starts_with(blank) => {
            rest.trim_start_matches(blank).strip_prefix('{')
        }
        _ => None,
    }
}

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    depth: usize,
}

impl Scanner<'_> {
    fn doubt(&self, what: &'static str) -> NotOneFunction {
        let before = self.text.get(..self.at).unwrap_or(self.text);
        let line = before.split(|byte| *byte == b'\n').count();
        NotOneFunction::Doubtful { line, what }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    /// No control characters, and letters of other scripts only if they are letters. Such letters
    /// must also be quoted, see [`Self::code`].
    fn characters(&self, text: &str) -> Scanned {
        let is_known = |character: char| match character {
            ' '..='~' | '\n' | '\t' => true,
            other => !other.is_ascii() && other.is_alphanumeric(),
        };
        match text.chars().find(|character| !is_known(*character)) {
            Some(_) => Err(self.doubt("a character that is neither ASCII nor a letter")),
            None => Ok(()),
        }
    }

    fn deeper(&mut self, scan: impl FnOnce(&mut Self) -> Scanned) -> Scanned {
        if self.depth >= MAX_DEPTH {
            return Err(self.doubt("the nesting is too deep"));
        }
        self.depth += 1;
        let scanned = scan(self);
        self.depth -= 1;
        scanned
    }

    /// Unquoted text up to the closing `}` or `)`, which is taken.
    fn code(&mut self, end: u8) -> Scanned {
        let mut word = self.at;
        while let Some(byte) = self.peek(0) {
            if is_break(byte) || byte == end {
                self.known_word(word)?;
                word = self.at + 1;
            }
            match byte {
                b'}' if end == b'}' && self.peek(1).is_some() => {
                    return Err(self.doubt("text behind the function"));
                }
                _ if byte == end => {
                    self.at += 1;
                    return Ok(());
                }
                b'\'' => self.single_quoted()?,
                b'"' => self.deeper(Self::double_quoted)?,
                b'$' => self.deeper(|scanner| scanner.dollar(false))?,
                b'\\' if self.peek(1) == Some(b'\n') => {
                    // Within a word, the two halves would be joined.
                    if !matches!(self.text.get(self.at - 1), Some(b' ' | b'\t' | b'\n')) {
                        return Err(self.doubt("a line that continues within a word"));
                    }
                    self.at += 2;
                    word = self.at;
                }
                b'\\' if matches!(self.peek(1), Some(b' '..=b'~')) => self.at += 2,
                b'!' if !matches!(self.peek(1), Some(b' ' | b'=')) => {
                    return Err(self.doubt("'!' before a word"));
                }
                b'<' | b'>' if self.is_behind_number() => {
                    return Err(self.doubt("a redirection directly behind a number"));
                }
                b'<' if self.peek(1) == Some(b'<') => {
                    if self.peek(2) != Some(b'<') || self.peek(3) == Some(b'<') {
                        return Err(self.doubt("a here-document"));
                    }
                    self.at += 3;
                }
                b';' if matches!(self.peek(1), Some(b';' | b'&' | b'|')) => {
                    return Err(self.doubt("the end of an arm"));
                }
                b'&' if matches!(self.peek(1), Some(b'|' | b'!')) => {
                    return Err(self.doubt("a command in the background"));
                }
                b'{' | b'}' => return Err(self.doubt("a brace that is not quoted")),
                b'(' | b')' => return Err(self.doubt("a parenthesis that is not quoted")),
                b'#' => return Err(self.doubt("'#' that is not quoted")),
                b'`' => return Err(self.doubt("a backtick: use $(…)")),
                b'\n' | b'\t' | b' '..=b'~' => self.at += 1,
                _ => return Err(self.doubt("a character that must be quoted")),
            }
        }
        Err(NotOneFunction::More)
    }

    /// Whether a digit is directly before this position that is not a separate word, and so the
    /// stream of a redirection.
    fn is_behind_number(&self) -> bool {
        let before = |distance: usize| self.text.get(self.at.wrapping_sub(distance)).copied();
        before(1).is_some_and(|byte| byte.is_ascii_digit())
            && !matches!(before(2), Some(b' ' | b'\t' | b'\n'))
    }

    fn known_word(&self, start: usize) -> Scanned {
        let word = self.text.get(start..self.at).unwrap_or_default();
        // In zsh, the brace would belong to the value.
        if self.peek(0) == Some(b'}') && word.contains(&b'=') {
            return Err(self.doubt("an assignment before the closing brace: add a semicolon"));
        }
        if REJECTED_WORDS.iter().any(|rejected| rejected.as_bytes() == word) {
            return Err(self.doubt("a word that is not allowed in a version function"));
        }
        Ok(())
    }

    fn single_quoted(&mut self) -> Scanned {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let Some(length) = rest.iter().position(|byte| *byte == b'\'') else {
            return Err(self.doubt("a quote that is not closed"));
        };
        self.at += length + 2;
        Ok(())
    }

    fn double_quoted(&mut self) -> Scanned {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'$' => self.deeper(|scanner| scanner.dollar(true))?,
                b'`' => return Err(self.doubt("a backtick: use $(…)")),
                b'!' => return Err(self.doubt("'!' between double quotes")),
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        Err(self.doubt("a quote that is not closed"))
    }

    /// What a dollar sign begins.
    fn dollar(&mut self, quoted: bool) -> Scanned {
        match self.peek(1) {
            Some(b'(') if self.peek(2) == Some(b'(') => Err(self.doubt("arithmetic")),
            Some(b'(') => {
                self.at += 2;
                self.code(b')')
            }
            Some(b'{') => {
                self.at += 2;
                self.parameter(quoted)
            }
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'?' | b'@' | b'*') => {
                self.at += 2;
                Ok(())
            }
            Some(b' ' | b'\n') => {
                self.at += 1;
                Ok(())
            }
            // The end of a line in a regular expression.
            Some(b'"' | b'/' | b'.' | b')' | b'|' | b',' | b';' | b'\\') if quoted => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.doubt("'$' before a character that it may change")),
        }
    }

    /// The inside of `${…}`, without quotes, blanks and braces.
    fn parameter(&mut self, quoted: bool) -> Scanned {
        let flags = self.text.get(self.at..).and_then(|rest| rest.strip_prefix(b"("));
        if let Some(flags) = flags {
            let letters = flags.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            self.at += letters + 1;
            if self.peek(0) != Some(b')') {
                return Err(self.doubt("an expansion with unusual flags"));
            }
            self.at += 1;
        }
        while let Some(byte) = self.peek(0) {
            match byte {
                b'}' => {
                    self.at += 1;
                    return Ok(());
                }
                b'$' => self.deeper(|scanner| scanner.dollar(quoted))?,
                _ if byte.is_ascii_alphanumeric() || b"_#%/:-=+*.,@?[]".contains(&byte) => {
                    self.at += 1;
                }
                _ => return Err(self.doubt("an expansion with quotes, blanks or other signs")),
            }
        }
        Err(self.doubt("a brace that is not closed"))
    }
}

fn is_break(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}
