//! The vendors of the catalog with their counts.

mod nearest;

use appstitch_text::fold_case;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VendorEntry {
    /// The name as the vendor's first app spells it.
    pub name: String,
    /// The name in folded case: two vendors never have the same.
    pub folded: String,
    pub apps: usize,
    /// The apps whose sources disagree, whichever sources these are.
    pub drifting: usize,
}

impl VendorEntry {
    pub fn letter(&self) -> VendorLetter {
        VendorLetter::of(&self.folded)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VendorLetter {
    /// Anything but a letter from a to z.
    Other,
    /// A letter from a to z, in lower case.
    Latin(char),
}

impl VendorLetter {
    pub fn of(name: &str) -> Self {
        let first = name.chars().next().map(|first| first.to_ascii_lowercase());
        first.filter(char::is_ascii_lowercase).map_or(Self::Other, Self::Latin)
    }

    /// Reads a letter, or `0` for everything else.
    pub fn read(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        match (letters.next()?.to_ascii_lowercase(), letters.next()) {
            ('0', None) => Some(Self::Other),
            (letter, None) if letter.is_ascii_lowercase() => Some(Self::Latin(letter)),
            _ => None,
        }
    }

    pub fn word(self) -> char {
        match self {
            Self::Other => '0',
            Self::Latin(letter) => letter,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum VendorOrder {
    Name,
    /// The most apps first.
    #[default]
    Apps,
    /// The most apps with drift first.
    Drifting,
}

#[derive(Debug, Default)]
pub struct Vendors {
    /// By folded name.
    entries: Box<[VendorEntry]>,
    by_apps: Box<[u32]>,
    by_drifting: Box<[u32]>,
}

impl Vendors {
    pub(crate) fn new(mut entries: Vec<VendorEntry>) -> Self {
        entries.sort_unstable_by(|left, right| left.folded.cmp(&right.folded));
        let ordered = |count: fn(&VendorEntry) -> usize| {
            // A catalog never has four billion vendors.
            let mut order: Vec<u32> =
                (0..u32::try_from(entries.len()).unwrap_or(u32::MAX)).collect();
            // Stable, so that vendors with the same count stay in the order of their names.
            order.sort_by_key(|number| std::cmp::Reverse(count(&entries[*number as usize])));
            order.into_boxed_slice()
        };
        let (by_apps, by_drifting) =
            (ordered(|vendor| vendor.apps), ordered(|vendor| vendor.drifting));
        Self { entries: entries.into(), by_apps, by_drifting }
    }

    /// Every vendor, by folded name.
    pub fn all(&self) -> &[VendorEntry] {
        &self.entries
    }

    pub fn ordered(&self, order: VendorOrder) -> impl DoubleEndedIterator<Item = &VendorEntry> {
        let chosen = match order {
            VendorOrder::Name => None,
            VendorOrder::Apps => Some(&self.by_apps),
            VendorOrder::Drifting => Some(&self.by_drifting),
        };
        (0..self.entries.len())
            .map(move |rank| &self.entries[chosen.map_or(rank, |order| order[rank] as usize)])
    }

    pub fn find(&self, name: &str) -> Option<&VendorEntry> {
        let folded = fold_case(name);
        let found = self.entries.binary_search_by(|entry| entry.folded.as_str().cmp(&folded));
        found.ok().map(|number| &self.entries[number])
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
        let names =
            |order| vendors.ordered(order).map(|vendor| vendor.name.as_str()).collect::<Vec<_>>();
        assert_eq!(names(VendorOrder::Name), ["acme", "Mozilla", "Zoom"]);
        assert_eq!(names(VendorOrder::Apps), ["Mozilla", "Zoom", "acme"]);
        assert_eq!(names(VendorOrder::Drifting), ["acme", "Mozilla", "Zoom"]);
        assert_eq!(vendors.find("MOZILLA").map(|vendor| vendor.apps), Some(3));
        assert_eq!(vendors.find("Mozill"), None);
        let nearest = |wanted| {
            let found = vendors.nearest(wanted, 5).into_iter();
            found.map(|vendor| vendor.name.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(nearest("mozila"), ["Mozilla"], "one letter is missing");
        assert_eq!(nearest("ACME Inc."), ["acme"], "a legal form");
        assert_eq!((nearest(""), nearest("nobody")), (vec![], vec![]));
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
