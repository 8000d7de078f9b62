//! Writes a text: a header, the tables with their rows, and a trailer with a hash over all of it.

use std::io::Write;

use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::{
    BackupError, BackupSummary, FORMAT_VERSION, MOST_ROW_BYTES, Piece,
    cell::{Cell, Row},
    form::{COPY_RULES, Form},
    hook_rows,
    seal::BackupKey,
    table::{HOOK, SERVED_BY, Table},
};

/// How much work goes into compression. Higher levels gain little.
const LEVEL: i32 = 6;

#[derive(Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) version: u32,
    /// The version that wrote it; none in a copy, which is the same whoever writes it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
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

/// Packs everything that is received. The file is complete when the last piece was received.
pub(super) fn pack<W: Write>(
    receive: mpsc::Receiver<Piece>,
    output: W,
    key: Option<&BackupKey>,
) -> Result<(W, BackupSummary), BackupError> {
    let mut packed = zstd::Encoder::new(output, LEVEL).map_err(BackupError::Write)?;
    packed.include_checksum(true).map_err(BackupError::Write)?;
    let (packed, summary) = write(receive, Form::Backup, packed, key)?;
    Ok((packed.finish().map_err(BackupError::Write)?, summary))
}

/// Writes everything that is received as text.
pub(super) fn write<W: Write>(
    mut receive: mpsc::Receiver<Piece>,
    form: Form,
    output: W,
    key: Option<&BackupKey>,
) -> Result<(W, BackupSummary), BackupError> {
    let mut writer = Writer::new(output, form)?;
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
    output: W,
    form: Form,
    tables: Vec<&'static Table>,
    hash: Context,
    line: Vec<u8>,
    begun: usize,
    /// The number of rows of all tables.
    rows: u64,
    summary: BackupSummary,
}

impl<W: Write> Writer<W> {
    fn new(output: W, form: Form) -> Result<Self, BackupError> {
        let program = match form {
            Form::Backup => env!("CARGO_PKG_VERSION").to_owned(),
            Form::Copy => String::new(),
        };
        let mut writer = Self {
            output,
            form,
            tables: form.tables().collect(),
            hash: Context::new(&SHA256),
            line: Vec::new(),
            begun: 0,
            rows: 0,
            summary: BackupSummary { program: program.clone(), ..BackupSummary::default() },
        };
        let format = form.format().to_owned();
        writer.line(&Header { format, version: FORMAT_VERSION, program })?;
        Ok(writer)
    }

    /// Writes rows of the table that was begun last, or of a later one.
    fn rows(
        &mut self,
        table: &'static Table,
        rows: Vec<Row>,
        key: Option<&BackupKey>,
    ) -> Result<(), BackupError> {
        while self.tables[..self.begun].last().is_none_or(|begun| begun.name != table.name) {
            self.begin()?;
        }
        for row in rows {
            let row = match table.name {
                HOOK => hook_rows::sealed(row, key)?,
                SERVED_BY if self.form == Form::Copy => copied(row),
                _ => row,
            };
            self.summary.count(table, &row);
            self.rows += 1;
            self.line(&row)?;
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<(), BackupError> {
        let Some(table) = self.tables.get(self.begun) else {
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
        self.output.write_all(&self.line).map_err(BackupError::Write)
    }

    fn finish(mut self) -> Result<(W, BackupSummary), BackupError> {
        while self.begun < self.tables.len() {
            self.begin()?;
        }
        let sha256 = hexadecimal(self.hash.clone());
        self.line(&Control::End { rows: self.rows, sha256: sha256.clone() })?;
        Ok((self.output, BackupSummary { sha256, ..self.summary }))
    }
}

/// The same row, made by no build. The rules are its first column.
fn copied(mut row: Row) -> Row {
    if let Some(rules) = row.first_mut() {
        *rules = Cell::Text(COPY_RULES.to_owned());
    }
    row
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
