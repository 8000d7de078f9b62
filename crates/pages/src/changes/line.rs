//! A change in the list, or the same change of several variants of a product.

use appstitch_text::words::all_of;
use appstitch_types::{AppChange, ChangeKind, FieldChange};
use appstitch_versions::is_lower_version;
use jiff::tz::Offset;
use serde_json::Value;

use super::listed::ListedChange;
use crate::{
    address::app_page,
    chip::Chip,
    namesakes::Namesakes,
    short::{self, short},
    source_names::source_title,
};

/// The fields whose values are shown. Of the others, only the names are: nobody reads hashes.
const SHOWN: [&str; 9] = [
    "current_version", "latest_release_date", "name", "slug", "vendor", "bundle_id",
    "expected_team_id", "install_method", "sources",
];

pub(super) struct Line {
    /// The hour and the minute.
    pub(super) time: String,
    pub(super) name: String,
    /// Set if another app on the page has the same name.
    pub(super) slug: Option<String>,
    /// The page of the app, or the one that says when it left.
    pub(super) path: String,
    /// The path and the slug of each variant that changed in the same way.
    pub(super) variants: Vec<(String, String)>,
    /// The main record of the product, if the app is in the catalog.
    product: Option<String>,
    /// What happened to the app, if more than a change.
    pub(super) chip: Option<Chip>,
    pub(super) moves: Vec<Move>,
    pub(super) others: String,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Move {
    /// What the field is called, unless the value speaks for itself.
    pub(super) title: Option<&'static str>,
    pub(super) from: Option<String>,
    /// The word or the arrow between both.
    pub(super) between: &'static str,
    pub(super) to: Option<String>,
    /// What happened to the last value, if no word before it says so.
    pub(super) after: &'static str,
}

impl Line {
    pub(super) fn of(listed: &ListedChange, namesakes: &Namesakes<'_>) -> Self {
        let ListedChange { change, name, product } = listed;
        let utc = Offset::UTC.to_datetime(change.at);
        let chip = match change.kind {
            ChangeKind::Added => Some(Chip { class: "badge-ok", text: "added" }),
            ChangeKind::Changed => None,
            ChangeKind::Removed => Some(Chip { class: "badge-bad", text: "removed" }),
            ChangeKind::Renamed => Some(Chip { class: "badge-neutral", text: "renamed" }),
        };
        let (moves, others) = fields(change);
        Self {
            time: format!("{:02}:{:02}", utc.hour(), utc.minute()),
            name: short(name, short::NAME),
            slug: namesakes.slug(name, &change.slug),
            path: app_page(&change.slug),
            variants: Vec::new(),
            product: product.clone(),
            chip,
            moves,
            others,
        }
    }
}

/// Adds a line to those of a day, or to the line of another variant that changed in the same way.
pub(super) fn add(lines: &mut Vec<Line>, line: Line, slug: &str) {
    let is_same = |other: &&mut Line| {
        other.product.is_some()
            && other.product == line.product
            && other.time == line.time
            && other.name == line.name
            && other.chip == line.chip
            && other.moves == line.moves
            && other.others == line.others
    };
    match lines.iter_mut().find(is_same) {
        Some(first) => first.variants.push((line.path, slug.to_owned())),
        None => lines.push(line),
    }
}

/// The fields that are shown with their values, and the names of the others.
fn fields(change: &AppChange) -> (Vec<Move>, String) {
    // Of an app that comes or goes every field is listed; the version says enough.
    let shown: &[&str] = match change.kind {
        ChangeKind::Added | ChangeKind::Removed => &SHOWN[..1],
        ChangeKind::Changed | ChangeKind::Renamed => &SHOWN,
    };
    let of = |field: &&str| {
        let moves = change.fields.get(*field).map(|moved| Move::all(field, moved, change.kind));
        moves.unwrap_or_default()
    };
    let moves = shown.iter().flat_map(of);
    let is_whole = matches!(change.kind, ChangeKind::Added | ChangeKind::Removed);
    let others = change.fields.keys().filter(|field| !is_whole && !shown.contains(&field.as_str()));
    let others: Vec<&str> = others.map(|field| field_title(field)).collect();
    let others = match others.as_slice() {
        [] => String::new(),
        others => format!("{} changed", all_of(others)),
    };
    (moves.collect(), others)
}

impl Move {
    /// The moves of a field: several of a list, at most one of another value.
    fn all(field: &str, change: &FieldChange, kind: ChangeKind) -> Vec<Self> {
        match (&change.from, &change.to) {
            (Value::Array(from), Value::Array(to)) => Self::of_list(from, to),
            _ => Self::of(field, change, kind).into_iter().collect(),
        }
    }

