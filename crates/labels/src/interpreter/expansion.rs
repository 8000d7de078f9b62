//! Words become texts.

use super::{Input, Interrupt, Shell, Sink, Value, value::size_of_all};
use crate::{
    Stopped,
    syntax::{Expansion, Part, Script, Subject, Word},
};

const MAX_FIELDS: usize = 100_000;

impl Shell<'_> {
    /// A word as one text: the right side of an assignment, a word of a test, a here-string.
    pub(super) fn scalar(&mut self, word: &Word) -> Result<String, Stopped> {
        let mut text = String::new();
        for part in word {
            match part {
                Part::Plain(part) | Part::Quoted(part) => text.push_str(part),
                Part::Expansion { expansion, quoted } => {
                    text.push_str(&self.expand(expansion, *quoted)?.joined());
                }
            }
        }
        self.budget.step(1 + text.len() / 64)?;
        self.budget.hold(text.len())?;
        Ok(text)
    }

    /// A word as the arguments that a command gets.
    pub(super) fn fields(&mut self, word: &Word) -> Result<Vec<String>, Stopped> {
        let mut fields = Fields::default();
        for (index, part) in word.iter().enumerate() {
            match part {
                Part::Plain(text) => {
                    check_plain(text, index == 0)?;
                    fields.join(text);
                }
                Part::Quoted(text) => fields.join(text),
                Part::Expansion { expansion, quoted: true } => {
                    let separate = keeps_elements(expansion);
                    match self.expand(expansion, true)? {
                        Value::List(list) if separate => fields.separate(list),
                        value => fields.join(&value.joined()),
                    }
                }
                Part::Expansion { expansion: Expansion::Command(script), quoted: false } => {
                    let text = self.substitute(script)?;
                    self.split_into(&text, &mut fields)?;
                }
                Part::Expansion { expansion, quoted: false } => {
                    match self.expand(expansion, false)? {
                        Value::Text(text) if text.is_empty() => {}
                        Value::Text(text) => fields.join(&text),
                        Value::List(mut list) => {
                            list.retain(|element| !element.is_empty());
                            fields.separate(list);
                        }
                    }
                }
            }
        }
        let fields = fields.finish();
        if fields.len() > MAX_FIELDS {
            return Err(Stopped::TooMuch("the label makes too many words"));
        }
        self.budget.hold(size_of_all(&fields))?;
        Ok(fields)
    }

    fn expand(&mut self, expansion: &Expansion, quoted: bool) -> Result<Value, Stopped> {
        let value = match expansion {
            Expansion::Parameter(parameter) => self.parameter(parameter, quoted),
            Expansion::Command(script) => self.substitute(script).map(Value::Text),
            Expansion::Arithmetic(word) => {
                self.arithmetic(word).map(|number| Value::Text(number.to_string()))
            }
        };
        value.map_err(Stopped::shortened)
    }

    /// What a script prints, without the line ends behind it.
    pub(super) fn substitute(&mut self, script: &Script) -> Result<String, Stopped> {
        let mut sink = Sink::default();
        let input: Input = Ok("".into());
        self.status = Ok(0);
        self.subshell(script, &input, &mut sink).map_err(Interrupt::reason)?;
        self.substituted = true;
        let mut text = sink.finish()?;
        text.truncate(text.trim_end_matches('\n').len());
        self.budget.hold(text.len())?;
        Ok(text)
    }

    pub(super) fn split(&mut self, text: &str) -> Result<Vec<String>, Stopped> {
        let mut fields = Fields::default();
        self.split_into(text, &mut fields)?;
        Ok(fields.finish())
    }

    /// Splits a text as the shell splits what a command printed.
    fn split_into(&mut self, text: &str, fields: &mut Fields) -> Result<(), Stopped> {
        self.budget.step(text.len())?;
        let separators = self.separators()?;
        let separates = |character: char| separators.contains(character);
        if text.is_empty() {
            return Ok(());
        }
        self.budget.hold_each(text.matches(separates).count(), 48)?;
        let pieces: Vec<String> =
            text.split(separates).filter(|piece| !piece.is_empty()).map(str::to_owned).collect();
        if text.starts_with(separates) {
            fields.close();
        }
        fields.separate(pieces);
        if text.ends_with(separates) {
            fields.close();
        }
        Ok(())
    }

    pub(super) fn separators(&self) -> Result<String, Stopped> {
        match self.variables.get("IFS") {
            None => Ok(" \t\n\0".to_owned()),
            Some(Ok(value)) => Ok(value.clone().joined()),
            Some(Err(stopped)) => Err(stopped.clone()),
        }
    }
}

/// Whether a quoted expansion gives every element as a word: `"${list[@]}"`, `"$@"`.
fn keeps_elements(expansion: &Expansion) -> bool {
    let Expansion::Parameter(parameter) = expansion else { return false };
    let at = |word: &Word| matches!(word.as_slice(), [Part::Plain(text)] if text == "@");
    matches!(&parameter.subject, Subject::Name(name) if name == "@")
        || parameter.subscripts.iter().any(at)
        || parameter.flags.contains(['@', 's', 'f'])
}

/// Refuses what the shell would look up: file names by pattern, home folders, paths of commands.
fn check_plain(text: &str, first: bool) -> Result<(), Stopped> {
    let pattern = text.contains(['*', '?']) || (text.contains('[') && text.contains(']'));
    if pattern {
        return Err(Stopped::Unsupported(format!("no file matches {text}")));
    }
    if first && text.starts_with('~') {
        return Err(Stopped::Unsupported("home folders are not supported".to_owned()));
    }
    if first && text.len() > 1 && text.starts_with('=') {
        return Err(Stopped::Unsupported(format!("{text}: there is no such command")));
    }
    Ok(())
}

/// Words in the making: parts are joined to the last one until it is closed.
#[derive(Default)]
struct Fields {
    done: Vec<String>,
    open: Option<String>,
}

impl Fields {
    fn join(&mut self, text: &str) {
        self.open.get_or_insert_default().push_str(text);
    }

    fn close(&mut self) {
        self.done.extend(self.open.take());
    }

    /// Adds elements: the first one joins what is before it, the last one stays open.
    fn separate(&mut self, elements: Vec<String>) {
        for (index, element) in elements.into_iter().enumerate() {
            if index > 0 {
                self.close();
            }
            self.join(&element);
        }
    }

    fn finish(mut self) -> Vec<String> {
        self.close();
        self.done
    }
}
