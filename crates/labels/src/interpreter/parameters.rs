//! `$name` and `${…}`.

use super::{Shell, Value, Variable, pattern::Pattern};
use crate::{
    Stopped,
    syntax::{Expansion, Operation, Parameter, Part, Subject, Word},
};

/// What a shell knows of the machine and labels must not depend on.
const OF_THE_MACHINE: [&str; 16] = [
    "HOME", "USER", "LOGNAME", "PATH", "PWD", "OLDPWD", "SHELL", "TMPDIR", "RANDOM", "SECONDS",
    "EPOCHSECONDS", "HOST", "UID", "EUID", "PPID", "LANG",
];

/// About how many bytes an element of a list takes besides its text.
const ELEMENT: usize = 48;

impl Shell<'_> {
    pub(super) fn parameter(
        &mut self,
        parameter: &Parameter,
        quoted: bool,
    ) -> Result<Value, Stopped> {
        let found = match &parameter.subject {
            Subject::Name(name) => self.variable(name)?,
            Subject::Nested(word) => Some(self.nested(word, quoted)?),
        };
        let size = found.as_ref().map_or(0, Value::size);
        // Every operation copies the value.
        self.budget.step((1 + size / 64).saturating_mul(1 + parameter.operations.len()))?;
        self.budget.hold(size)?;
        if parameter.is_set {
            return Ok(Value::Text(u8::from(found.is_some()).to_string()));
        }
        // What is copied costs time, even if only its length is needed.
        self.budget.step(found.as_ref().map_or(0, Value::size) / 64)?;
        let is_set = found.is_some();
        let mut value = found.unwrap_or(Value::Text(String::new()));
        if parameter.length {
            let count = match self.subscripted(value, &parameter.subscripts)? {
                Value::Text(text) => text.chars().count(),
                Value::List(list) => list.len(),
            };
            return Ok(Value::Text(count.to_string()));
        }
        value = self.subscripted(value, &parameter.subscripts)?;
        if quoted
            && parameter.subscripts.is_empty()
            && !parameter.flags.contains(['@', 's', 'f', 'j'])
        {
            value = Value::Text(value.joined());
        }
        for operation in &parameter.operations {
            value = self.operation(&parameter.subject, is_set, value, operation)?;
        }
        value = self.flagged(value, &parameter.flags)?;
        if parameter.split {
            let separators = self.separators()?;
            let text = value.joined();
            let count = text.matches(|next: char| separators.contains(next)).count();
            self.budget.hold_each(count, ELEMENT)?;
            let pieces = text.split(|next: char| separators.contains(next));
            value =
                Value::List(pieces.filter(|piece| !piece.is_empty()).map(str::to_owned).collect());
        }
        Ok(value)
    }

    /// The value of an inner expansion. A list stays a list unless it is between quotes, and so do
    /// the words that a command printed.
    fn nested(&mut self, word: &Word, quoted: bool) -> Result<Value, Stopped> {
        match word.as_slice() {
            [Part::Expansion { expansion: Expansion::Parameter(inner), quoted: inner_quoted }] => {
                self.parameter(inner, quoted || *inner_quoted)
            }
            [Part::Expansion { expansion: Expansion::Command(script), quoted: false }]
                if !quoted =>
            {
                let text = self.substitute(script)?;
                self.split(&text).map(Value::List)
            }
            _ => self.scalar(word).map(Value::Text),
        }
    }

    /// A variable that the label does not assign is empty on a described Mac. On any other one it
    /// could have been set by those who run the label.
    pub(super) fn unassigned(&self, name: &str) -> Result<(), Stopped> {
        if self.mac.is_described() {
            return Ok(());
        }
        Err(Stopped::Unsupported(format!("the label does not assign {name}")))
    }

    fn variable(&self, name: &str) -> Result<Option<Value>, Stopped> {
        if let Some(variable) = self.variables.get(name) {
            return variable.clone().map(Some);
        }
        let text = match name {
            "" => return Ok(None),
            "?" => self.status.clone()?.to_string(),
            "#" => self.arguments.len().to_string(),
            "@" | "*" => return Ok(Some(Value::List(self.arguments.clone()))),
            "$" | "!" => return Err(Stopped::Unsupported(format!("${name} is not supported"))),
            "IFS" => self.separators()?,
            _ if OF_THE_MACHINE.contains(&name) => {
                return Err(Stopped::Unsupported(format!("${name} is not known")));
            }
            _ => match name.parse::<usize>() {
                Ok(0) => return Err(Stopped::Unsupported("$0 is not supported".to_owned())),
                Ok(number) => match self.arguments.get(number - 1) {
                    Some(argument) => argument.clone(),
                    None => return Ok(None),
                },
                Err(_) => return self.unassigned(name).map(|()| None),
            },
        };
        Ok(Some(Value::Text(text)))
    }

    fn operation(
        &mut self,
        subject: &Subject,
        is_set: bool,
        value: Value,
        operation: &Operation,
    ) -> Result<Value, Stopped> {
        let lacks = |empty_too: bool, value: &Value| {
            !is_set || (empty_too && value.clone().joined().is_empty())
        };
        match operation {
            Operation::Default { empty_too, word } => {
                if lacks(*empty_too, &value) {
                    self.scalar(word).map(Value::Text)
                } else {
                    Ok(value)
                }
            }
            Operation::Assign { empty_too, word } => {
                if !lacks(*empty_too, &value) {
                    return Ok(value);
                }
                let value: Variable = self.scalar(word).map(Value::Text);
                if let Subject::Name(name) = subject {
                    self.variables.insert(name.clone(), value.clone());
                }
                value
            }
            Operation::Alternative { empty_too, word } => {
                if lacks(*empty_too, &value) {
                    Ok(Value::Text(String::new()))
                } else {
                    self.scalar(word).map(Value::Text)
                }
            }
            Operation::Strip { suffix, longest, pattern } => {
                let pattern = self.pattern(pattern)?;
                value.map(|text| {
                    self.budget.step(text.len())?;
                    pattern.strip(&text, *suffix, *longest, self.budget).map(str::to_owned)
                })
            }
            Operation::Replace { every, pattern, replacement } => {
                let pattern = self.pattern(pattern)?;
                let replacement = self.scalar(replacement)?;
                value.map(|text| {
                    self.budget.step(text.len())?;
                    let replaced = pattern.replace(&text, &replacement, *every, self.budget)?;
                    self.budget.hold(replaced.len())?;
                    Ok(replaced)
                })
            }
            Operation::Slice { offset, length } => {
                let offset = self.arithmetic(offset)?;
                let length = length.as_ref().map(|length| self.arithmetic(length)).transpose()?;
                super::slices::slice(value, offset, length)
            }
            Operation::Without(pattern) => {
                let pattern = self.pattern(pattern)?;
                match value {
                    Value::Text(text) if pattern.matches(&text, self.budget)? => {
                        Ok(Value::Text(String::new()))
                    }
                    Value::Text(text) => Ok(Value::Text(text)),
                    Value::List(list) => {
                        let mut kept = Vec::new();
                        for element in list {
                            if !pattern.matches(&element, self.budget)? {
                                kept.push(element);
                            }
                        }
                        Ok(Value::List(kept))
                    }
                }
            }
            Operation::Modifier(letter) => value.map(|text| Ok(modified(&text, *letter))),
        }
    }

    /// Applies the letters of `${(…)name}`.
    fn flagged(&mut self, mut value: Value, flags: &str) -> Result<Value, Stopped> {
        let mut letters = flags.chars();
        while let Some(letter) = letters.next() {
            value = match letter {
                'U' => value.map(|text| Ok::<_, Stopped>(text.to_uppercase()))?,
                'L' => value.map(|text| Ok::<_, Stopped>(text.to_lowercase()))?,
                '@' => value,
                'f' => self.parts_of(&value.joined(), "\n")?,
                's' | 'j' => {
                    let Some(delimiter) = letters.next() else {
                        return Err(Stopped::Unsupported(format!(
                            "${{({flags})…}} is not supported"
                        )));
                    };
                    let text: String =
                        letters.by_ref().take_while(|next| *next != delimiter).collect();
                    if letter == 's' {
                        self.parts_of(&value.joined(), &text)?
                    } else {
                        Value::Text(value.into_list().join(&text))
                    }
                }
                _ => return Err(Stopped::Unsupported(format!("${{({flags})…}} is not supported"))),
            };
        }
        Ok(value)
    }

    fn parts_of(&mut self, text: &str, separator: &str) -> Result<Value, Stopped> {
        if separator.is_empty() {
            self.budget.hold_each(text.len(), ELEMENT)?;
            return Ok(Value::List(text.chars().map(String::from).collect()));
        }
        self.budget.hold_each(text.matches(separator).count(), ELEMENT)?;
        Ok(Value::List(text.split(separator).map(str::to_owned).collect()))
    }

    pub(super) fn matches(&mut self, pattern: &Word, text: &str) -> Result<bool, Stopped> {
        self.pattern(pattern)?.matches(text, self.budget)
    }

    /// The pattern of a word: only unquoted text of the label itself has special characters.
    pub(super) fn pattern(&mut self, word: &Word) -> Result<Pattern, Stopped> {
        let mut characters = Vec::new();
        for part in word {
            match part {
                Part::Plain(text) => characters.extend(text.chars().map(|next| (next, true))),
                Part::Quoted(text) => characters.extend(text.chars().map(|next| (next, false))),
                part @ Part::Expansion { .. } => {
                    let text = self.scalar(&vec![part.clone()])?;
                    characters.extend(text.chars().map(|next| (next, false)));
                }
            }
        }
        self.budget.step(characters.len())?;
        self.budget.hold_each(characters.len(), 48)?;
        Pattern::parse(&characters)
    }
}

fn modified(text: &str, letter: char) -> String {
    let trimmed = text.trim_end_matches('/');
    match letter {
        'l' => text.to_lowercase(),
        'u' => text.to_uppercase(),
        't' => trimmed.rsplit('/').next().unwrap_or(trimmed).to_owned(),
        'h' => match trimmed.rsplit_once('/') {
            Some(("", _)) => "/".to_owned(),
            Some((head, _)) => head.trim_end_matches('/').to_owned(),
            None => ".".to_owned(),
        },
        'r' | 'e' => {
            let name_at = text.rfind('/').map_or(0, |slash| slash + 1);
            match text.rfind('.').filter(|dot| *dot > name_at || (*dot == name_at && name_at > 0)) {
                Some(dot) if letter == 'r' => text.get(..dot).unwrap_or(text).to_owned(),
                Some(dot) => text.get(dot + 1..).unwrap_or_default().to_owned(),
                None if letter == 'r' => text.to_owned(),
                None => String::new(),
            }
        }
        _ => text.to_owned(),
    }
}
