//! Hooks and deliveries as tables.

use anyhow::anyhow;
use serde_json::Value;

use crate::{
    arguments::ColorChoice,
    exit::{Failure, print},
    table::{Cell, Column, Look, bad, cell, good, plain, unsure},
};

pub(super) fn hooks(body: &Value, as_json: bool) -> Result<(), Failure> {
    if as_json {
        return print(&format!("{body}\n"));
    }
    let hooks = body["hooks"].as_array().map(Vec::as_slice).unwrap_or_default();
    let unreadable = body["unreadable"].as_array().map(Vec::as_slice).unwrap_or_default();
    for hook in unreadable {
        if let (Some(id), Some(reason)) = (hook["id"].as_str(), hook["reason"].as_str()) {
            eprintln!("{}: unreadable: {}", plain(id), plain(reason));
        }
    }
    if hooks.is_empty() {
        if unreadable.is_empty() {
            eprintln!("no webhooks");
        }
        return Ok(());
    }
    let mut table = Look::of(ColorChoice::Auto).table([
        Column::whole("NAME"),
        Column::whole("STATE"),
        Column::optional("FORMAT", 1),
        Column::optional("LAST CHANGE", 2),
        Column::optional("NEXT ATTEMPT", 3),
        Column::cut("URL"),
    ]);
    for hook in hooks {
        table.add_row([
            text(&hook["id"]),
            state(&hook["state"]),
            text(&hook["format"]),
            text(&hook["cursor"]),
            text(&hook["next_attempt"]),
            text(&hook["url"]),
        ]);
    }
    table.print()?;
    for hook in hooks {
        if let (Some(id), Some(reason)) = (hook["id"].as_str(), hook["reason"].as_str()) {
            eprintln!("{}: disabled: {}", plain(id), plain(reason));
        }
    }
    Ok(())
}

pub(super) fn deliveries(body: &Value, as_json: bool) -> Result<(), Failure> {
    if as_json {
        return print(&format!("{body}\n"));
    }
    let mut table = Look::of(ColorChoice::Auto).table([
        Column::whole("TIME"),
        Column::whole("RESULT"),
        Column::optional("MS", 1),
        Column::optional("CHANGES", 2),
        Column::optional("TYPE", 3),
        Column::whole("WEBHOOK-ID"),
        Column::cut("ERROR"),
    ]);
    for delivery in body["deliveries"].as_array().into_iter().flatten() {
        let status = delivery["status"].as_u64().map(|status| status.to_string());
        let status = status.unwrap_or_else(|| "no answer".to_owned());
        let result = if delivery["delivered"] == true { good(&status) } else { bad(&status) };
        table.add_row([
            text(&delivery["at"]),
            result,
            number(&delivery["elapsed_ms"]),
            number(&delivery["changes"]),
            text(&delivery["type"]),
            text(&delivery["webhook_id"]),
            text(&delivery["error"]),
        ]);
    }
    table.print()
}

/// A message that was not delivered is a negative answer.
pub(super) fn test(delivery: &Value) -> Result<(), Failure> {
    let elapsed = &delivery["elapsed_ms"];
    if delivery["delivered"] == true {
        eprintln!("delivered: status {} after {elapsed} ms", delivery["status"]);
        return Ok(());
    }
    let error = plain(delivery["error"].as_str().unwrap_or("no details"));
    Err(Failure::no(anyhow!("not delivered after {elapsed} ms: {error}")))
}

fn state(state: &Value) -> Cell {
    match state.as_str() {
        Some("enabled") => good("enabled"),
        Some("failing") => unsure("failing"),
        Some(other) => bad(other),
        None => cell(None),
    }
}

fn text(value: &Value) -> Cell {
    cell(value.as_str())
}

fn number(value: &Value) -> Cell {
    cell(value.as_u64().map(|number| number.to_string()).as_deref())
}
