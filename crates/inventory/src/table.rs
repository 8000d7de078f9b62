//! Tables with a header line, separated by commas, semicolons or tabs.

mod records;

use self::records::Records;
use crate::{
    collector::Collector,
    error::{InventoryError, quoted},
    fields::Fields,
    format::InventoryFormat,
    slot::{Slot, Text},
};

/// Used columns, and columns that a message names.
const MAX_COLUMNS: usize = 1000;
const NAMED_COLUMNS: usize = 5;

pub(crate) fn read(text: &str, collector: &mut Collector<'_>) -> Result<(), InventoryError> {
    let (text, separator) = separator(text);
    let mut records = Records::new(text, separator);
    let mut cells = Vec::new();
    let columns = match records.next(&mut cells) {
        Some(Ok(())) => columns(&cells)?,
        Some(Err(fault)) => return Err(invalid(&fault.to_string())),
        None => return Err(InventoryError::Empty),
    };
    collector.is_recognized = true;
    while let Some(record) = records.next(&mut cells) {
        record.map_err(|fault| invalid(&fault.to_string()))?;
        collector.count_entry()?;
        let mut fields = Fields::default();
        for (cell, meaning) in cells.iter().zip(&columns) {
            if let Some(meaning) = meaning {
                fields.set(*meaning, cell);
            }
        }
        collector.add(fields, InventoryFormat::Table)?;
    }
    Ok(())
}

fn invalid(why: &str) -> InventoryError {
    InventoryError::Invalid { format: "CSV table", why: why.to_owned() }
}

/// The separator: what a spreadsheet declares, or what the header line has most of.
fn separator(text: &str) -> (&str, u8) {
    if let Some(rest) = text.strip_prefix("sep=")
        && let [separator @ (b',' | b';' | b'\t'), b'\r' | b'\n', ..] = rest.as_bytes()
    {
        return (rest[1..].trim_start_matches(['\r', '\n']), *separator);
    }
    let header = text.lines().next().unwrap_or_default();
    let count = |separator: &u8| header.bytes().filter(|byte| byte == separator).count();
    // Of equals, the last is used.
    let best = [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',');
    (text, best)
}

fn columns(header: &[std::borrow::Cow<'_, str>]) -> Result<Vec<Option<Text>>, InventoryError> {
    let columns: Vec<Option<Text>> = header
        .iter()
        .take(MAX_COLUMNS)
        .map(|name| match Slot::of(name)?.0 {
            Slot::Text(meaning) | Slot::Entries(_, Some(meaning)) => Some(meaning),
            _ => None,
        })
        .collect();
    let names_apps = |meaning: &Option<Text>| {
        matches!(
            meaning,
            Some(Text::Name | Text::AppTitle | Text::DisplayName | Text::BundleId | Text::Token)
        )
    };
    if columns.iter().any(names_apps) {
        return Ok(columns);
    }
    let names: Vec<_> = header.iter().take(NAMED_COLUMNS).map(|name| quoted(name)).collect();
    let found = format!("it begins with '{}'", names.join("', '"));
    Err(InventoryError::Unrecognized { found })
}
