//! The part of a snapshot that a store keeps, so that the next start does not have to stitch.

use appstitch_store::{ServedApp, ServedBy, ServedChange, ServedSizes};
use appstitch_types::DriftScope;

use crate::{app_rows::AppRows, build::Draft, snapshot::Snapshot};

fn is_same(old: &AppRows, position: u32, new: &AppRows, new_position: u32) -> bool {
    old.apps.rows().row(position) == new.apps.rows().row(new_position)
        && old.sources.row(position) == new.sources.row(new_position)
        && old.provenance.row(position) == new.provenance.row(new_position)
        && old.drift_of(position) == new.drift_of(new_position)
        && old.note_hashes[position as usize] == new.note_hashes[new_position as usize]
}

impl Snapshot {
    pub fn served_sizes(&self) -> ServedSizes {
        let rows = &self.contents.rows;
        let drift = rows.drift(DriftScope::default()).entries.rows();
        ServedSizes {
            apps: rows.apps.rows().len(),
            app_bytes: rows.apps.rows().sizes().0,
            sources_bytes: rows.sources.sizes().0,
            provenance_bytes: rows.provenance.sizes().0,
            drifts: drift.len(),
            drift_bytes: drift.sizes().0,
        }
    }
}

impl Draft {
    /// The change that a store must write to keep this draft: everything, or only the difference
    /// to the snapshot it already keeps. `rules` names the stitching rules that made the draft.
    pub fn served_change(&self, rules: &str, stored: Option<&Snapshot>) -> ServedChange {
        let mut change = ServedChange {
            made_by: ServedBy { rules: rules.to_owned(), content_hash: self.content_hash.clone() },
            replaces_all: stored.is_none(),
            ..ServedChange::default()
        };
        let rows = &self.rows;
        let Some(old) = stored.map(|stored| &stored.contents.rows) else {
            change.put = rows.slugs.positions().map(|app| self.served_app(app)).collect();
            return change;
        };
        for pair in old.paired(rows) {
            match pair {
                (Some(gone), None) => change.removed.push(old.slug(gone).to_owned()),
                (Some(position), Some(new)) if is_same(old, position, rows, new) => {}
                (_, new) => change.put.extend(new.map(|new| self.served_app(new))),
            }
        }
        change
    }

    fn served_app(&self, position: u32) -> ServedApp {
        let rows = &self.rows;
        ServedApp {
            slug: rows.slug(position).to_owned(),
            app: rows.apps.rows().one(position),
            sources: rows.sources.one(position),
            provenance: rows.provenance.one(position),
            drift: rows.drift_of(position),
            notes: self.notes.one(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{ServedEntry, SnapshotBuilder};

    /// A catalog of apps whose label and cask state these versions.
    fn draft(apps: &[(&str, &str)]) -> Draft {
        Draft::of_records(apps.iter().map(|(slug, label)| {
            json!({"app": {"slug": slug, "name": slug, "vendor": "Acme", "sources": ["label_tool", "cask_catalog"]}, "sources": {
                "label_tool": {"label_name": slug, "label_url": "https://example.com/", "raw": {"name": slug, "appNewVersion": label}},
                "cask_catalog": {"token": slug, "entry_json": {"version": "2.0"}},
                "mdm_installer": {"title": slug, "source": "Vendor", "mgmt_id": "0A1"},
                "store_listing": (*slug == "b").then(|| json!({"bundle_id": "a.b", "raw": {}})),
            }})
        }))
    }

    fn slugs(change: &ServedChange) -> Vec<&str> {
        change.put.iter().map(|app| app.slug.as_str()).collect()
    }

    #[test]
    fn what_was_kept_gives_the_same_snapshot_again() {
        let first = draft(&[("a", "1.0"), ("b", "2.0"), ("c", "3.0")]);
        let change = first.served_change("rules", None);
        assert!(change.replaces_all);
        let mut builder = SnapshotBuilder::empty();
        for app in change.put {
            builder.push(&ServedEntry::read(app).unwrap()).unwrap();
        }
        let again = builder.finish(&std::collections::HashMap::new()).unwrap();
        assert_eq!(again.content_hash, first.content_hash);
        let (first, again) =
            (first.into_snapshot(None).unwrap(), again.into_snapshot(None).unwrap());
        assert_eq!(again.contents.title_codes, first.contents.title_codes);
        assert_eq!(again.categories(), first.categories());
        assert_eq!(again.contents.rows.drift(DriftScope::default()).scanned.count(Some("acme")), 3);
        assert_eq!((again.listed_apps(), first.listed_apps()), (1, 1));
        assert_eq!(again.search("b", 10), first.search("b", 10));
        assert_eq!(again.contents.rows.drift(DriftScope::default()).entries.rows().len(), 2);
    }

    #[test]
    fn only_what_differs_is_written() {
        let kept = draft(&[("a", "1.0"), ("b", "2.0"), ("c", "3.0")]).into_snapshot(None).unwrap();
        let same =
            draft(&[("a", "1.0"), ("b", "2.0"), ("c", "3.0")]).served_change("rules", Some(&kept));
        assert_eq!((slugs(&same), same.removed.len()), (vec![], 0));
        let next =
            draft(&[("b", "2.1"), ("c", "3.0"), ("d", "1.0")]).served_change("rules", Some(&kept));
        assert_eq!(slugs(&next), ["b", "d"]);
        assert_eq!(next.removed, ["a"]);
        assert!(!next.replaces_all);
        let fewer = draft(&[("a", "1.0")]).served_change("rules", Some(&kept));
        assert_eq!(slugs(&fewer), Vec::<&str>::new());
        assert_eq!(fewer.removed, ["b", "c"]);
    }
}
