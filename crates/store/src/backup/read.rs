//! Reads a backup. Nothing in it is trusted: every value is checked, and the last piece is sent only
//! if the hash is right and nothing follows.

use std::{
    io::{BufRead, Read},
    iter,
};

use ring::digest::{Context, SHA256};

use super::{
    BackupError, BackupSummary, Batch, FORMAT_VERSION, MOST_ROW_BYTES, Piece,
    cell::Row,
    consistency::Consistency,
    form::Form,
    hook_rows,
    lines::Lines,
    row::RowReader,
    seal::BackupKey,
    table::{HOOK, JOURNAL, LATER, Table},
    write::{Control, Header, hexadecimal},
};

const MOST_CONTROL_BYTES: usize = 1 << 16;

/// Reads a whole text, and hands over its rows in batches.
pub(super) fn read<T: BufRead>(
    mut lines: Lines<T>,
    form: Form,
    key: Option<&BackupKey>,
    mut take: impl FnMut(Piece) -> Result<(), BackupError>,
) -> Result<BackupSummary, BackupError> {
    let mut hash = Context::new(&SHA256);
    let header = header(&mut lines, form, &mut hash)?;
    let mut summary = BackupSummary { program: header.program, ..BackupSummary::default() };
    let mut tables = Tables::of(form);
    let mut batch: Option<Batch> = None;
    let mut rows = 0;
    let mut consistency = Consistency::default();
    loop {
        let line = lines.next(MOST_ROW_BYTES)?;
        if line.starts_with(b"[") {
            hash.update(line);
            let (table, row) = tables.row(line, rows)?;
            rows += 1;
            consistency.check(table, &row).map_err(|why| damaged_row(rows, table, why))?;
            summary.count(table, &row);
            let row = if table.name == HOOK { hook_rows::opened(row, key)? } else { row };
            let batch = batch.get_or_insert_with(|| Batch::new(table));
            if let Some(piece) = batch.push(row) {
                take(piece)?;
            }
            continue;
        }
        if let Some(piece) = batch.take().and_then(|mut batch| batch.rest()) {
            take(piece)?;
        }
        match control(line)? {
            Control::Table { name, columns } => {
                hash.update(line);
                tables.begin(&name, &columns)?;
            }
            Control::End { rows: expected, sha256 } => {
                summary.sha256 = hexadecimal(hash);
                if summary.sha256 != sha256 {
                    return Err(BackupError::Damaged("its hash is wrong".to_owned()));
                }
                // A store without a journal could not be opened.
                let has_journal = summary.rows.get(JOURNAL) == Some(&1);
                if rows != expected || !tables.are_complete() || !has_journal {
                    return Err(BackupError::Damaged("rows are missing".to_owned()));
                }
                lines.end()?;
                take(Piece::End)?;
                return Ok(summary);
            }
        }
    }
}

/// Reads only the beginning of a backup.
pub(super) fn begins<R: Read>(file: R) -> Result<(), BackupError> {
    header(&mut Lines::packed(file)?, Form::Backup, &mut Context::new(&SHA256)).map(drop)
}

fn header<T: BufRead>(
    lines: &mut Lines<T>,
    form: Form,
    hash: &mut Context,
) -> Result<Header, BackupError> {
    let line = match lines.next(MOST_CONTROL_BYTES) {
        Err(BackupError::Damaged(_)) => return Err(BackupError::NotABackup),
        line => line?,
    };
    let header: Header = serde_json::from_slice(line).map_err(|_| BackupError::NotABackup)?;
    if header.format != form.format() {
        return Err(BackupError::NotABackup);
    }
    if header.version > FORMAT_VERSION {
        return Err(BackupError::TooNew { found: header.version });
    }
    hash.update(line);
    Ok(header)
}

fn control(line: &[u8]) -> Result<Control, BackupError> {
    let invalid = || BackupError::Damaged("a line is neither a row nor a table".to_owned());
    if line.len() > MOST_CONTROL_BYTES {
        return Err(invalid());
    }
    serde_json::from_slice(line).map_err(|_| invalid())
}

fn damaged_row(number: u64, table: &Table, why: &str) -> BackupError {
    BackupError::Damaged(format!("row {number} ({}): {why}", table.name))
}

struct Tables {
    all: Vec<&'static Table>,
    begun: usize,
    /// The position of each column of the last one in the file.
    positions: Vec<Option<usize>>,
    width: usize,
}

impl Tables {
    fn of(form: Form) -> Self {
        Self { all: form.tables().collect(), begun: 0, positions: Vec::new(), width: 0 }
    }

    /// Begins the next table. All tables are there, in their order, except those that an earlier
    /// version did not have.
    fn begin(&mut self, name: &str, columns: &[String]) -> Result<(), BackupError> {
        let unknown = |what: &str| {
            BackupError::Damaged(format!("{what}, or a newer version of the program wrote it"))
        };
        let left_out = self.all[self.begun..]
            .iter()
            .take_while(|table| table.name != name && LATER.contains(&table.name));
        self.begun += left_out.count();
        let table = self.all.get(self.begun).copied().filter(|table| table.name == name);
        let table = table.ok_or_else(|| unknown("a table is not where it belongs"))?;
        let is_known = |name: &String| table.columns.iter().any(|column| column.name == *name);
        let is_repeated = |(position, name): (usize, &String)| columns[..position].contains(name);
        if !columns.iter().all(is_known) || columns.iter().enumerate().any(is_repeated) {
            return Err(unknown("a column is unknown"));
        }
        let position = |name: &str| columns.iter().position(|column| column == name);
        self.positions = table.columns.iter().map(|column| position(column.name)).collect();
        let is_missing = |(column, position): (&super::table::Column, &Option<usize>)| {
            position.is_none() && !column.is_optional
        };
        if iter::zip(table.columns, &self.positions).any(is_missing) {
            return Err(unknown("a column is missing"));
        }
        self.width = columns.len();
        self.begun += 1;
        Ok(())
    }

    /// Reads a row of the last table that was begun. `before` is the number of rows before it.
    fn row(&self, line: &[u8], before: u64) -> Result<(&'static Table, Row), BackupError> {
        let table = self.all[..self.begun].last().copied();
        let table = table.ok_or_else(|| BackupError::Damaged("a row has no table".to_owned()))?;
        let reader = RowReader { table, positions: &self.positions, width: self.width };
        let row = reader.read(line).map_err(|why| damaged_row(before + 1, table, &why))?;
        Ok((table, row))
    }

    fn are_complete(&self) -> bool {
        self.all[self.begun..].iter().all(|table| LATER.contains(&table.name))
    }
}
