//! Text and references between tags.

use super::super::scanner::is_blank;
use super::super::tree::{Kind, NodeId};
use super::{Open, Reader, elements, entities};

/// The real reader looks at text in pieces of this many bytes.
const PIECE: usize = 1000;

impl Reader<'_> {
    /// Adds characters to the open element; outside of all elements they are lost.
    pub(super) fn characters(&mut self, text: &str) {
        if let Some(parent) = self.open.last() {
            self.page.document.append_text(parent.id, text);
        }
    }

    /// Text directly in the page gets a paragraph.
    fn check_paragraph(&mut self) {
        if matches!(self.current(), None | Some("html" | "head")) {
            self.close_before("p");
            self.imply("p");
            self.push("p");
        }
    }

    pub(super) fn text(&mut self) {
        let mut piece = String::new();
        while let Some(next) = self.scanner.peek() {
            if matches!(next, '<' | '&') {
                break;
            }
            if is_character(next) {
                piece.push(next);
            }
            if piece.len() >= PIECE {
                self.add_text(&piece);
                piece.clear();
            }
            self.scanner.next();
        }
        if !piece.is_empty() {
            self.add_text(&piece);
        }
    }

    fn add_text(&mut self, text: &str) {
        if !self.is_separator(text) {
            self.check_paragraph();
        }
        self.characters(text);
    }

    /// Whether a text is only white space between tags.
    fn is_separator(&self, text: &str) -> bool {
        if !text.chars().all(is_blank) {
            return false;
        }
        match self.scanner.peek() {
            None => return true,
            Some('<') => {}
            Some(_) => return false,
        }
        let Some(Open { id, name }) = self.open.last() else { return true };
        if matches!(name.as_str(), "html" | "head") || name == "body" && self.is_strict() {
            return true;
        }
        match self.last_child(*id) {
            None => !elements::allows_text(name),
            Some(last) if matches!(self.page.document.node(last).kind, Kind::Text(_)) => false,
            Some(last) => !elements::allows_text(self.page.document.name(last)),
        }
    }

    fn last_child(&self, parent: NodeId) -> Option<NodeId> {
        let children = &self.page.document.node(parent).children;
        let is_comment =
            |id: &NodeId| matches!(self.page.document.node(*id).kind, Kind::Comment(_));
        children.iter().rev().copied().find(|id| !is_comment(id))
    }

    /// Whether the document type allows no text directly in the body.
    fn is_strict(&self) -> bool {
        let public = self.page.document_type.as_ref().and_then(|found| found.public.as_deref());
        public.is_some_and(|public| {
            ["-//W3C//DTD HTML 4.01//EN", "-//W3C//DTD HTML 4//EN"]
                .iter()
                .any(|strict| strict.eq_ignore_ascii_case(public))
        })
    }

    pub(super) fn reference(&mut self) {
        let text = self.read_reference();
        if !text.is_empty() {
            self.check_paragraph();
            self.characters(&text);
        }
    }

    /// Takes a reference and gives its text. What is not a reference stays as it is.
    pub(super) fn read_reference(&mut self) -> String {
        self.scanner.take("&");
        if self.scanner.take("#") {
            let is_hexadecimal = self.scanner.take("x") || self.scanner.take("X");
            let radix = if is_hexadecimal { 16 } else { 10 };
            let digits = self.scanner.take_while(|digit| digit.is_digit(radix));
            self.scanner.take(";");
            let character = u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
            let character = character.filter(|found| is_character(*found));
            return character.map(String::from).unwrap_or_default();
        }
        let name = self.name();
        if self.scanner.byte(0) == b';'
            && let Some(character) = entities::character(&name)
        {
            self.scanner.take(";");
            return character.to_string();
        }
        format!("&{name}")
    }

    /// Takes a name as XML defines it; empty if none follows.
    pub(super) fn name(&mut self) -> String {
        let starts = |first: char| first.is_alphabetic() || matches!(first, '_' | ':');
        if !self.scanner.peek().is_some_and(starts) {
            return String::new();
        }
        let part = |next: char| starts(next) || next.is_numeric() || matches!(next, '.' | '-');
        self.scanner.take_while(part).to_owned()
    }
}

fn is_character(character: char) -> bool {
    !character.is_control() || matches!(character, '\t' | '\n' | '\r') || character >= '\u{7f}'
}
