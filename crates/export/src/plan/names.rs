//! The names under which `/aliases` finds apps, as far as they are exported.

use std::collections::BTreeSet;

use appstitch_snapshot::Snapshot;

/// Every name in folded case and as its source writes it, and every slug. A live server finds a name in
/// any case; a file has one.
pub(super) fn alias_names(snapshot: &Snapshot) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = snapshot.names().map(str::to_owned).collect();
    for position in (0..).take(snapshot.apps().rows().len()) {
        names.insert(snapshot.slug(position).to_owned());
        match snapshot.read_details(position) {
            Ok(details) => {
                names.extend(details.aliases.into_iter().flatten().map(|alias| alias.name));
            }
            // The rows are our own, so they can always be parsed.
            Err(error) => tracing::error!(%error, position, "cannot parse the rows of an app"),
        }
    }
    names
}
