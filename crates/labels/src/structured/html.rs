//! Reads HTML into the tree that libxml2 builds, which is not the tree of HTML 5: no element is moved,
//! none is added inside tables, and elements newer than HTML 4 have no rules.

mod elements;
mod encoding;
mod entities;
mod tag;
mod text;
mod write;

use std::collections::BTreeSet;

use super::failure::Failure;
use super::scanner::Scanner;
use super::tree::{Document, Kind, NodeId};
use crate::{Budget, Stopped};

pub(super) use write::write;

/// How deep elements may be nested, as in libxml2.
const DEPTH: usize = 256;

/// A page: its tree and what only the writer needs.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) document: Document,
    document_type: Option<DocumentType>,
    /// Attributes without a value.
    bare: BTreeSet<NodeId>,
    pub(super) has_encoding: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct DocumentType {
    name: String,
    public: Option<String>,
    system: Option<String>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Options {
    /// A script ends only with its own end tag.
    pub(super) recover: bool,
}

pub(super) fn read(text: &str, options: Options, budget: &mut Budget) -> Result<Page, Failure> {
    budget.step(text.len())?;
    budget.hold(text.len())?;
    let has_encoding = encoding::is_stated(text);
    let text = encoding::decode(text);
    // The real reader ends at the first byte that is zero.
    let text = text.split('\0').next().unwrap_or_default();
    let mut reader = Reader {
        scanner: Scanner::new(text),
        options,
        page: Page {
            document: Document::new(),
            document_type: None,
            bare: BTreeSet::new(),
            has_encoding,
        },
        open: Vec::new(),
        seen_head: false,
        seen_body: false,
        ignored: 0,
    };
    reader.prologue();
    reader.content(budget)?;
    Ok(reader.page)
}

/// An open element: its node, and its name with the prefix, which the node does not keep.
struct Open {
    id: NodeId,
    name: String,
}

struct Reader<'text> {
    scanner: Scanner<'text>,
    options: Options,
    page: Page,
    open: Vec<Open>,
    seen_head: bool,
    seen_body: bool,
    /// How many misplaced start tags were ignored, whose end tags have to be ignored as well.
    ignored: usize,
}

