//! A change with the name of its app.

use appstitch_feeds::NamedChange;
use appstitch_snapshot::ChangeRow;
use appstitch_types::AppChange;

use crate::site::Site;

pub(super) struct ListedChange {
    pub(super) change: AppChange,
    pub(super) name: String,
    /// The slug of the main record of the product, if the app is in the catalog.
    pub(super) product: Option<String>,
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
        let product = position.map(|position| site.snapshot.main_variant(position).to_owned());
        Self { change, name, product }
    }
}

fn last_name(site: &Site<'_>, slug: &str) -> Option<String> {
    let last = site.snapshot.journal().of_app(slug).next_back()?;
    let name = last.fields().remove("name")?;
    name.from.as_str().map(str::to_owned)
}
