//! What an address of `/vendors` asks for.

use appstitch_snapshot::{VendorEntry, VendorLetter, VendorOrder, Vendors};
use appstitch_text::fold_case;

use crate::address::{Address, InvalidAddress, filled, page_number};

#[derive(Debug, Clone, Default)]
pub struct VendorsRequest {
    pub(super) text: Option<String>,
    pub(super) letter: Option<VendorLetter>,
    pub(super) order: VendorOrder,
    pub(super) reversed: bool,
    pub(super) page: usize,
}

const ORDERS: [(&str, VendorOrder); 3] =
    [("name", VendorOrder::Name), ("apps", VendorOrder::Apps), ("drift", VendorOrder::Drifting)];

impl VendorsRequest {
    /// Reads the parameters by their names. An empty value is none.
    pub fn read(parameter: impl Fn(&str) -> Option<String>) -> Result<Self, InvalidAddress> {
        let value = |name: &str| filled(parameter(name));
        let letter = value("letter").map(|text| {
            let known = ["a letter from a to z", "0 for everything else"];
            VendorLetter::read(&text).ok_or_else(|| InvalidAddress::word("letter", &text, &known))
        });
        let (order, reversed) =
            value("sort").as_deref().map_or(Ok(Default::default()), read_sort)?;
        Ok(Self {
            text: value("q"),
            letter: letter.transpose()?,
            order,
            reversed,
            page: page_number(value("page").as_deref())?,
        })
    }

    /// The address in one form, whatever the client wrote: what the page depends on.
    pub fn name(&self) -> String {
        self.address().to_string()
    }

    pub(super) fn address(&self) -> Address {
        let page = if self.page <= 1 { String::new() } else { self.page.to_string() };
        Address::new("/vendors")
            .with("q", self.text.clone().unwrap_or_default())
            .with("letter", self.letter.map(|letter| letter.word().to_string()).unwrap_or_default())
            .with("sort", self.sort_word())
            .with("page", page)
    }

    /// The order as it is written; empty for the usual one.
    pub(super) fn sort_word(&self) -> String {
        let known = ORDERS.iter().find(|(_, order)| *order == self.order);
        let word = known.map(|(word, _)| *word).unwrap_or_default();
        match (self.order, self.reversed) {
            (VendorOrder::Apps, false) => String::new(),
            (_, false) => word.to_owned(),
            (_, true) => format!("-{word}"),
        }
    }

    /// The vendors that are asked for, in their order.
    pub(super) fn select<'a>(&self, vendors: &'a Vendors) -> Vec<&'a VendorEntry> {
        let text = self.text.as_deref().map(fold_case);
        let fits = |entry: &&VendorEntry| {
            self.letter.is_none_or(|letter| entry.letter() == letter)
                && text.as_ref().is_none_or(|text| entry.folded.contains(text.as_str()))
        };
        let ordered = vendors.ordered(self.order);
        if self.reversed {
            ordered.rev().filter(fits).collect()
        } else {
            ordered.filter(fits).collect()
        }
    }

    pub(super) fn sorted(&self, order: VendorOrder, reversed: bool) -> Address {
        Self { order, reversed, page: 1, ..self.clone() }.address()
    }

    pub(super) fn at_letter(&self, letter: VendorLetter) -> Address {
        Self { letter: Some(letter), text: None, page: 1, ..self.clone() }.address()
    }
}

fn read_sort(word: &str) -> Result<(VendorOrder, bool), InvalidAddress> {
    let (name, reversed) = word.strip_prefix('-').map_or((word, false), |name| (name, true));
    let known = ORDERS.iter().find(|(word, _)| *word == name);
    match known {
        Some((_, order)) => Ok((*order, reversed)),
        None => Err(InvalidAddress::word("sort", word, &ORDERS.map(|(word, _)| word))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: [&str; 4]) -> Result<VendorsRequest, InvalidAddress> {
        let names = ["q", "letter", "sort", "page"];
        VendorsRequest::read(|name| {
            let position = names.iter().position(|known| *known == name)?;
            Some(query[position].to_owned())
        })
    }

    #[test]
    fn an_address_is_read_and_written_in_one_form() {
        assert_eq!(read(["", "", "", ""]).unwrap().name(), "/vendors");
        assert_eq!(read(["", "M", "name", "1"]).unwrap().name(), "/vendors?letter=m&sort=name");
        let all = read(["a&b", "0", "drift", "3"]).unwrap();
        assert_eq!(all.name(), "/vendors?q=a%26b&letter=0&sort=drift&page=3");
        assert_eq!(read(["", "", "-name", ""]).unwrap().name(), "/vendors?sort=-name");
        assert_eq!(read(["", "", "-apps", "2"]).unwrap().name(), "/vendors?sort=-apps&page=2");
        for wrong in
            [["", "mm", "", ""], ["", "", "size", ""], ["", "", "--apps", ""], ["", "", "", "x"]]
        {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }
}
