//! Checks what no row shows by itself: that rows are ordered, none is twice, and none refers to what is
//! not there. A store would reject such rows, or could not be opened with them.

use std::{cmp::Ordering, collections::HashSet};

use super::{
    cell::{Cell, Row},
    table::{APP, CHANGE, DRIFT_EVENT, JOURNAL, Key, REVISION, Table},
};

const APP_SLUG: usize = 1;
const REVISION_NUMBER: usize = 0;
const REVISION_NEWEST_CHANGE: usize = 9;
const JOURNAL_NEWEST: usize = 1;
const JOURNAL_FLOOR: usize = 2;
const SEQ: usize = 0;
const SEQ_REVISION: usize = 1;

/// What is known of the rows so far.
#[derive(Default)]
pub(super) struct Consistency {
    /// The table and the key of the last row.
    last: Option<(&'static str, Row)>,
    slugs: HashSet<String>,
    revisions: HashSet<i64>,
    newest_change: i64,
    newest: i64,
}

impl Consistency {
    /// Checks the next row. The reason says what is wrong.
    pub(super) fn check(&mut self, table: &'static Table, row: &Row) -> Result<(), &'static str> {
        self.check_order(table, row)?;
        match table.name {
            APP => {
                let slug = row[APP_SLUG].text().unwrap_or_default();
                if !self.slugs.insert(slug.to_owned()) {
                    return Err("the slug occurs twice");
                }
            }
            REVISION => {
                self.revisions.insert(number(&row[REVISION_NUMBER]));
                self.newest_change = self.newest_change.max(number(&row[REVISION_NEWEST_CHANGE]));
            }
            JOURNAL => {
                self.newest = number(&row[JOURNAL_NEWEST]);
                if number(&row[JOURNAL_FLOOR]) > self.newest || self.newest_change > self.newest {
                    return Err("the journal ends before its last change");
                }
            }
            CHANGE | DRIFT_EVENT => {
                if number(&row[SEQ]) > self.newest {
                    return Err("the number is after the end of the journal");
                }
                if !self.revisions.contains(&number(&row[SEQ_REVISION])) {
                    return Err("the revision is missing");
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn check_order(&mut self, table: &'static Table, row: &Row) -> Result<(), &'static str> {
        let last = self.last.as_ref().filter(|(name, _)| *name == table.name);
        let key = match (table.key, last) {
            (Key::OnlyRow, Some(_)) => return Err("the table can have one row only"),
            (Key::OnlyRow | Key::Nothing, _) => Row::new(),
            (Key::First(columns), last) => {
                let key = &row[..columns];
                match last.map(|(_, last)| compare(last, key)) {
                    Some(Ordering::Equal) => return Err("the row occurs twice"),
                    Some(Ordering::Greater) => return Err("the row is out of order"),
                    Some(Ordering::Less) | None => key.to_vec(),
                }
            }
        };
        self.last = Some((table.name, key));
        Ok(())
    }
}

fn number(cell: &Cell) -> i64 {
    match cell {
        Cell::Number(number) => *number,
        _ => 0,
    }
}

/// Compares keys as both engines order them. They are texts and numbers.
fn compare(left: &[Cell], right: &[Cell]) -> Ordering {
    let pairs = left.iter().zip(right).map(|pair| match pair {
        (Cell::Number(left), Cell::Number(right)) => left.cmp(right),
        (left, right) => left.text().cmp(&right.text()),
    });
    pairs.fold(Ordering::Equal, Ordering::then)
}
