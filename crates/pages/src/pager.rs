//! Which rows of a list a page shows, and links to its neighbors.

use std::ops::Range;

use crate::{address::Address, display::Count};

#[derive(Debug)]
pub(crate) struct Pager {
    pub(crate) page: usize,
    pub(crate) pages: usize,
    pub(crate) total: Count,
    /// The number of the first and of the last row, from one on; zero in an empty list.
    pub(crate) first_row: Count,
    pub(crate) last_row: Count,
    pub(crate) first: Option<String>,
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
    range: Range<usize>,
}

impl Pager {
    /// A page of a list at an address. A number beyond the last page leads to the last one.
    pub(crate) fn new(address: &Address, page: usize, per_page: usize, total: usize) -> Self {
        let pages = total.div_ceil(per_page).max(1);
        let page = page.clamp(1, pages);
        let start = (page - 1) * per_page;
        let range = start..total.min(start + per_page);
        let path = |page: usize| {
            let number = if page == 1 { String::new() } else { page.to_string() };
            address.clone().with("page", number).to_string()
        };
        Self {
            page,
            pages,
            total: Count(total as u64),
            first_row: Count(if range.is_empty() { 0 } else { start as u64 + 1 }),
            last_row: Count(range.end as u64),
            first: (page > 2).then(|| path(1)),
            previous: (page > 1).then(|| path(page - 1)),
            next: (page < pages).then(|| path(page + 1)),
            range,
        }
    }

    /// The rows of the page within the list.
    pub(crate) fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_lead_to_their_neighbors() {
        let address = Address::new("/x").with("q", "a");
        let pager = |page, total| Pager::new(&address, page, 50, total);
        let only = pager(1, 50);
        assert_eq!((only.pages, only.range(), only.next), (1, 0..50, None));
        let second = pager(2, 120);
        assert_eq!(second.range(), 50..100);
        assert_eq!((second.first_row, second.last_row), (Count(51), Count(100)));
        assert_eq!(second.previous.as_deref(), Some("/x?q=a"));
        assert_eq!(second.next.as_deref(), Some("/x?q=a&page=3"));
        let beyond = pager(99, 120);
        assert_eq!((beyond.range(), beyond.next), (100..120, None));
        assert_eq!(beyond.first.as_deref(), Some("/x?q=a"));
        let empty = pager(1, 0);
        assert_eq!((empty.range(), empty.first_row, empty.last_row), (0..0, Count(0), Count(0)));
    }
}
