//! A document as a tree, for XML and HTML.
//!
//! Nodes live in one list and are created in document order, attributes right after their element, so
//! comparing two ids compares their places in the document.

/// The two tools whose XML and `XPath` differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `xpath`: Perl's `XML::XPath` over expat.
    Perl,
    /// `xmllint`: libxml2.
    Libxml,
}

/// The place of a node in its document. Only [`Document`] makes them, so they are always valid for the
/// document that made them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeId(usize);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Root,
    Element(String),
    Attribute(String, String),
    /// Text, with references replaced.
    Text(String),
    /// A text that is written without escaping: `CDATA`, scripts and style sheets.
    Verbatim(String),
    Comment(String),
    Instruction(String, String),
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) parent: Option<NodeId>,
    /// The place among the children of the parent.
    position: usize,
    pub(super) children: Vec<NodeId>,
    pub(super) attributes: Vec<NodeId>,
    /// The namespaces that the element declares: prefix (empty for the default) and address.
    pub(super) namespaces: Vec<(String, String)>,
}

#[derive(Debug, Clone)]
pub(super) struct Document {
    nodes: Vec<Node>,
}

impl Document {
    pub(super) fn new() -> Self {
        let mut document = Self { nodes: Vec::new() };
        document.create(Kind::Root, None, 0);
        document
    }