    fn of(field: &str, change: &FieldChange, kind: ChangeKind) -> Option<Self> {
        let (from, to) = (value(&change.from), value(&change.to));
        let is_version = field == "current_version";
        let is_back = is_version
            && match (&change.from, &change.to) {
                (Value::String(from), Value::String(to)) => is_lower_version(to, from),
                _ => false,
            };
        let is_whole = matches!(kind, ChangeKind::Added | ChangeKind::Removed);
        let between = match (&from, &to) {
            (None, None) => return None,
            (Some(_), Some(_)) if is_back => " back to ",
            (Some(_), Some(_)) => " → ",
            _ if is_whole => "",
            (None, Some(_)) => "now ",
            (Some(_), None) => " is no longer known",
        };
        let speaks_for_itself = is_version && (is_whole || from.is_some() && to.is_some());
        let title = (!speaks_for_itself).then(|| field_title(field));
        Some(Self { title, from, between, to, after: "" })
    }

    /// What was added to a list, and what was removed from it. The values speak for themselves.
    fn of_list(from: &[Value], to: &[Value]) -> Vec<Self> {
        let only = |these: &[Value], others: &[Value]| {
            let own = these.iter().filter(|value| !others.contains(value));
            let titles: Vec<&str> = own.filter_map(Value::as_str).map(source_title).collect();
            (!titles.is_empty()).then(|| short(&titles.join(", "), short::NAME))
        };
        let plain = Self { title: None, from: None, between: "", to: None, after: "" };
        let added =
            only(to, from).map(|to| Self { to: Some(to), after: " added", ..plain.clone() });
        let removed =
            only(from, to).map(|from| Self { from: Some(from), between: " removed", ..plain });
        added.into_iter().chain(removed).collect()
    }
}

/// A value for people; `None` if there is none.
fn value(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(short(text, short::NAME)),
        other => Some(short(&other.to_string(), short::NAME)),
    }
}

pub(super) fn field_title(field: &str) -> &'static str {
    match field {
        "slug" => "slug",
        "bundle_id" => "bundle ID",
        "name" => "name",
        "vendor" => "vendor",
        "current_version" => "version",
        "latest_release_date" => "release date",
        "download_url" => "download",
        "install_method" => "install method",
        "expected_team_id" => "Team ID",
        "sha256" => "SHA-256",
        "sources" => "sources",
        _ => "another field",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_says_what_was_added_and_what_was_removed() {
        let change = |from: Value, to: Value| {
            let moves = Move::all("sources", &FieldChange { from, to }, ChangeKind::Changed);
            let text = |field: &Move| {
                let value = |text: &Option<String>| text.clone().unwrap_or_default();
                [&value(&field.from), field.between, &value(&field.to), field.after].concat()
            };
            moves.iter().map(text).collect::<Vec<_>>()
        };
        let (few, more) = (json!(["recipe_index"]), json!(["mdm_installer", "recipe_index"]));
        assert_eq!(change(few.clone(), more.clone()), ["Jamf App Installers added"]);
        assert_eq!(change(more, few.clone()), ["Jamf App Installers removed"]);
        let both = change(few, json!(["mdm_installer"]));
        assert_eq!(both, ["Jamf App Installers added", "AutoPkg removed"]);
    }
}
