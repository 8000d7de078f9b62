//! The vendors of the catalog with their counts, made once per revision when they are first needed.

use appstitch_catalog::{DriftScope, fold_case};
use memchr::memmem;
use serde::Deserialize;

use crate::Snapshot;

/// How the vendor begins in the row of an app. It is never the first key.
const VENDOR_KEY: &[u8] = b",\"vendor\":";

/// A vendor of the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VendorEntry {
    /// The name as the vendor's first app spells it.
    pub name: String,
    /// The name in folded case: what vendors are told apart by.
    pub folded: String,
    /// The number of its apps.
    pub apps: usize,
    /// The number of its apps whose sources disagree on the newest version.
    pub drifting: usize,
}

impl VendorEntry {
    /// The letter under which an index lists the vendor.
    #[must_use]
    pub fn letter(&self) -> VendorLetter {
        VendorLetter::of(&self.folded)
    }
}

/// A letter of an index of vendors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VendorLetter {
    /// Anything but a letter from a to z.
    Other,
    /// A letter from a to z, in lower case.
    Latin(char),
}

impl VendorLetter {
    /// The letter of a name.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let first = name.chars().next().map(|first| first.to_ascii_lowercase());
        first.filter(char::is_ascii_lowercase).map_or(Self::Other, Self::Latin)
    }

    /// Reads a letter, or `0` for everything else.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        match (letters.next()?.to_ascii_lowercase(), letters.next()) {
            ('0', None) => Some(Self::Other),
            (letter, None) if letter.is_ascii_lowercase() => Some(Self::Latin(letter)),
            _ => None,
        }
    }

    /// What [`Self::read`] takes.
    #[must_use]
    pub fn word(self) -> char {
        match self {
            Self::Other => '0',
            Self::Latin(letter) => letter,
        }
    }
}

/// An order of vendors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum VendorOrder {
    /// By name.
    #[default]
    Name,
    /// The most apps first.
    Apps,
    /// The most apps with drift first.
    Drifting,
}

/// The vendors of a catalog.
#[derive(Debug, Default)]
pub struct Vendors {
    /// By folded name.
    entries: Box<[VendorEntry]>,
    by_apps: Box<[u32]>,
    by_drifting: Box<[u32]>,
}

impl Vendors {
    fn new(mut entries: Vec<VendorEntry>) -> Self {
        entries.sort_unstable_by(|left, right| left.folded.cmp(&right.folded));
        let ordered = |count: fn(&VendorEntry) -> usize| {
            // A catalog never has four billion vendors.
            let mut order: Vec<u32> =
                (0..u32::try_from(entries.len()).unwrap_or(u32::MAX)).collect();
            // Stable, so that vendors with the same count stay in the order of their names.
            order.sort_by_key(|number| std::cmp::Reverse(count(&entries[*number as usize])));
            order.into_boxed_slice()
        };
        let (by_apps, by_drifting) = (ordered(|own| own.apps), ordered(|own| own.drifting));
        Self { entries: entries.into(), by_apps, by_drifting }
    }

    /// Every vendor, by folded name.
    #[must_use]
    pub fn all(&self) -> &[VendorEntry] {
        &self.entries
    }

    /// Every vendor in an order.
    #[must_use]
    pub fn ordered(&self, order: VendorOrder) -> impl DoubleEndedIterator<Item = &VendorEntry> {
        let chosen = match order {
            VendorOrder::Name => None,
            VendorOrder::Apps => Some(&self.by_apps),
            VendorOrder::Drifting => Some(&self.by_drifting),
        };
        (0..self.entries.len())
            .map(move |rank| &self.entries[chosen.map_or(rank, |order| order[rank] as usize)])
    }

    /// The vendor with a name, ignoring case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&VendorEntry> {
        let folded = fold_case(name);
        let found = self.entries.binary_search_by(|entry| entry.folded.as_str().cmp(&folded));
        found.ok().map(|number| &self.entries[number])
    }
}

impl Snapshot {
    /// The vendors of the catalog. The first call for a revision reads an app of each.
    #[must_use]
    pub fn vendors(&self) -> &Vendors {
        self.contents.vendors.get_or_init(|| {
            let rows = &self.contents.rows;
            let drift = &rows.drift(DriftScope::default()).entries;
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
    /// thousands of vendors. The row is our own JSON, in which a quote inside a value is escaped, so
    /// the key is found where it is and nowhere else.
    fn spelled_vendor(&self, positions: &[u32]) -> Option<String> {
        let first = self.contents.rows.apps.rows().row(*positions.first()?);
        let value = memmem::find(first, VENDOR_KEY)? + VENDOR_KEY.len();
        let mut value = serde_json::Deserializer::from_slice(&first[value..]);
        Option::deserialize(&mut value).ok()?
    }

    /// The positions of a vendor's apps, in slug order. The name is in folded case.
    #[must_use]
    pub fn apps_of_vendor(&self, folded: &str) -> &[u32] {
        self.contents.rows.apps.of_vendor(folded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vendors(entries: &[(&str, usize, usize)]) -> Vendors {
        let entry = |(name, apps, drifting): &(&str, usize, usize)| VendorEntry {
            name: (*name).to_owned(),
            folded: fold_case(name),
            apps: *apps,
            drifting: *drifting,
        };
        Vendors::new(entries.iter().map(entry).collect())
    }

    #[test]
    fn vendors_are_ordered_and_found_whatever_their_case() {
        let vendors = vendors(&[("Zoom", 3, 0), ("acme", 1, 1), ("Mozilla", 3, 1)]);
        let names = |order| vendors.ordered(order).map(|own| own.name.as_str()).collect::<Vec<_>>();
        assert_eq!(names(VendorOrder::Name), ["acme", "Mozilla", "Zoom"]);
        assert_eq!(names(VendorOrder::Apps), ["Mozilla", "Zoom", "acme"]);
        assert_eq!(names(VendorOrder::Drifting), ["acme", "Mozilla", "Zoom"]);
        assert_eq!(vendors.find("MOZILLA").map(|own| own.apps), Some(3));
        assert_eq!(vendors.find("Mozill"), None);
    }

    #[test]
    fn letters_are_read_as_they_are_written() {
        for letter in [VendorLetter::of("Émile"), VendorLetter::of("7-Zip"), VendorLetter::of("")]
        {
            assert_eq!(letter, VendorLetter::Other);
            assert_eq!(VendorLetter::read(&letter.word().to_string()), Some(letter));
        }
        assert_eq!(VendorLetter::read("M"), Some(VendorLetter::of("mozilla")));
        for text in ["", "ab", "1", "é", "<"] {
            assert_eq!(VendorLetter::read(text), None, "{text}");
        }
    }
}
