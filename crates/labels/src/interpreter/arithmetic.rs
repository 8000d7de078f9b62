//! Whole numbers: `$(( … ))`, `(( … ))` and comparisons.

use super::{Shell, Value};
use crate::{Stopped, syntax::Word};

const MAX_DEPTH: usize = 32;

impl Shell<'_> {
    pub(super) fn arithmetic(&mut self, word: &Word) -> Result<i64, Stopped> {
        let text = self.scalar(word)?;
        self.calculate(&text)
    }

    pub(super) fn calculate(&mut self, text: &str) -> Result<i64, Stopped> {
        self.budget.step(text.len())?;
        if text.trim().is_empty() {
            return Ok(0);
        }
        let mut reader = Reader { shell: self, text, rest: text, depth: 0 };
        let number = reader.assignment()?;
        reader.skip_blanks();
        if reader.rest.is_empty() { Ok(number) } else { Err(reader.unsupported()) }
    }
}

struct Reader<'r, 's, 't> {
    shell: &'r mut Shell<'s>,
    text: &'t str,
    rest: &'t str,
    depth: usize,
}

impl Reader<'_, '_, '_> {
    fn unsupported(&self) -> Stopped {
        let start: String = self.text.chars().take(80).collect();
        Stopped::Unsupported(format!("the calculation {start} is not supported"))
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// `name = value`, `name += value`, `name++`, or a value.
    fn assignment(&mut self) -> Result<i64, Stopped> {
        self.skip_blanks();
        let start = self.rest;
        if let Some(name) = self.name() {
            for (sign, by) in [("++", 1), ("--", -1)] {
                if self.take(sign) {
                    let number = self.variable(&name)?;
                    return self.keep(&name, number.checked_add(by)).map(|_| number);
                }
            }
            if self.take("+=") {
                let number = self.variable(&name)?.checked_add(self.either()?);
                return self.keep(&name, number);
            }
            if self.take("-=") {
                let number = self.variable(&name)?.checked_sub(self.either()?);
                return self.keep(&name, number);
            }
            self.skip_blanks();
            if self.rest.starts_with('=') && !self.rest.starts_with("==") {
                self.take("=");
                let number = self.either()?;
                return self.keep(&name, Some(number));
            }
        }
        self.rest = start;
        self.either()
    }

    fn keep(&mut self, name: &str, number: Option<i64>) -> Result<i64, Stopped> {
        let number = number.ok_or_else(|| self.unsupported())?;
        self.shell.set(name, number.to_string());
        Ok(number)
    }

    fn either(&mut self) -> Result<i64, Stopped> {
        let mut left = self.both()?;
        while self.take("||") {
            let right = self.both()?;
            left = i64::from(left != 0 || right != 0);
        }
        Ok(left)
    }

    fn both(&mut self) -> Result<i64, Stopped> {
        let mut left = self.comparison()?;
        while self.take("&&") {
            let right = self.comparison()?;
            left = i64::from(left != 0 && right != 0);
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<i64, Stopped> {
        let mut left = self.sum()?;
        loop {
            let holds: fn(&i64, &i64) -> bool = if self.take("==") {
                i64::eq
            } else if self.take("!=") {
                i64::ne
            } else if self.take("<=") {
                i64::le
            } else if self.take(">=") {
                i64::ge
            } else if self.take("<") {
                i64::lt
            } else if self.take(">") {
                i64::gt
            } else {
                return Ok(left);
            };
            left = i64::from(holds(&left, &self.sum()?));
        }
    }

    fn sum(&mut self) -> Result<i64, Stopped> {
        let mut left = self.product()?;
        loop {
            let result = if self.take("+") {
                left.checked_add(self.product()?)
            } else if self.take("-") {
                left.checked_sub(self.product()?)
            } else {
                return Ok(left);
            };
            left = result.ok_or_else(|| self.unsupported())?;
        }
    }

    fn product(&mut self) -> Result<i64, Stopped> {
        let mut left = self.unary()?;
        loop {
            let result = if self.take("*") {
                left.checked_mul(self.unary()?)
            } else if self.take("/") {
                left.checked_div(self.unary()?)
            } else if self.take("%") {
                left.checked_rem(self.unary()?)
            } else {
                return Ok(left);
            };
            left = result.ok_or_else(|| self.unsupported())?;
        }
    }

    fn unary(&mut self) -> Result<i64, Stopped> {
        if self.depth >= MAX_DEPTH {
            return Err(self.unsupported());
        }
        self.depth += 1;
        let number = if self.take("-") {
            self.unary().and_then(|number| number.checked_neg().ok_or_else(|| self.unsupported()))
        } else if self.take("!") {
            self.unary().map(|number| i64::from(number == 0))
        } else if self.take("(") {
            let inner = self.either();
            if self.take(")") { inner } else { Err(self.unsupported()) }
        } else {
            self.operand()
        };
        self.depth -= 1;
        number
    }

    fn operand(&mut self) -> Result<i64, Stopped> {
        if let Some(name) = self.name() {
            return self.variable(&name);
        }
        let length = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        let part_of_more = rest
            .starts_with(|next: char| next.is_ascii_alphanumeric() || next == '.' || next == '#');
        if part_of_more {
            return Err(self.unsupported());
        }
        let number = digits.parse().map_err(|_| self.unsupported())?;
        self.rest = rest;
        Ok(number)
    }

    fn name(&mut self) -> Option<String> {
        self.skip_blanks();
        let first = self.rest.chars().next()?;
        if !(first.is_ascii_alphabetic() || first == '_') {
            return None;
        }
        let in_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = self.rest.bytes().take_while(in_name).count();
        let (name, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(name.to_owned())
    }

    fn variable(&mut self, name: &str) -> Result<i64, Stopped> {
        match self.shell.variables.get(name) {
            None => self.shell.unassigned(name).map(|()| 0),
            Some(Err(stopped)) => Err(stopped.clone()),
            Some(Ok(Value::Text(text))) if text.trim().is_empty() => Ok(0),
            Some(Ok(value)) => {
                value.clone().joined().trim().parse().map_err(|_| self.unsupported())
            }
        }
    }
}
