//! Reads XML as expat and libxml2 do: a document that is not well-formed is refused as a whole.
//!
//! Namespaces are only recorded: expat does not look at them, and for libxml2 an undeclared prefix is
//! no reason to refuse a document.

use super::failure::Failure;
use super::scanner::{Scanner, is_blank};
use super::tree::{Dialect, Document, Kind, NodeId};
use crate::{Budget, Stopped};

/// How deep elements may be nested. libxml2 has the same limit; expat has none.
const DEPTH: usize = 256;
/// How many attributes an element may have, and how many namespaces a document.
const ATTRIBUTES: usize = 256;

#[derive(Debug)]
pub(super) struct Xml {
    pub(super) document: Document,
    pub(super) encoding: Option<String>,
    pub(super) has_document_type: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    /// For Perl, `CDATA` is text like other text; libxml2 keeps it apart.
    pub(super) dialect: Dialect,
    /// Leave out white space that only indents.
    pub(super) drop_blanks: bool,
}

pub(super) fn read(text: &str, options: Options, budget: &mut Budget) -> Result<Xml, Failure> {
    budget.step(text.len())?;
    budget.hold(text.len())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.chars().any(|character| !is_allowed(character)) {
        return Err(Failure::Refused);
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut reader = Reader {
        scanner: Scanner::new(&text),
        options,
        document: Document::new(),
        open: Vec::new(),
        namespaces: 0,
        encoding: None,
        has_root: false,
        has_document_type: false,
        has_external_entities: false,
    };
    reader.read(budget)?;
    let Reader { document, encoding, has_document_type, .. } = reader;
    Ok(Xml { document, encoding, has_document_type })
}

fn is_allowed(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..)
}

pub(super) fn starts_name(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, '_' | ':') || character as u32 >= 0xC0
}

pub(super) fn continues_name(character: char) -> bool {
    starts_name(character)
        || character.is_ascii_digit()
        || matches!(character, '-' | '.' | '\u{b7}')
}

fn encoding(declaration: &str) -> Option<String> {
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    value.split(quote).nth(1).map(str::to_owned)
}

struct Reader<'text> {
    scanner: Scanner<'text>,
    options: Options,
    document: Document,
    open: Vec<NodeId>,
    namespaces: usize,
    encoding: Option<String>,
    has_root: bool,
    has_document_type: bool,
    /// Whether the document type may declare entities that are not known here.
    has_external_entities: bool,
}

