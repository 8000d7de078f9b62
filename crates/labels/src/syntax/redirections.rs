//! Redirections.

use super::{
    Part, Redirection, Word,
    parser::{Parsed, Parser},
    words::WordContext,
};

impl Parser {
    /// The next redirection, if there is one: usually one change, with `&>` two.
    pub(super) fn redirection(&mut self) -> Parsed<Option<Vec<Redirection>>> {
        if self.take("&>") {
            self.target()?;
            return Ok(Some(vec![Redirection::OutputAway, Redirection::ErrorsAway]));
        }
        let stream = match (self.peek(), self.peek_at(1)) {
            (Some(digit @ ('0' | '1' | '2')), Some('<' | '>')) => {
                self.skip(1);
                digit
            }
            (Some('<'), Some('-' | '0'..='9')) => return Ok(None),
            (Some('<'), _) => '0',
            (Some('>'), _) => '1',
            _ => return Ok(None),
        };
        if self.take("<<<") {
            return Ok(Some(vec![Redirection::HereString(self.target()?)]));
        }
        if self.starts_with("<<") || self.starts_with("<(") || self.starts_with(">(") {
            return Err(self.error("this redirection is not supported"));
        }
        if self.take("<") {
            return Ok(Some(vec![Redirection::Input(self.target()?)]));
        }
        let _ = self.take(">>") || self.take(">");
        if self.take("&") {
            let target = self.next();
            return match (stream, target) {
                ('2', Some('1')) => Ok(Some(vec![Redirection::ErrorsToOutput])),
                ('1', Some('2')) => Ok(Some(vec![Redirection::OutputAway])),
                _ => Err(self.error("this redirection is not supported")),
            };
        }
        // Files cannot be read, so its name does not matter.
        self.target()?;
        let away = if stream == '2' { Redirection::ErrorsAway } else { Redirection::OutputAway };
        Ok(Some(vec![away]))
    }

    /// The text to read, or the file that text comes from or goes into.
    fn target(&mut self) -> Parsed<Word> {
        self.skip_blanks();
        let word = self.word(WordContext::Argument)?;
        // A number directly before a sign is the stream of the next redirection.
        let is_stream = self.strict
            && matches!(self.peek(), Some('<' | '>'))
            && matches!(word.as_slice(), [Part::Plain(text)] if text.parse::<u32>().is_ok());
        if word.is_empty() || is_stream {
            return Err(self.error("a redirection without a file"));
        }
        Ok(word)
    }
}
