//! Detects input that is not a JSON-RPC message and builds the error response.
//!
//! The SDK reads a message as one of several types and does not say why none of them fits. Over HTTP
//! it answers with a status that has nothing to do with the message. Therefore every message is
//! checked here first, so that the client gets an error with a code, a reason and its id.

use rmcp::model::ClientJsonRpcMessage;
use serde_json::{Map, Value, json};

use crate::unique_keys::{UniqueKeys, duplicate_key};

/// The codes of JSON-RPC.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;

/// The error response if the bytes are not a single JSON-RPC message; `None` if the SDK can read
/// them.
pub fn message_fault(bytes: &[u8]) -> Option<Value> {
    let (id, (code, why)) = match serde_json::from_slice(bytes) {
        Ok(UniqueKeys(Value::Object(message))) => {
            let fault = objection(&message, bytes)?;
            (known_id(&message), fault)
        }
        Ok(UniqueKeys(Value::Array(_))) => {
            (Value::Null, (INVALID_REQUEST, "send one message at a time".to_owned()))
        }
        Ok(_) => (Value::Null, (INVALID_REQUEST, NO_MESSAGE.to_owned())),
        Err(error) => (message_id(bytes), unreadable(bytes, &error)),
    };
    let prefix = match code {
        PARSE_ERROR => "Parse error",
        INVALID_PARAMS => "Invalid params",
        _ => "Invalid Request",
    };
    Some(error_response(&id, code, &format!("{prefix}: {why}")))
}

pub fn error_response(id: &Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

const NO_MESSAGE: &str = "not a JSON-RPC 2.0 message";

fn unreadable(bytes: &[u8], error: &serde_json::Error) -> (i32, String) {
    match duplicate_key(error) {
        Some(duplicate) => (INVALID_REQUEST, duplicate),
        None if bytes.trim_ascii().is_empty() => (PARSE_ERROR, "the message is empty".to_owned()),
        None => (PARSE_ERROR, error.to_string()),
    }
}

/// Why an object is not a message; `None` if it is one.
fn objection(message: &Map<String, Value>, bytes: &[u8]) -> Option<(i32, String)> {
    let invalid = |why: &str| Some((INVALID_REQUEST, why.to_owned()));
    if message.get("jsonrpc") != Some(&json!("2.0")) {
        return invalid(NO_MESSAGE);
    }
    let has = |name: &str| message.contains_key(name);
    let is_response = has("result") || has("error");
    match message.get("method") {
        Some(Value::String(_)) if is_response => {
            return invalid("a request has no result and no error");
        }
        Some(Value::String(_)) => {}
        Some(_) => return invalid("method is not a string"),
        None if !is_response => return invalid("method is missing"),
        None if has("result") && has("error") => {
            return invalid("a response has either a result or an error");
        }
        None if !has("id") => return invalid("id is missing"),
        None => {}
    }
    if let Some(id) = message.get("id") {
        // Only the error of a request whose id could not be read has no id.
        let may_be_null = has("error");
        let is_allowed_null = may_be_null && id.is_null();
        if !is_id(id) && !is_allowed_null {
            return invalid("id is not a string or an integer of at most 64 bits");
        }
    }
    match message.get("params") {
        None | Some(Value::Null | Value::Object(_)) => {}
        Some(Value::Array(_)) => {
            let why = "params is an array, expected an object";
            return Some((INVALID_PARAMS, why.to_owned()));
        }
        Some(_) => return invalid("params is not an object"),
    }
    let read: Result<ClientJsonRpcMessage, _> = serde_json::from_slice(bytes);
    match read {
        Ok(_) => None,
        // What remains are details of the parameters, or the shape of an error.
        Err(_) if has("method") => {
            Some((INVALID_PARAMS, "params does not fit the method".to_owned()))
        }
        Err(_) => invalid(NO_MESSAGE),
    }
}

/// Whether a value can be the id of a message. Integers may be written as 1.0 or 1e2, up to the
/// numbers for which this is exact.
fn is_id(id: &Value) -> bool {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match id {
        Value::String(_) => true,
        Value::Number(number) if number.is_i64() => true,
        Value::Number(number) => {
            !number.is_u64()
                && number.as_f64().is_some_and(|id| id.fract() == 0.0 && id.abs() < EXACT)
        }
        _ => false,
    }
}

fn known_id(message: &Map<String, Value>) -> Value {
    message.get("id").filter(|id| is_id(id)).cloned().unwrap_or_default()
}

/// The id of a message; null if it cannot be read. With the id, the client can match an error to its
/// request.
pub fn message_id(bytes: &[u8]) -> Value {
    #[derive(serde::Deserialize)]
    struct Numbered {
        id: Value,
    }
    let numbered: Result<Numbered, _> = serde_json::from_slice(bytes);
    numbered.ok().map(|message| message.id).filter(is_id).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_messages_pass() {
        for message in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":"a","method":"no/such","params":{"x":[]}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}"#,
            r#"{"jsonrpc":"2.0","id":-9223372036854775808,"method":"ping","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1e2,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#,
        ] {
            assert_eq!(message_fault(message.as_bytes()), None, "{message}");
        }
    }

    #[test]
    fn the_code_tells_broken_json_from_an_invalid_message() {
        let code = |bytes: &[u8]| message_fault(bytes).unwrap()["error"]["code"].clone();
        assert_eq!(code(b"hello"), -32700);
        assert_eq!(code(b""), -32700);
        assert_eq!(code(b"\xff"), -32700);
        assert_eq!(code(b"[]"), -32600);
        assert_eq!(code(b"{}"), -32600);
        assert_eq!(code(br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#), -32602);
        assert_eq!(code("[".repeat(1000).as_bytes()), -32700);
        let surrogate = message_fault(br#"{"jsonrpc":"2.0","id":7,"params":"\ud800"}"#).unwrap();
        assert_eq!((&surrogate["id"], &surrogate["error"]["code"]), (&json!(7), &json!(-32700)));
    }

    #[test]
    fn an_error_has_the_id_if_that_is_one() {
        for (id, shown) in [
            ("7", json!(7)),
            (r#""x""#, json!("x")),
            ("null", Value::Null),
            ("1.5", Value::Null),
            ("18446744073709551615", Value::Null),
            ("1e400", Value::Null),
            ("[1]", Value::Null),
            ("true", Value::Null),
        ] {
            let message = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":5}}"#);
            assert_eq!(message_fault(message.as_bytes()).unwrap()["id"], shown, "{id}");
        }
    }
}
