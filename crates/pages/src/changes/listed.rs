//! A change with the name of its app.

use appstitch_feeds::NamedChange;
use appstitch_snapshot::ChangeRow;
use appstitch_types::AppChange;

use crate::site::Site;

pub(super) struct ListedChange {
    pub(super) change: AppChange,
    pub(super) name: String,
    pub(super) is_listed: bool,
}

impl ListedChange {
    pub(super) fn of(site: &Site<'_>, row: ChangeRow<'_>) -> Self {
        let change = row.change();
        let position = site.snapshot.find(&change.slug).ok();
        let name = match position {
            Some(position) => site.snapshot.app_name(position).ok(),
            None => last_name(site, &change.slug),
        };
        let name = NamedChange::new(&change, name.as_deref()).name;
        Self { name, is_listed: position.is_some(), change }
    }
}

fn last_name(site: &Site<'_>, slug: &str) -> Option<String> {
    let last = site.snapshot.journal().of_app(slug).next_back()?;
    let name = last.fields().remove("name")?;
    name.from.as_str().map(str::to_owned)
}