impl Reader<'_> {
    fn prologue(&mut self) {
        self.scanner.skip_blanks();
        self.comments();
        if self.at_document_type() {
            self.read_document_type();
        }
        self.scanner.skip_blanks();
        self.comments();
    }

    fn comments(&mut self) {
        loop {
            if self.scanner.rest().starts_with("<!--") {
                self.comment();
            } else if self.scanner.rest().starts_with("<?") {
                self.instruction();
            } else {
                return;
            }
            self.scanner.skip_blanks();
        }
    }

    fn content(&mut self, budget: &mut Budget) -> Result<(), Failure> {
        let mut counted = 0;
        while !self.scanner.at_end() {
            budget.step(1 + self.open.len() / 8)?;
            budget.hold_each(self.page.document.len() - counted, Document::NODE)?;
            counted = self.page.document.len();
            if self.open.len() > DEPTH {
                return Err(Stopped::TooMuch("the HTML is nested too deeply").into());
            }
            let second = self.scanner.byte(1);
            let is_tag = self.scanner.byte(0) == b'<';
            if is_tag && second == b'/' {
                self.end_tag();
            } else if matches!(self.current(), Some("script" | "style"))
                && !self.next_tag_closes_current()
            {
                self.script();
            } else if !is_tag {
                if self.scanner.byte(0) == b'&' { self.reference() } else { self.text() }
            } else if self.at_document_type() {
                self.read_document_type();
            } else if self.scanner.rest().starts_with("<!--") {
                self.comment();
            } else if second == b'?' {
                self.instruction();
            } else if second.is_ascii_alphabetic() {
                self.element(budget)?;
            } else {
                self.scanner.next();
                self.characters("<");
            }
        }
        Ok(())
    }

    fn current(&self) -> Option<&str> {
        self.open.last().map(|open| open.name.as_str())
    }

    fn parent(&self) -> NodeId {
        self.open.last().map_or(Document::ROOT, |open| open.id)
    }

    fn is_open(&self, name: &str) -> bool {
        self.open.iter().any(|open| open.name == name)
    }

    fn push(&mut self, name: &str) -> NodeId {
        self.seen_body |= name == "body";
        self.seen_head |= matches!(name, "head" | "body");
        let document = &mut self.page.document;
        let outside = || {
            // What comes after the end of the page goes into the first element, unless something
            // else comes first.
            let first = document.node(Document::ROOT).children.first().copied();
            let is_first = self.page.document_type.is_none();
            let element = first.filter(|id| matches!(document.node(*id).kind, Kind::Element(_)));
            element.filter(|_| is_first).unwrap_or(Document::ROOT)
        };
        let parent = self.open.last().map_or_else(outside, |open| open.id);
        let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
        let id = document.append(parent, Kind::Element(local.to_owned()));
        self.open.push(Open { id, name: name.to_owned() });
        id
    }

    fn imply(&mut self, name: &str) {
        if name == "html" {
            return;
        }
        if self.open.is_empty() {
            self.push("html");
        }
        if matches!(name, "body" | "head") {
            return;
        }
        let in_head = matches!(name, "script" | "style" | "meta" | "link" | "title" | "base");
        if self.open.len() <= 1 && in_head {
            if !self.seen_head {
                self.push("head");
            }
        } else if !matches!(name, "noframes" | "frame" | "frameset")
            && !self.seen_body
            && !self.is_open("body")
            && !self.is_open("head")
        {
            self.push("body");
        }
    }

    fn close_before(&mut self, name: &str) {
        while self.current().is_some_and(|current| elements::closes(current, name)) {
            self.open.pop();
        }
    }

    fn next_tag_closes_current(&self) -> bool {
        let name = self.scanner.rest().strip_prefix('<').map(elements::name_of);
        let current = self.current().unwrap_or_default();
        name.is_some_and(|name| elements::closes(current, &name))
    }

    fn comment(&mut self) {
        self.scanner.take("<!--");
        let rest = self.scanner.rest();
        // The two hyphens of the end are not the two of the beginning.
        let end = rest.match_indices('>').find_map(|(place, _)| {
            let before = rest.get(..place)?;
            let comment = before.strip_suffix("--").or_else(|| before.strip_suffix("--!"))?;
            Some((comment.len(), place + 1 - comment.len()))
        });
        let Some((place, length)) = end else {
            self.scanner.take_while(|_| true);
            return;
        };
        let comment = rest.get(..place).unwrap_or_default();
        let parent = self.parent();
        self.page.document.append(parent, Kind::Comment(comment.to_owned()));
        self.scanner.take(rest.get(..place + length).unwrap_or_default());
    }

    fn instruction(&mut self) {
        self.scanner.take("<?");
        let target = self.name();
        if target.is_empty() {
            return;
        }
        self.scanner.skip_blanks();
        let data = self.scanner.take_while(|character| character != '>').to_owned();
        if self.scanner.take(">") {
            let parent = self.parent();
            self.page.document.append(parent, Kind::Instruction(target, data));
        }
    }

    fn at_document_type(&self) -> bool {
        let start = self.scanner.rest().get(..9);
        start.is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"))
    }

    fn read_document_type(&mut self) {
        self.scanner.take_until("<!");
        self.scanner.take_while(|character| character.is_ascii_alphabetic());
        self.scanner.skip_blanks();
        let mut found = DocumentType { name: self.name(), ..DocumentType::default() };
        self.scanner.skip_blanks();
        let keyword = self.scanner.rest().get(..6).unwrap_or_default().to_ascii_uppercase();
        if matches!(keyword.as_str(), "PUBLIC" | "SYSTEM") {
            self.scanner.take_while(|character| character.is_ascii_alphabetic());
            self.scanner.skip_blanks();
            if keyword == "PUBLIC" {
                found.public = self.quoted();
                self.scanner.skip_blanks();
            }
            found.system = self.quoted();
        }
        self.scanner.take_while(|character| character != '>');
        self.scanner.take(">");
        self.page.document_type.get_or_insert(found);
    }

    fn quoted(&mut self) -> Option<String> {
        let quote = self.scanner.peek().filter(|quote| matches!(quote, '"' | '\''))?;
        self.scanner.next();
        self.scanner.take_until(&quote.to_string()).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests;
