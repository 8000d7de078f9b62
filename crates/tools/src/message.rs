//! Detects input that is not a JSON-RPC message and builds the error response.

use serde::Deserialize;
use serde_json::{Value, json};

/// The error response if the bytes are not a single JSON-RPC message; `None` if they may be one.
#[must_use]
pub fn message_fault(bytes: &[u8]) -> Option<Value> {
    let told = |code: i32, message: String| {
        let error = json!({"code": code, "message": message});
        Some(json!({"jsonrpc": "2.0", "id": id(bytes), "error": error}))
    };
    match serde_json::from_slice::<Value>(bytes) {
        Err(error) => told(-32700, format!("Parse error: {error}")),
        Ok(Value::Object(message)) if message.get("jsonrpc") == Some(&json!("2.0")) => None,
        Ok(Value::Array(_)) => {
            told(-32600, "Invalid Request: send one message at a time".to_owned())
        }
        Ok(_) => told(-32600, "Invalid Request: not a JSON-RPC 2.0 message".to_owned()),
    }
}

/// The message's id, or null if it cannot be read. With the id, the client can match the error
/// to its request.
fn id(bytes: &[u8]) -> Value {
    #[derive(Deserialize)]
    struct Numbered {
        id: Value,
    }
    let numbered: Result<Numbered, _> = serde_json::from_slice(bytes);
    numbered.map(|message| message.id).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_single_messages_pass() {
        assert_eq!(message_fault(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), None);
        let code = |bytes: &[u8]| message_fault(bytes).unwrap()["error"]["code"].clone();
        assert_eq!(code(b"hello"), -32700);
        assert_eq!(code(b""), -32700);
        assert_eq!(code(b"[]"), -32600);
        assert_eq!(code(b"{}"), -32600);
        let surrogate = message_fault(br#"{"jsonrpc":"2.0","id":7,"params":"\ud800"}"#).unwrap();
        assert_eq!((&surrogate["id"], &surrogate["error"]["code"]), (&json!(7), &json!(-32700)));
    }
}