    /// About how many bytes a node takes besides its text.
    pub(super) const NODE: usize = size_of::<Node>() + 64;

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The sum of the depths of all nodes, for the size of indented text.
    pub(super) fn depths(&self) -> usize {
        let mut depths: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let above = node.parent.and_then(|parent| depths.get(parent.0));
            depths.push(above.map_or(0, |depth| depth + 1));
        }
        depths.iter().sum()
    }

    pub(super) const ROOT: NodeId = NodeId(0);

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    fn create(&mut self, kind: Kind, parent: Option<NodeId>, position: usize) -> NodeId {
        let id = NodeId(self.nodes.len());
        let (children, attributes, namespaces) = (Vec::new(), Vec::new(), Vec::new());
        self.nodes.push(Node { kind, parent, position, children, attributes, namespaces });
        id
    }

    /// Adds a child at the end. The parent must be the last node or one of its ancestors.
    pub(super) fn append(&mut self, parent: NodeId, kind: Kind) -> NodeId {
        let id = self.create(kind, Some(parent), self.node(parent).children.len());
        self.nodes[parent.0].children.push(id);
        id
    }

    /// Adds a child at the beginning. Its id does not say its place any more.
    pub(super) fn prepend(&mut self, parent: NodeId, kind: Kind) -> NodeId {
        let children = self.node(parent).children.clone();
        for child in children {
            self.nodes[child.0].position += 1;
        }
        let id = self.create(kind, Some(parent), 0);
        self.nodes[parent.0].children.insert(0, id);
        id
    }

    /// Adds an attribute to an element that has no children yet.
    pub(super) fn append_attribute(
        &mut self,
        element: NodeId,
        name: String,
        value: String,
    ) -> NodeId {
        let position = self.node(element).attributes.len();
        let id = self.create(Kind::Attribute(name, value), Some(element), position);
        self.nodes[element.0].attributes.push(id);
        id
    }

    pub(super) fn set_attribute(&mut self, attribute: NodeId, new: String) {
        if let Kind::Attribute(_, value) = &mut self.nodes[attribute.0].kind {
            *value = new;
        }
    }

    /// Adds text that is written without escaping; such text after such text becomes one node.
    pub(super) fn append_verbatim(&mut self, parent: NodeId, text: &str) {
        if let Some(last) = self.node(parent).children.last().copied()
            && let Kind::Verbatim(before) = &mut self.nodes[last.0].kind
        {
            before.push_str(text);
            return;
        }
        self.append(parent, Kind::Verbatim(text.to_owned()));
    }

    pub(super) fn declare(&mut self, element: NodeId, prefix: String, address: String) {
        self.nodes[element.0].namespaces.push((prefix, address));
    }

    /// Adds text at the end of an element; text after text becomes one node.
    pub(super) fn append_text(&mut self, parent: NodeId, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some(last) = self.node(parent).children.last().copied()
            && let Kind::Text(before) = &mut self.nodes[last.0].kind
        {
            before.push_str(text);
            return;
        }
        self.append(parent, Kind::Text(text.to_owned()));
    }

    /// The siblings after a node; none for an attribute.
    pub(super) fn following_siblings(&self, id: NodeId) -> &[NodeId] {
        self.siblings(id).get(self.node(id).position + 1..).unwrap_or_default()
    }

    /// The siblings before a node; none for an attribute.
    pub(super) fn preceding_siblings(&self, id: NodeId) -> &[NodeId] {
        self.siblings(id).get(..self.node(id).position).unwrap_or_default()
    }

    fn siblings(&self, id: NodeId) -> &[NodeId] {
        let node = self.node(id);
        match (&node.kind, node.parent) {
            (Kind::Attribute(..), _) | (_, None) => &[],
            (_, Some(parent)) => &self.node(parent).children,
        }
    }

    /// The first node after a node and everything inside it, in document order.
    fn after(&self, id: NodeId) -> Option<NodeId> {
        let mut current = id;
        loop {
            if let Some(next) = self.following_siblings(current).first() {
                return Some(*next);
            }
            current = self.node(current).parent?;
        }
    }

    /// The nodes below a node in document order, without attributes.
    pub(super) fn descendants(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let end = match self.node(id).kind {
            Kind::Root => None,
            Kind::Attribute(..) => Some(id),
            _ => self.after(id),
        };
        let mut next = self.node(id).children.first().copied();
        std::iter::from_fn(move || {
            let current = next.filter(|next| Some(*next) != end)?;
            let inside = self.node(current).children.first().copied();
            next = inside.or_else(|| self.after(current));
            Some(current)
        })
    }

    /// The text of a node as `XPath` defines it.
    pub(super) fn string_value(&self, id: NodeId) -> String {
        match &self.node(id).kind {
            Kind::Text(text)
            | Kind::Verbatim(text)
            | Kind::Comment(text)
            | Kind::Attribute(_, text)
            | Kind::Instruction(_, text) => text.clone(),
            Kind::Root | Kind::Element(_) => {
                let mut value = String::new();
                for inside in self.descendants(id) {
                    if let Kind::Text(text) | Kind::Verbatim(text) = &self.node(inside).kind {
                        value.push_str(text);
                    }
                }
                value
            }
        }
    }

    /// The name of an element, an attribute or an instruction as written; otherwise empty.
    pub(super) fn name(&self, id: NodeId) -> &str {
        match &self.node(id).kind {
            Kind::Element(name) | Kind::Attribute(name, _) | Kind::Instruction(name, _) => name,
            _ => "",
        }
    }

    /// The address of the namespace that a prefix means at a node; the empty prefix is the default.
    pub(super) fn namespace(&self, id: NodeId, prefix: &str) -> Option<&str> {
        if prefix == "xml" {
            return Some("http://www.w3.org/XML/1998/namespace");
        }
        let mut current = Some(id);
        while let Some(id) = current {
            let node = self.node(id);
            let declared = node.namespaces.iter().find(|(declared, _)| declared == prefix);
            if let Some((_, address)) = declared {
                return Some(address);
            }
            current = node.parent;
        }
        None
    }
}

/// The part of a name before the colon (empty without one) and the part after it.
pub(super) fn split_name(name: &str) -> (&str, &str) {
    name.split_once(':').unwrap_or(("", name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descendants_end_with_the_element() {
        let mut document = Document::new();
        let root = document.append(Document::ROOT, Kind::Element("a".into()));
        let inner = document.append(root, Kind::Element("b".into()));
        document.append_attribute(inner, "x".into(), "1".into());
        document.append_text(inner, "one");
        document.append_text(inner, " two");
        document.append_text(root, "three");
        assert_eq!(document.string_value(inner), "one two");
        assert_eq!(document.string_value(root), "one twothree");
        assert_eq!(document.descendants(root).count(), 3);
        assert_eq!(document.following_siblings(inner).len(), 1);
    }
}
