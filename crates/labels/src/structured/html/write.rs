//! Writes a page as libxml2 does, with its line breaks.

use super::super::tree::{Document, Kind, NodeId};
use super::{Page, elements, entities};

/// Writes a page. For `--format` libxml2 first states the encoding in the head, and then writes every
/// character outside ASCII as a reference all the same.
pub(in super::super) fn write(page: &mut Page, format: bool) -> String {
    let mut is_utf8 = declares_utf8(page);
    if format {
        declare_encoding(page);
        is_utf8 = false;
    }
    let mut writer = Writer { page, output: String::new() };
    writer.document_type();
    let children = &writer.page.document.node(Document::ROOT).children;
    for child in children {
        writer.node(*child, None);
    }
    writer.output.push('\n');
    if is_utf8 || writer.output.is_ascii() {
        return writer.output;
    }
    let mut output = String::with_capacity(writer.output.len());
    for character in writer.output.chars() {
        if character.is_ascii() {
            output.push(character);
        } else {
            entities::write(character, &mut output);
        }
    }
    output
}

fn head(document: &Document) -> Option<NodeId> {
    let named = |parent: NodeId, name: &str| {
        document.node(parent).children.iter().copied().find(|id| document.name(*id) == name)
    };
    named(named(Document::ROOT, "html")?, "head")
}

/// The content type that the head states, as the attribute that states it.
fn content_type(document: &Document, head: NodeId) -> Option<NodeId> {
    document.node(head).children.iter().find_map(|child| {
        let attribute = |name: &str| {
            let attributes = &document.node(*child).attributes;
            attributes.iter().copied().find(|id| document.name(*id) == name)
        };
        let kind = document.string_value(attribute("http-equiv")?);
        let is_meta = document.name(*child) == "meta" && kind.eq_ignore_ascii_case("content-type");
        attribute("content").filter(|_| is_meta)
    })
}

fn declares_utf8(page: &Page) -> bool {
    let document = &page.document;
    let content = head(document).and_then(|head| content_type(document, head));
    let content = content.map(|content| document.string_value(content).to_ascii_lowercase());
    content.is_some_and(|content| content.contains("charset=utf-8"))
}

fn declare_encoding(page: &mut Page) {
    const VALUE: &str = "text/html; charset=UTF-8";
    let document = &mut page.document;
    let Some(head) = head(document) else { return };
    if let Some(content) = content_type(document, head) {
        if !document.string_value(content).to_ascii_lowercase().contains("utf-8") {
            document.set_attribute(content, VALUE.to_owned());
        }
        return;
    }
    let meta = document.prepend(head, Kind::Element("meta".to_owned()));
    document.append_attribute(meta, "http-equiv".to_owned(), "Content-Type".to_owned());
    document.append_attribute(meta, "content".to_owned(), VALUE.to_owned());
}

struct Writer<'page> {
    page: &'page Page,
    output: String,
}

impl Writer<'_> {
    fn document_type(&mut self) {
        let Some(found) = &self.page.document_type else {
            self.output.push_str(
                "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.0 Transitional//EN\" \
                 \"http://www.w3.org/TR/REC-html40/loose.dtd\">\n",
            );
            return;
        };
        self.output.push_str("<!DOCTYPE ");
        self.output.push_str(&found.name);
        if let Some(public) = &found.public {
            self.output.push_str(" PUBLIC ");
            self.quoted(public);
            if let Some(system) = &found.system {
                self.output.push(' ');
                self.quoted(system);
            }
        } else if let Some(system) =
            found.system.as_deref().filter(|system| *system != "about:legacy-compat")
        {
            self.output.push_str(" SYSTEM ");
            self.quoted(system);
        }
        self.output.push_str(">\n");
    }

    fn quoted(&mut self, text: &str) {
        let quote = if text.contains('"') && !text.contains('\'') { '\'' } else { '"' };
        self.output.push(quote);
        if quote == '"' {
            self.output.push_str(&text.replace('"', "&quot;"));
        } else {
            self.output.push_str(text);
        }
        self.output.push(quote);
    }

    /// Writes a node. The reader limits the depth of the recursion.
    fn node(&mut self, id: NodeId, parent: Option<&str>) {
        let node = self.page.document.node(id);
        match &node.kind {
            Kind::Element(name) => {
                self.element(id, name);
                let next = self.page.document.following_siblings(id).first();
                let breaks = next.is_some_and(|next| !self.is_text(*next));
                let in_block = parent.is_some_and(|parent| !parent.starts_with('p'));
                if elements::is_block(name) && breaks && in_block {
                    self.output.push('\n');
                }
            }
            Kind::Text(text) if matches!(parent, Some("script" | "style")) => {
                self.output.push_str(text);
            }
            Kind::Text(text) => self.output.push_str(&escape(text)),
            Kind::Verbatim(text) => self.output.push_str(text),
            Kind::Comment(text) => {
                self.output.push_str("<!--");
                self.output.push_str(text);
                self.output.push_str("-->");
            }
            Kind::Instruction(target, data) => {
                self.output.push_str("<?");
                self.output.push_str(target);
                if !data.is_empty() {
                    self.output.push(' ');
                    self.output.push_str(data);
                }
                self.output.push('>');
            }
            Kind::Root | Kind::Attribute(..) => {}
        }
    }

    fn is_text(&self, id: NodeId) -> bool {
        matches!(self.page.document.node(id).kind, Kind::Text(_))
    }

    fn element(&mut self, id: NodeId, name: &str) {
        let node = self.page.document.node(id);
        self.output.push('<');
        self.output.push_str(name);
        for attribute in &node.attributes {
            self.attribute(*attribute, name);
        }
        self.output.push('>');
        if elements::is_empty(name) || name == "li" && node.children.is_empty() {
            return;
        }
        let breaks = elements::is_block(name) && node.children.len() > 1 && !name.starts_with('p');
        if breaks && node.children.first().is_some_and(|first| !self.is_text(*first)) {
            self.output.push('\n');
        }
        for child in &node.children {
            self.node(*child, Some(name));
        }
        if breaks && node.children.last().is_some_and(|last| !self.is_text(*last)) {
            self.output.push('\n');
        }
        self.output.push_str("</");
        self.output.push_str(name);
        self.output.push('>');
    }

    fn attribute(&mut self, id: NodeId, element: &str) {
        let Kind::Attribute(name, value) = &self.page.document.node(id).kind else { return };
        self.output.push(' ');
        self.output.push_str(name);
        if self.page.bare.contains(&id) || elements::is_boolean(name) {
            return;
        }
        self.output.push('=');
        let value = escape(value);
        let is_address =
            matches!(name.as_str(), "href" | "action" | "src") || name == "name" && element == "a";
        if is_address { self.quoted(&escape_address(&value)) } else { self.quoted(&value) }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn escape_address(address: &str) -> String {
    let mut escaped = String::with_capacity(address.len());
    for byte in address.trim_start_matches([' ', '\t', '\n', '\r']).bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()@/:=?;#%&,+<>".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.extend(format!("%{byte:02X}").chars());
        }
    }
    escaped
}
