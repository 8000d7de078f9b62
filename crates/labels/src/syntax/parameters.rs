//! `${…}`.

use super::{
    Operation, Parameter, Subject, Word,
    parser::{Parsed, Parser},
    words::push_quoted,
};

impl Parser {
    /// The inside of `${…}`, after the opening brace.
    pub(super) fn parameter(&mut self, quoted: bool) -> Parsed<Parameter> {
        let mut parameter = Parameter {
            flags: String::new(),
            subject: Subject::Name(String::new()),
            length: false,
            is_set: false,
            split: false,
            subscripts: Vec::new(),
            operations: Vec::new(),
        };
        if self.take("(") {
            parameter.flags = self.flags()?;
        }
        loop {
            match self.peek() {
                Some('=') => parameter.split = true,
                Some('+') => parameter.is_set = true,
                Some('#') if !matches!(self.peek_at(1), Some('}' | '#' | '%' | ':')) => {
                    parameter.length = true;
                }
                _ => break,
            }
            self.skip(1);
        }
        parameter.subject = self.subject()?;
        while self.peek() == Some('[') {
            match self.subscript()? {
                Some(subscript) => parameter.subscripts.push(subscript),
                None => return Err(self.error("a bracket is not closed")),
            }
        }
        while !self.take("}") {
            let operation = self.operation(quoted)?;
            parameter.operations.push(operation);
        }
        Ok(parameter)
    }

    fn flags(&mut self) -> Parsed<String> {
        let start = self.position();
        while let Some(character) = self.next() {
            if character == ')' {
                let mut flags = self.since(start);
                flags.pop();
                return Ok(flags);
            }
        }
        Err(self.error("a parenthesis is not closed"))
    }

    fn subject(&mut self) -> Parsed<Subject> {
        if let Some('$' | '"' | '`') = self.peek()
            && matches!((self.peek(), self.peek_at(1)), (Some('"' | '`'), _) | (_, Some('{' | '(')))
        {
            let mut word = Word::new();
            self.part(&mut word)?;
            return Ok(Subject::Nested(word));
        }
        // An empty name is allowed: `${:-text}`.
        Ok(Subject::Name(self.parameter_name().unwrap_or_default()))
    }

    fn operation(&mut self, quoted: bool) -> Parsed<Operation> {
        let empty_too = self.peek() == Some(':');
        let sign = if empty_too { self.peek_at(1) } else { self.peek() };
        if let Some('-' | '=' | '+') = sign {
            self.skip(1 + usize::from(empty_too));
            let word = self.operand_until(&['}'], quoted)?;
            return Ok(match sign {
                Some('-') => Operation::Default { empty_too, word },
                Some('=') => Operation::Assign { empty_too, word },
                _ => Operation::Alternative { empty_too, word },
            });
        }
        if self.take(":#") {
            return Ok(Operation::Without(self.operand_until(&['}'], quoted)?));
        }
        if self.take("#") {
            let longest = self.take("#");
            let pattern = self.operand_until(&['}'], quoted)?;
            return Ok(Operation::Strip { suffix: false, longest, pattern });
        }
        if self.take("%") {
            let longest = self.take("%");
            let pattern = self.operand_until(&['}'], quoted)?;
            return Ok(Operation::Strip { suffix: true, longest, pattern });
        }
        if self.take("/") {
            let every = self.take("/");
            let pattern = self.operand_until(&['}', '/'], quoted)?;
            let replacement =
                if self.take("/") { self.operand_until(&['}'], quoted)? } else { Word::new() };
            return Ok(Operation::Replace { every, pattern, replacement });
        }
        if self.take(":") {
            return self.slice_or_modifier(quoted);
        }
        Err(self.error("this form of expansion is not supported"))
    }

    fn slice_or_modifier(&mut self, quoted: bool) -> Parsed<Operation> {
        match self.peek() {
            Some(modifier @ ('h' | 't' | 'r' | 'e' | 'l' | 'u'))
                if matches!(self.peek_at(1), Some('}' | ':')) =>
            {
                self.skip(1);
                Ok(Operation::Modifier(modifier))
            }
            Some('0'..='9' | ' ' | '$' | '(') => {
                let offset = self.operand_until(&['}', ':'], quoted)?;
                let length =
                    if self.take(":") { Some(self.operand_until(&['}'], quoted)?) } else { None };
                Ok(Operation::Slice { offset, length })
            }
            _ => Err(self.error("this form of expansion is not supported")),
        }
    }

    /// A word within `${…}`, up to one of these characters, which is not taken.
    fn operand_until(&mut self, ends: &[char], quoted: bool) -> Parsed<Word> {
        self.deeper(|parser| {
            let mut word = Word::new();
            let mut braces = 0usize;
            loop {
                match parser.peek() {
                    None => return Err(parser.error("a brace is not closed")),
                    Some('}') if braces > 0 => braces -= 1,
                    Some(character) if ends.contains(&character) => return Ok(word),
                    Some('{') => braces += 1,
                    // Between double quotes, a single quote is a character like others.
                    Some('\'') if quoted => {
                        parser.skip(1);
                        push_quoted(&mut word, '\'');
                        continue;
                    }
                    Some(_) => {}
                }
                parser.part(&mut word)?;
            }
        })
    }
}
