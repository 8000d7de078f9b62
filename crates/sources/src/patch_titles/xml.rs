//! The XML of a patch catalog, in one pass and without a tree. Entities are never expanded: only
//! references to single characters are known, and a document type is refused.

use appstitch_budget::Budget;
use html5gum::{
    Span, Tokenizer,
    emitters::callback::{CallbackEmitter, CallbackEvent},
};
use serde::Serialize;

use crate::parsed_file::FileError;

const ROOT: &[u8] = b"patch_available_titles";
const TITLE: &[u8] = b"available_title";

/// The most bytes of a value. A longer one is cut, and then rejected by the limits of the row.
const MAX_VALUE_BYTES: usize = 4 << 10;

/// How many bytes are read per step. The shortest tag has three.
const BYTES_PER_STEP: usize = 4;

/// A row as it is kept; an element that is missing stays out.
#[derive(Default, Serialize)]
struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    name_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    publisher: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_modified: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    app_name: Option<String>,
}

/// Calls `each` with every title, as JSON with the names of the elements as keys.
pub(super) fn each_title(
    text: &str,
    budget: &mut Budget,
    each: &mut dyn FnMut(String, &mut Budget) -> Result<(), FileError>,
) -> Result<(), FileError> {
    budget.step((text.len() / BYTES_PER_STEP) as u64)?;
    let mut reading = Reading::default();
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| reading.take(event));
    let mut is_ended = false;
    for token in Tokenizer::new_with_emitter(text, emitter) {
        match token {
            Ok(Token::Title(row)) => {
                let row = serde_json::to_string(&row)
                    .map_err(|error| FileError::unreadable(error.to_string()))?;
                each(row, budget)?;
            }
            Ok(Token::Refused(why)) => return Err(FileError::unreadable(why)),
            Ok(Token::End) => {
                is_ended = true;
                break;
            }
            Err(never) => match never {},
        }
    }
    if is_ended { Ok(()) } else { Err(FileError::unreadable("it ends too early")) }
}

enum Token {
    Title(Row),
    Refused(&'static str),
    End,
}

#[derive(Default)]
struct Reading {
    is_open: bool,
    row: Option<Row>,
    tag: Vec<u8>,
    value: Option<String>,
}

impl Reading {
    fn take(&mut self, event: CallbackEvent<'_>) -> Option<Token> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag.clear();
                self.tag.extend_from_slice(name);
                None
            }
            CallbackEvent::CloseStartTag { self_closing } => self.start(self_closing),
            CallbackEvent::String { value } => {
                if let Some(text) = &mut self.value {
                    let more = String::from_utf8_lossy(value);
                    let room = MAX_VALUE_BYTES.saturating_sub(text.len());
                    text.push_str(&more[..more.floor_char_boundary(room)]);
                }
                None
            }
            CallbackEvent::EndTag { name } => self.end(name),
            CallbackEvent::Doctype { .. } => {
                Some(Token::Refused("it has a document type, which is not allowed"))
            }
            _ => None,
        }
    }

    fn start(&mut self, is_empty: bool) -> Option<Token> {
        match &self.tag[..] {
            ROOT => self.is_open = true,
            _ if !self.is_open => {
                return Some(Token::Refused("its first element is not `patch_available_titles`"));
            }
            TITLE if !is_empty => self.row = Some(Row::default()),
            _ if self.row.is_some() => self.value = (!is_empty).then(String::new),
            _ => {}
        }
        None
    }

    fn end(&mut self, name: &[u8]) -> Option<Token> {
        match name {
            ROOT if self.is_open => return Some(Token::End),
            TITLE => return self.row.take().map(Token::Title),
            _ => {
                let value = self.value.take()?;
                let field = self.row.as_mut()?.field(name)?;
                // The first of several counts.
                field.get_or_insert(value.trim().to_owned());
            }
        }
        None
    }
}

impl Row {
    fn field(&mut self, name: &[u8]) -> Option<&mut Option<String>> {
        match name {
            b"name_id" => Some(&mut self.name_id),
            b"publisher" => Some(&mut self.publisher),
            b"current_version" => Some(&mut self.current_version),
            b"last_modified" => Some(&mut self.last_modified),
            b"app_name" => Some(&mut self.app_name),
            _ => None,
        }
    }
}
