//! Tables that take all rows to make. They are made once per revision: when they are first needed, or in
//! advance.

use appstitch_types::DriftScope;
use memchr::memmem;
use serde::Deserialize;

use crate::{
    drift_table::{DriftLine, DriftTable, LaggingSince},
    snapshot::Snapshot,
    vendors::{VendorEntry, Vendors},
};

/// How the vendor begins in the row of an app. It is never the first key.
const VENDOR_KEY: &[u8] = b",\"vendor\":";

impl Snapshot {
    /// Makes the lists of vendors and of drift, so that no page has to wait for them. They take a few
    /// milliseconds.
    pub fn prepare_pages(&self) {
        let _ = self.vendors();
        let _ = self.drift_table(DriftScope::default());
        // The pages of apps and vendors say which source is behind, whichever it is.
        let _ = self.drift_table(DriftScope::EVERYTHING);
    }

    /// Makes what else was in use in the previous snapshot. This takes a while and must not run on an
    /// async thread. A server that nobody asks for inventories never pays for them.
    pub fn prepare_like(&self, previous: &Self) {
        if previous.contents.installed.get().is_some() {
            self.installed_index();
        }
        for scope in DriftScope::ALL {
            if previous.contents.drift_tables[scope.number()].get().is_some() {
                let _ = self.drift_table(scope);
            }
        }
    }

    /// The vendors of the catalog. The first call for a revision reads an app of each.
    pub fn vendors(&self) -> &Vendors {
        self.contents.vendors.get_or_init(|| {
            let rows = &self.contents.rows;
            let drift = &rows.drift(DriftScope::EVERYTHING).entries;
            let entry = |(folded, positions): (&str, &[u32])| VendorEntry {
                name: self.spelled_vendor(positions).unwrap_or_else(|| folded.to_owned()),
                apps: positions.len(),
                drifting: drift.of_vendor(folded).len(),
                folded: folded.to_owned(),
            };
            Vendors::new(rows.apps.vendors().map(entry).collect())
        })
    }

    /// The vendor as the first of these apps spells it. Nothing else of the app is parsed: there are
    /// thousands of vendors. This crate wrote the row: a quote inside a value is escaped, so
    /// the key is found where it is and nowhere else.
    fn spelled_vendor(&self, positions: &[u32]) -> Option<String> {
        let first = self.contents.rows.apps.rows().row(*positions.first()?);
        let value = memmem::find(first, VENDOR_KEY)? + VENDOR_KEY.len();
        let mut value = serde_json::Deserializer::from_slice(&first[value..]);
        Option::deserialize(&mut value).ok()?
    }

    /// The positions of a vendor's apps, in slug order. The name is in folded case.
    pub fn apps_of_vendor(&self, folded: &str) -> &[u32] {
        self.contents.rows.apps.of_vendor(folded)
    }

    /// The drift of a scope as a table. The first call for a revision reads every entry.
    pub fn drift_table(&self, scope: DriftScope) -> &DriftTable {
        self.contents.drift_tables[scope.number()].get_or_init(|| {
            let drift = self.contents.rows.drift(scope);
            let since = LaggingSince::of(self.journal());
            let rows = drift.entries.rows();
            let lines = drift.apps().into_iter().zip(0_u32..).filter_map(|(app, number)| {
                // This crate wrote the rows, so they can always be parsed.
                let entry = serde_json::from_slice(rows.row(number)).ok()?;
                Some(DriftLine::new(app, entry, &since))
            });
            DriftTable::new(lines.collect(), drift.scanned.count(None))
        })
    }

    pub fn drift_line(&self, scope: DriftScope, app: u32) -> Option<&DriftLine> {
        let number = self.contents.rows.drift(scope).entry_of(app)?;
        self.drift_table(scope).lines().get(number as usize)
    }
}