impl Reader<'_> {
    fn read(&mut self, budget: &mut Budget) -> Result<(), Failure> {
        if self.scanner.rest().starts_with("<?xml") && is_blank(char::from(self.scanner.byte(5))) {
            let declaration = self.scanner.take_until("?>").ok_or(Failure::Refused)?;
            self.encoding = encoding(declaration);
        }
        let mut counted = 0;
        while !self.scanner.at_end() {
            budget.hold_each(self.document.len() - counted, Document::NODE)?;
            counted = self.document.len();
            if self.scanner.take("<!--") {
                self.comment()?;
            } else if self.scanner.take("<?") {
                self.instruction()?;
            } else if self.scanner.take("<!DOCTYPE") {
                self.document_type()?;
            } else if self.scanner.take("<![CDATA[") {
                let data = self.scanner.take_until("]]>").ok_or(Failure::Refused)?;
                let parent = *self.open.last().ok_or(Failure::Refused)?;
                match self.options.dialect {
                    Dialect::Perl => self.document.append_text(parent, data),
                    Dialect::Libxml => {
                        self.document.append(parent, Kind::Verbatim(data.to_owned()));
                    }
                }
            } else if self.scanner.take("</") {
                self.end_tag()?;
            } else if self.scanner.take("<") {
                self.start_tag()?;
            } else {
                self.text()?;
            }
        }
        if self.has_root && self.open.is_empty() { Ok(()) } else { Err(Failure::Refused) }
    }

    fn parent(&self) -> NodeId {
        self.open.last().copied().unwrap_or(Document::ROOT)
    }

    fn comment(&mut self) -> Result<(), Failure> {
        let comment = self.scanner.take_until("--").ok_or(Failure::Refused)?;
        if !self.scanner.take(">") {
            return Err(Failure::Refused);
        }
        self.document.append(self.parent(), Kind::Comment(comment.to_owned()));
        Ok(())
    }

    fn instruction(&mut self) -> Result<(), Failure> {
        let target = self.name()?;
        if target.eq_ignore_ascii_case("xml") {
            return Err(Failure::Refused);
        }
        let spaced = self.scanner.skip_blanks();
        let data = self.scanner.take_until("?>").ok_or(Failure::Refused)?;
        if !spaced && !data.is_empty() {
            return Err(Failure::Refused);
        }
        self.document.append(self.parent(), Kind::Instruction(target, data.to_owned()));
        Ok(())
    }

    /// Skips a document type: the name, quoted addresses and declarations in brackets.
    fn document_type(&mut self) -> Result<(), Failure> {
        if self.has_root || std::mem::replace(&mut self.has_document_type, true) {
            return Err(Failure::Refused);
        }
        let mut brackets = 0_usize;
        while let Some(character) = self.scanner.next() {
            match character {
                '"' | '\'' => {
                    self.has_external_entities |= brackets == 0;
                    let quote = character.to_string();
                    self.scanner.take_until(&quote).ok_or(Failure::Refused)?;
                }
                '<' if self.scanner.take("!--") => {
                    self.scanner.take_until("-->").ok_or(Failure::Refused)?;
                }
                '<' if self.scanner.take("?") => {
                    self.scanner.take_until("?>").ok_or(Failure::Refused)?;
                }
                '<' if self.scanner.rest().starts_with("!ENTITY") => {
                    return Err(Stopped::unsupported("XML", "an entity declaration").into());
                }
                '[' | '<' => brackets += 1,
                ']' => brackets = brackets.checked_sub(1).ok_or(Failure::Refused)?,
                '>' if brackets == 0 => return Ok(()),
                '>' => brackets -= 1,
                _ => {}
            }
        }
        Err(Failure::Refused)
    }

    fn name(&mut self) -> Result<String, Failure> {
        if !self.scanner.peek().is_some_and(starts_name) {
            return Err(Failure::Refused);
        }
        Ok(self.scanner.take_while(continues_name).to_owned())
    }

    fn end_tag(&mut self) -> Result<(), Failure> {
        let name = self.name()?;
        self.scanner.skip_blanks();
        let element = self.open.pop().ok_or(Failure::Refused)?;
        let closed = self.scanner.take(">") && self.document.name(element) == name;
        if closed { Ok(()) } else { Err(Failure::Refused) }
    }

    fn start_tag(&mut self) -> Result<(), Failure> {
        let name = self.name()?;
        if self.open.is_empty() && std::mem::replace(&mut self.has_root, true) {
            return Err(Failure::Refused);
        }
        let mut attributes: Vec<(String, String)> = Vec::new();
        let closed = loop {
            let spaced = self.scanner.skip_blanks();
            if self.scanner.take("/>") {
                break true;
            }
            if self.scanner.take(">") {
                break false;
            }
            let name = self.name()?;
            if !spaced || attributes.iter().any(|(other, _)| *other == name) {
                return Err(Failure::Refused);
            }
            self.scanner.skip_blanks();
            if !self.scanner.take("=") {
                return Err(Failure::Refused);
            }
            self.scanner.skip_blanks();
            let value = self.attribute_value()?;
            attributes.push((name, value));
            if attributes.len() > ATTRIBUTES {
                return Err(Stopped::TooMuch("an XML element has too many attributes").into());
            }
        };
        let element = self.document.append(self.parent(), Kind::Element(name));
        for (name, value) in attributes {
            self.namespaces += usize::from(name.starts_with("xmlns"));
            if self.namespaces > ATTRIBUTES {
                return Err(Stopped::TooMuch("the XML has too many namespaces").into());
            }
            if name == "xmlns" {
                self.document.declare(element, String::new(), value);
            } else if let Some(prefix) = name.strip_prefix("xmlns:") {
                self.document.declare(element, prefix.to_owned(), value);
            } else {
                self.document.append_attribute(element, name, value);
            }
        }
        if !closed {
            self.open.push(element);
            if self.open.len() > DEPTH {
                return Err(Stopped::TooMuch("the XML is nested too deeply").into());
            }
        }
        Ok(())
    }

    fn attribute_value(&mut self) -> Result<String, Failure> {
        let quote = self.scanner.next().filter(|quote| matches!(quote, '"' | '\''));
        let quote = quote.ok_or(Failure::Refused)?.to_string();
        let raw = self.scanner.take_until(&quote).ok_or(Failure::Refused)?;
        if raw.contains('<') {
            return Err(Failure::Refused);
        }
        // White space as written is a blank; as a reference it stays what it is.
        self.resolve(&raw.replace(is_blank, " "))
    }

    fn text(&mut self) -> Result<(), Failure> {
        let raw = self.scanner.take_while(|character| character != '<');
        let Some(parent) = self.open.last().copied() else {
            let blank = raw.chars().all(is_blank);
            return if blank { Ok(()) } else { Err(Failure::Refused) };
        };
        if raw.contains("]]>") {
            return Err(Failure::Refused);
        }
        if self.options.drop_blanks && raw.chars().all(is_blank) && self.is_indentation(parent) {
            return Ok(());
        }
        let text = self.resolve(raw)?;
        self.document.append_text(parent, &text);
        Ok(())
    }

    /// Whether white space here is no text of the element, as libxml2 guesses.
    fn is_indentation(&self, parent: NodeId) -> bool {
        let children = &self.document.node(parent).children;
        let is_text =
            |id: &NodeId| matches!(self.document.node(*id).kind, Kind::Text(_) | Kind::Verbatim(_));
        match (children.first(), children.last()) {
            (Some(first), Some(last)) => !is_text(first) && !is_text(last),
            _ => !self.scanner.rest().starts_with("</"),
        }
    }

    fn resolve(&self, raw: &str) -> Result<String, Failure> {
        let mut pieces = raw.split('&');
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (reference, after) = piece.split_once(';').ok_or(Failure::Refused)?;
            text.push(self.character(reference)?);
            text.push_str(after);
        }
        Ok(text)
    }

    fn character(&self, reference: &str) -> Result<char, Failure> {
        if let Some(number) = reference.strip_prefix('#') {
            let code = match number.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            let character = code.ok().and_then(char::from_u32);
            return character.filter(|found| is_allowed(*found)).ok_or(Failure::Refused);
        }
        match reference {
            "lt" => Ok('<'),
            "gt" => Ok('>'),
            "amp" => Ok('&'),
            "quot" => Ok('"'),
            "apos" => Ok('\''),
            _ if self.has_external_entities => {
                Err(Stopped::unsupported("XML", format!("the entity {reference}")).into())
            }
            _ => Err(Failure::Refused),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<String, Failure> {
        let options = Options { dialect: Dialect::Perl, drop_blanks: false };
        let document = read(text, options, &mut Budget::default())?.document;
        Ok(document.string_value(Document::ROOT))
    }

    #[test]
    fn references_and_cdata_become_text() {
        let text = "<?xml version='1.0'?>\r\n<!DOCTYPE a [<!ELEMENT a ANY>]><a>&lt;&#65;&#x42;<![CDATA[<&]]></a>\n";
        assert_eq!(read_text(text).as_deref(), Ok("<AB<&"));
    }

    #[test]
    fn what_is_not_well_formed_is_refused() {
        for text in [
            "",
            "text",
            "<a>",
            "<a></b>",
            "<a/><b/>",
            "<a x='1' x='2'/>",
            "<a x=1/>",
            "<a>&nbsp;</a>",
            "<a>a & b</a>",
            "<a><!-- a -- b --></a>",
            "\n<?xml version='1.0'?><a/>",
            "<a/>text",
            "<a>\u{1}</a>",
            "<a x='<'/>",
            "<a>]]></a>",
        ] {
            assert_eq!(read_text(text), Err(Failure::Refused), "{text:?}");
        }
    }

    #[test]
    fn undeclared_prefixes_are_accepted() {
        assert_eq!(read_text("<a><s:b s:c='1'>x</s:b></a>").as_deref(), Ok("x"));
    }

    #[test]
    fn deep_nesting_stops() {
        let deep = "<a>".repeat(100_000);
        assert!(matches!(read_text(&deep), Err(Failure::Stopped(Stopped::TooMuch(_)))));
    }

    #[test]
    fn a_named_entity_of_an_external_type_is_not_guessed() {
        let text = "<!DOCTYPE a PUBLIC 'x' 'y'><a>&nbsp;</a>";
        assert!(matches!(read_text(text), Err(Failure::Stopped(Stopped::Unsupported(_)))));
    }
}
