//! Writes XML as libxml2 does.

use super::tree::{Document, Kind, NodeId};
use super::xml::Xml;
use crate::Stopped;

/// Writes a node that an expression found.
pub(super) fn node(document: &Document, id: NodeId, has_encoding: bool, output: &mut String) {
    let mut writer = Writer { document, has_encoding, text_as_references: false, output };
    writer.node(id, None);
}

pub(super) fn document(xml: &Xml, format: bool) -> Result<String, Stopped> {
    if xml.has_document_type {
        return Err(Stopped::unsupported("xmllint", "writing a document type"));
    }
    let mut output = "<?xml version=\"1.0\"".to_owned();
    if let Some(encoding) = &xml.encoding {
        output = output + " encoding=\"" + encoding + "\"";
    }
    output.push_str("?>\n");
    let mut writer = Writer {
        document: &xml.document,
        has_encoding: xml.encoding.is_some(),
        text_as_references: xml.encoding.is_none(),
        output: &mut output,
    };
    for child in &xml.document.node(Document::ROOT).children {
        writer.node(*child, format.then_some(0));
        writer.output.push('\n');
    }
    let is_utf8 = |encoding: &String| encoding.eq_ignore_ascii_case("utf-8");
    if !xml.encoding.as_ref().is_none_or(is_utf8) && !output.is_ascii() {
        return Err(Stopped::unsupported("xmllint", "writing another encoding than UTF-8"));
    }
    Ok(output)
}

struct Writer<'run> {
    document: &'run Document,
    has_encoding: bool,
    text_as_references: bool,
    output: &'run mut String,
}

impl Writer<'_> {
    /// Writes a node, indented if a depth is given. The reader limits the depth of the recursion.
    fn node(&mut self, id: NodeId, depth: Option<usize>) {
        let node = self.document.node(id);
        match &node.kind {
            Kind::Root => {
                for child in &node.children {
                    self.node(*child, depth);
                    self.output.push('\n');
                }
            }
            Kind::Attribute(name, value) => self.attribute(name, value),
            Kind::Text(text) => self.text(text),
            Kind::Verbatim(text) => {
                self.output.push_str("<![CDATA[");
                self.output.push_str(text);
                self.output.push_str("]]>");
            }
            Kind::Comment(text) => {
                self.output.push_str("<!--");
                self.output.push_str(text);
                self.output.push_str("-->");
            }
            Kind::Instruction(target, data) => {
                let space = if data.is_empty() { "" } else { " " };
                self.output.extend(["<?", target, space, data, "?>"]);
            }
            Kind::Element(name) => self.element(id, name, depth),
        }
    }

    fn element(&mut self, id: NodeId, name: &str, depth: Option<usize>) {
        let node = self.document.node(id);
        self.output.push('<');
        self.output.push_str(name);
        for (prefix, address) in &node.namespaces {
            let colon = if prefix.is_empty() { "" } else { ":" };
            self.attribute(&format!("xmlns{colon}{prefix}"), address);
        }
        for attribute in &node.attributes {
            self.node(*attribute, None);
        }
        if node.children.is_empty() {
            self.output.push_str("/>");
            return;
        }
        self.output.push('>');
        let is_text =
            |id: &NodeId| matches!(self.document.node(*id).kind, Kind::Text(_) | Kind::Verbatim(_));
        // White space would change an element with text.
        let depth = depth.filter(|_| !node.children.iter().any(is_text));
        for child in &node.children {
            self.indent(depth.map(|depth| depth + 1));
            self.node(*child, depth.map(|depth| depth + 1));
        }
        self.indent(depth);
        self.output.push_str("</");
        self.output.push_str(name);
        self.output.push('>');
    }

    fn indent(&mut self, depth: Option<usize>) {
        if let Some(depth) = depth {
            self.output.push('\n');
            self.output.push_str(&"  ".repeat(depth));
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.output.push(' ');
        self.output.push_str(name);
        self.output.push_str("=\"");
        for character in value.chars() {
            match character {
                '"' => self.output.push_str("&quot;"),
                '\n' => self.output.push_str("&#10;"),
                '\t' => self.output.push_str("&#9;"),
                _ => self.character(character, !self.has_encoding),
            }
        }
        self.output.push('"');
    }

    fn text(&mut self, text: &str) {
        for character in text.chars() {
            self.character(character, self.text_as_references);
        }
    }

    fn character(&mut self, character: char, as_reference: bool) {
        match character {
            '&' => self.output.push_str("&amp;"),
            '<' => self.output.push_str("&lt;"),
            '>' => self.output.push_str("&gt;"),
            '\r' => self.output.push_str("&#13;"),
            _ if as_reference && !character.is_ascii() => {
                let reference = format!("&#x{:X};", u32::from(character));
                self.output.push_str(&reference);
            }
            _ => self.output.push(character),
        }
    }
}
