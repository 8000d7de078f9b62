//! A change with the name of its app, which the change itself may not contain.

use appstitch_types::{AppChange, ChangeKind};

use crate::links::{changes_path, page_path};

#[derive(Debug, Clone)]
pub struct NamedChange<'a> {
    pub change: &'a AppChange,
    /// The app's name at the time of the change.
    pub name: String,
}

impl<'a> NamedChange<'a> {
    /// A change of an app that is called `name` elsewhere, such as in the catalog. A name in the
    /// change itself comes first, and the slug is the last resort.
    pub fn new(change: &'a AppChange, name: Option<&str>) -> Self {
        let changed = text_after(change, "name");
        let name = changed.or(name).unwrap_or(&change.slug).to_owned();
        Self { change, name }
    }

    /// Whether somebody who follows versions wants to see it: the app was added, removed or renamed,
    /// or got another version.
    pub fn is_news(change: &AppChange) -> bool {
        is_news_of(change.kind, change.fields.contains_key("current_version"))
    }

    /// The path of the app's page. Of a removed app there are only its changes.
    pub fn path(&self) -> String {
        let slug = &self.change.slug;
        if self.change.kind == ChangeKind::Removed { changes_path(slug) } else { page_path(slug) }
    }
}

/// The text of a field after the change, or the last one if the app was removed; `None` if the
/// change does not contain it.
pub(crate) fn text_after<'a>(change: &'a AppChange, field: &str) -> Option<&'a str> {
    let field = change.fields.get(field)?;
    let value = if change.kind == ChangeKind::Removed { &field.from } else { &field.to };
    value.as_str()
}

/// Whether somebody who follows versions wants to see a change of a kind, which may change the
/// version.
pub fn is_news_of(kind: ChangeKind, changes_version: bool) -> bool {
    kind != ChangeKind::Changed || changes_version
}
