//! The nodes that a step can reach, and the tests that select among them.

use super::super::failure::Failure;
use super::super::tree::{Dialect, Document, Kind, NodeId, split_name};
use super::expression::{Axis, Test};

pub(super) fn nodes(document: &Document, axis: Axis, from: NodeId) -> Vec<NodeId> {
    let node = document.node(from);
    match axis {
        Axis::Itself => vec![from],
        Axis::Parent => node.parent.into_iter().collect(),
        Axis::Ancestor => {
            std::iter::successors(node.parent, |id| document.node(*id).parent).collect()
        }
        Axis::Attribute => node.attributes.clone(),
        Axis::Child => node.children.clone(),
        Axis::Descendant => document.descendants(from).collect(),
        Axis::DescendantOrSelf => std::iter::once(from).chain(document.descendants(from)).collect(),
        Axis::FollowingSibling => document.following_siblings(from).to_vec(),
        Axis::PrecedingSibling => document.preceding_siblings(from).iter().rev().copied().collect(),
    }
}

pub(super) fn passes(
    document: &Document,
    dialect: Dialect,
    axis: Axis,
    test: &Test,
    id: NodeId,
) -> bool {
    let kind = &document.node(id).kind;
    let principal = match axis {
        Axis::Attribute => matches!(kind, Kind::Attribute(..)),
        _ => matches!(kind, Kind::Element(_)),
    };
    match test {
        Test::Node => true,
        Test::Text => matches!(kind, Kind::Text(_) | Kind::Verbatim(_)),
        Test::Comment => matches!(kind, Kind::Comment(_)),
        Test::Any => principal,
        Test::Prefix(prefix) => principal && in_namespace(document, dialect, id, prefix),
        Test::Name(name) => principal && is_named(document, dialect, id, name),
    }
}

fn is_named(document: &Document, dialect: Dialect, id: NodeId, name: &str) -> bool {
    let written = document.name(id);
    let (prefix, local) = split_name(name);
    let (written_prefix, written_local) = split_name(written);
    if !prefix.is_empty() {
        return local == written_local && in_namespace(document, dialect, id, prefix);
    }
    match dialect {
        // Perl's module compares the name as written, whatever the default namespace is.
        Dialect::Perl => written == name,
        // A name without a prefix means no namespace. An undeclared prefix is part of the name, and
        // such a name cannot be written in an expression.
        Dialect::Libxml if written_prefix.is_empty() => {
            let is_attribute = matches!(document.node(id).kind, Kind::Attribute(..));
            let default = document.namespace(id, "").is_some_and(|address| !address.is_empty());
            written == name && (is_attribute || !default)
        }
        Dialect::Libxml => false,
    }
}

/// Whether the node's prefix means the same namespace as this prefix does at the node.
fn in_namespace(document: &Document, dialect: Dialect, id: NodeId, prefix: &str) -> bool {
    let (prefix_of_node, _) = split_name(document.name(id));
    let is_attribute = matches!(document.node(id).kind, Kind::Attribute(..));
    if prefix_of_node.is_empty() && (is_attribute || dialect == Dialect::Libxml) {
        return false;
    }
    let expected = document.namespace(id, prefix);
    expected.is_some() && expected == document.namespace(id, prefix_of_node)
}

/// Refuses a prefix that libxml2 does not know: documents do not declare any for the expression.
pub(super) fn check_prefix(dialect: Dialect, test: &Test) -> Result<(), Failure> {
    let prefix = match test {
        Test::Name(name) => split_name(name).0,
        Test::Prefix(prefix) => prefix,
        _ => "",
    };
    if dialect == Dialect::Libxml && !matches!(prefix, "" | "xml") {
        return Err(Failure::Refused);
    }
    Ok(())
}
