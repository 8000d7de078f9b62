//! The different rows of an inventory. Inventories of many Macs list the same apps many times.

use hashbrown::HashMap;

use crate::installed_app::{InstalledApp, InstalledFrom};

/// The rows that were seen so far, each kind once.
#[derive(Default)]
pub(super) struct KnownRows<'a> {
    /// By the hash of what is known about them.
    numbers: HashMap<u64, u32>,
    rows: Vec<&'a InstalledApp>,
}

/// The most rows that room is made for before they are seen. Most rows may be the same.
const MOST_EXPECTED: usize = 1 << 14;

impl<'a> KnownRows<'a> {
    pub(super) fn expecting(count: usize) -> Self {
        let count = count.min(MOST_EXPECTED);
        Self { numbers: HashMap::with_capacity(count), rows: Vec::with_capacity(count) }
    }

    /// In bytes, approximately.
    pub(super) const SIZE: usize = 2 * size_of::<(u64, u32)>() + size_of::<&InstalledApp>();

    /// The number of a row, and whether it is the first one with it. Of two different rows with the
    /// same hash, the second one gets a new number each time.
    pub(super) fn number(&mut self, row: &'a InstalledApp) -> (u32, bool) {
        let facts = Facts::of(row);
        // Lists have far fewer rows.
        let next = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(facts.hash()).or_insert(next);
        let is_known = self.rows.get(number as usize).is_some_and(|row| Facts::of(row) == facts);
        if is_known {
            return (number, false);
        }
        self.rows.push(row);
        (next, true)
    }
}

/// Everything that a result depends on.
#[derive(PartialEq, Eq)]
struct Facts<'a> {
    name: Option<&'a str>,
    other_names: &'a [String],
    token: Option<&'a str>,
    bundle_id: Option<&'a str>,
    short_version: Option<&'a str>,
    build: Option<&'a str>,
    path: Option<&'a str>,
    team_id: Option<&'a str>,
    origin: InstalledFrom,
    version_from_receipt: bool,
}

impl<'a> Facts<'a> {
    fn of(app: &'a InstalledApp) -> Self {
        Self {
            name: app.name.as_deref(),
            other_names: &app.other_names,
            token: app.token.as_deref(),
            bundle_id: app.bundle_id.as_deref(),
            short_version: app.short_version.as_deref(),
            build: app.build.as_deref(),
            path: app.path.as_deref(),
            team_id: app.team_id.as_deref(),
            origin: app.origin,
            version_from_receipt: app.version_from_receipt,
        }
    }

    /// A hash of most of it. Rows that differ only in the rest are rare. Different rows
    /// with the same hash cost no more than different rows: they are checked one by one.
    fn hash(&self) -> u64 {
        let Self { name, token, bundle_id, short_version, build, path, team_id, .. } = *self;
        [name, token, bundle_id, short_version, build, path, team_id].into_iter().fold(1, add)
    }
}

fn add(hash: u64, text: Option<&str>) -> u64 {
    let bytes = text.unwrap_or_default().as_bytes();
    let hash = mixed(hash ^ bytes.len() as u64);
    let Some(last) = bytes.last_chunk::<8>() else {
        let word = bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        return mixed(hash ^ word);
    };
    // The last eight bytes may overlap those before them.
    let (words, _) = bytes[..bytes.len() - 1].as_chunks::<8>();
    let words = words.iter().chain([last]).map(|word| u64::from_le_bytes(*word));
    words.fold(hash, |hash, word| mixed(hash ^ word))
}

/// Both halves of the product with the golden ratio, which depend on all bits.
#[expect(clippy::cast_possible_truncation, reason = "each half is taken by itself")]
fn mixed(value: u64) -> u64 {
    let product = u128::from(value) * 0x9e37_79b9_7f4a_7c15;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, version: &str) -> InstalledApp {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        InstalledApp { name: text(name), short_version: text(version), ..InstalledApp::default() }
    }

    #[test]
    fn equal_rows_have_one_number_and_different_ones_have_others() {
        let other_mac = InstalledApp { host: Some("mac-2".to_owned()), ..row("Sample", "1.0") };
        let store = InstalledApp { origin: InstalledFrom::Store, ..row("Sample", "1.0") };
        let rows = [
            (row("Sample", "1.0"), 0, true),
            (row("Sample", "1.1"), 1, true),
            (row("Sample", "1.0"), 0, false),
            (other_mac, 0, false),
            (row("Sample1.0", ""), 2, true),
            (store, 3, true),
            (row("", ""), 4, true),
            (row("A name of more than eight bytes", "1.1"), 5, true),
            (row("A name of more than eight bytes", "1.1"), 5, false),
        ];
        let mut known = KnownRows::default();
        for (row, number, is_new) in &rows {
            assert_eq!(known.number(row), (*number, *is_new), "{row:?}");
        }
    }
}
