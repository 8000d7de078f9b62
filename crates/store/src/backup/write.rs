//! Writes a backup: a header, the tables with their rows, and a trailer with a hash over all of it.

use std::io::Write;

use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::{
    BackupError, BackupSummary, FORMAT, FORMAT_VERSION, MOST_ROW_BYTES, Piece,
    cell::Row,
    hook_rows,
    seal::BackupKey,
    table::{HOOK, TABLES, Table},
};

/// How much work goes into compression. Higher levels gain little.
const LEVEL: i32 = 6;

#[derive(Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) version: u32,
    #[serde(default)]
    pub(super) program: String,
}

/// A line that is not a row.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Control {
    Table {
        name: String,
        columns: Vec<String>,
    },
    /// Nothing follows. The hash is over everything before.
    End {
        rows: u64,
        sha256: String,
    },
}

/// Writes everything that is received. The file is complete when the last piece was received.
pub(super) fn write<W: Write>(
    mut receive: mpsc::Receiver<Piece>,
    output: W,
    key: Option<&BackupKey>,
) -> Result<(W, BackupSummary), BackupError> {
    let mut writer = Writer::new(output)?;
    while let Some(piece) = receive.blocking_recv() {
        match piece {
            Piece::Rows(table, rows) => writer.rows(table, rows, key)?,
            Piece::End => return writer.finish(),
        }
    }
    // The sender of the rows has the reason.
    Err(BackupError::Incomplete)
}

struct Writer<W: Write> {
    packed: zstd::Encoder<'static, W>,
    hash: Context,
    line: Vec<u8>,
    begun: usize,
    /// The number of rows of all tables.
    rows: u64,
    summary: BackupSummary,
}

impl<W: Write> Writer<W> {
    fn new(output: W) -> Result<Self, BackupError> {
        let mut packed = zstd::Encoder::new(output, LEVEL).map_err(BackupError::Write)?;
        packed.include_checksum(true).map_err(BackupError::Write)?;
        let program = env!("CARGO_PKG_VERSION").to_owned();
        let mut writer = Self {
            packed,
            hash: Context::new(&SHA256),
            line: Vec::new(),
            begun: 0,
            rows: 0,
            summary: BackupSummary { program: program.clone(), ..BackupSummary::default() },
        };
        writer.line(&Header { format: FORMAT.to_owned(), version: FORMAT_VERSION, program })?;
        Ok(writer)
    }

    /// Writes rows of the table that was begun last, or of a later one.
    fn rows(
        &mut self,
        table: &'static Table,
        rows: Vec<Row>,
        key: Option<&BackupKey>,
    ) -> Result<(), BackupError> {
        while TABLES[..self.begun].last().is_none_or(|begun| begun.name != table.name) {
            self.begin()?;
        }
        for row in rows {
            let row = if table.name == HOOK { hook_rows::sealed(row, key)? } else { row };
            self.summary.count(table, &row);
            self.rows += 1;
            self.line(&row)?;
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<(), BackupError> {
        let Some(table) = TABLES.get(self.begun) else {
            return Err(BackupError::Damaged("the rows are out of order".to_owned()));
        };
        self.begun += 1;
        let columns = table.columns.iter().map(|column| column.name.to_owned()).collect();
        self.line(&Control::Table { name: table.name.to_owned(), columns })
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), BackupError> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, value)
            .map_err(|error| BackupError::Write(error.into()))?;
        self.line.push(b'\n');
        if self.line.len() > MOST_ROW_BYTES {
            return Err(BackupError::Damaged(format!(
                "a row takes more than {MOST_ROW_BYTES} bytes"
            )));
        }
        self.hash.update(&self.line);
        self.packed.write_all(&self.line).map_err(BackupError::Write)
    }

    fn finish(mut self) -> Result<(W, BackupSummary), BackupError> {
        while self.begun < TABLES.len() {
            self.begin()?;
        }
        let sha256 = hexadecimal(self.hash.clone());
        self.line(&Control::End { rows: self.rows, sha256: sha256.clone() })?;
        let output = self.packed.finish().map_err(BackupError::Write)?;
        Ok((output, BackupSummary { sha256, ..self.summary }))
    }
}

/// The hash as it is written.
pub(super) fn hexadecimal(hash: Context) -> String {
    use std::fmt::Write;
    hash.finish().as_ref().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
