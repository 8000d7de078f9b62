//! Start tags and end tags.

use super::super::scanner::is_blank;
use super::{Reader, elements};
use crate::{Budget, Stopped};

impl Reader<'_> {
    fn tag_name(&mut self) -> String {
        let name = elements::name_of(self.scanner.rest());
        for _ in 0..name.len() {
            self.scanner.next();
        }
        name
    }

    pub(super) fn end_tag(&mut self) {
        self.scanner.take("</");
        let name = self.tag_name();
        if name.is_empty() {
            return;
        }
        self.scanner.take_while(|character| character != '>');
        self.scanner.take(">");
        if self.ignored > 0 && matches!(name.as_str(), "html" | "body" | "head") {
            self.ignored -= 1;
            return;
        }
        let rank = elements::rank(&name);
        for place in (0..self.open.len()).rev() {
            let open = self.open.get(place).map(|open| open.name.as_str()).unwrap_or_default();
            if open == name {
                self.open.truncate(place);
                return;
            }
            if elements::rank(open) > rank {
                return;
            }
        }
    }

    /// Reads a start tag. A misplaced one is ignored, but its end counts for the open element.
    pub(super) fn element(&mut self, budget: &mut Budget) -> Result<(), Stopped> {
        self.scanner.take("<");
        let name = self.tag_name();
        self.close_before(&name);
        self.imply(&name);
        let misplaced = match name.as_str() {
            "html" => !self.open.is_empty(),
            "head" => self.open.len() != 1,
            "body" => self.is_open("body"),
            _ => false,
        };
        self.ignored += usize::from(misplaced);
        let attributes = self.attributes(budget)?;
        if !misplaced {
            let element = self.push(&name);
            for (name, value) in attributes {
                let is_bare = value.is_none() && !elements::is_boolean(&name);
                let implied = if is_bare { String::new() } else { name.clone() };
                let value = value.unwrap_or(implied);
                let attribute = self.page.document.append_attribute(element, name, value);
                if is_bare {
                    self.page.bare.insert(attribute);
                }
            }
        }
        let closed = self.scanner.take("/>") || !self.scanner.take(">");
        if closed || self.current().is_some_and(elements::is_empty) {
            self.open.pop();
        }
        Ok(())
    }

    fn attributes(
        &mut self,
        budget: &mut Budget,
    ) -> Result<Vec<(String, Option<String>)>, Stopped> {
        let mut attributes: Vec<(String, Option<String>)> = Vec::new();
        loop {
            self.scanner.skip_blanks();
            let rest = self.scanner.rest();
            if rest.is_empty() || rest.starts_with('>') || rest.starts_with("/>") {
                return Ok(attributes);
            }
            budget.step(1 + attributes.len())?;
            let name = self.tag_name();
            if name.is_empty() {
                self.skip_junk();
                continue;
            }
            self.scanner.skip_blanks();
            let value = self.scanner.take("=").then(|| {
                self.scanner.skip_blanks();
                self.attribute_value()
            });
            if !attributes.iter().any(|(other, _)| *other == name) {
                attributes.push((name, value));
            }
        }
    }

    fn skip_junk(&mut self) {
        while let Some(next) = self.scanner.peek() {
            if is_blank(next) || next == '>' || self.scanner.rest().starts_with("/>") {
                return;
            }
            self.scanner.next();
        }
    }

    fn attribute_value(&mut self) -> String {
        let quote = self.scanner.peek().filter(|quote| matches!(quote, '"' | '\''));
        if quote.is_some() {
            self.scanner.next();
        }
        let mut value = String::new();
        while let Some(next) = self.scanner.peek() {
            let ends = match quote {
                Some(quote) => next == quote,
                None => next == '>' || is_blank(next),
            };
            if ends {
                break;
            }
            if next == '&' {
                value.push_str(&self.read_reference());
            } else {
                value.push(next);
                self.scanner.next();
            }
        }
        if quote.is_some() {
            self.scanner.next();
        }
        value
    }

    pub(super) fn script(&mut self) {
        let rest = self.scanner.rest();
        let name = self.current().unwrap_or_default().to_owned();
        let ends = |after: &str| {
            if self.options.recover {
                after.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(&name))
            } else {
                after.starts_with(|first: char| first.is_ascii_alphabetic())
            }
        };
        let found = rest.match_indices("</").find(|(place, _)| {
            // The first end tag has been looked at before.
            *place > 0 && ends(rest.get(place + 2..).unwrap_or_default())
        });
        let text = rest.get(..found.map_or(rest.len(), |(place, _)| place)).unwrap_or_default();
        self.scanner.take(text);
        let parent = self.parent();
        self.page.document.append_verbatim(parent, text);
    }
}
