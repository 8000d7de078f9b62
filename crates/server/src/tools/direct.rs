//! Plain tool calls over HTTP, answered from the snapshot's bytes.
//!
//! The SDK sets up a service for every stateless request, which costs more than the response. A plain
//! call is answered here. Anything unusual is left to the SDK, which answers the same calls with the
//! same content.

use std::borrow::Cow;

use appstitch_tools::{CatalogTool, ToolOutput, ToolServer, UniqueKeys};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Response, header},
};
use rmcp::model::ProtocolVersion;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call<'a> {
    jsonrpc: &'a str,
    #[serde(borrow)]
    id: &'a RawValue,
    method: &'a str,
    #[serde(borrow)]
    params: Parameters<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    arguments: Option<UniqueKeys>,
}

#[derive(Serialize)]
struct JsonRpcResponse<'a> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    result: CallResult<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'a> {
    content: Vec<TextBlock<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'a RawValue>,
    is_error: bool,
}

#[derive(Serialize)]
struct TextBlock<'a> {
    r#type: &'static str,
    text: &'a str,
}

/// The answer to a plain call; `None` for everything else.
pub(super) fn answer(
    server: &ToolServer,
    headers: &HeaderMap,
    body: &[u8],
) -> Option<Response<Body>> {
    if !is_plain(headers) {
        return None;
    }
    let call: Call<'_> = serde_json::from_slice(body).ok()?;
    if call.jsonrpc != "2.0" || call.method != "tools/call" || !is_plain_id(call.id.get()) {
        return None;
    }
    let tool = CatalogTool::of_name(&call.params.name).filter(|tool| !tool.takes_long())?;
    let arguments = match &call.params.arguments {
        None => None,
        Some(UniqueKeys(Value::Object(arguments))) => Some(arguments),
        Some(_) => return None,
    };
    let result = server.run(tool, arguments);
    let body = write(call.id, &result)?;
    let mut response = Response::new(Body::from(body));
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    Some(response)
}

/// Whether an id can be sent back as it is: a number of a few digits, or a string without escapes.
fn is_plain_id(id: &str) -> bool {
    /// Fits into 64 bits.
    const DIGITS: usize = 18;
    match id.strip_prefix('"') {
        Some(text) => !text.contains('\\'),
        None => id.len() <= DIGITS && id.bytes().all(|digit| digit.is_ascii_digit()),
    }
}

/// Whether the headers name a protocol version with `initialize` and accept what we send.
fn is_plain(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let version = match text("mcp-protocol-version") {
        None => !headers.contains_key("mcp-protocol-version"),
        Some(version) => ProtocolVersion::known_up_to(&ProtocolVersion::V_2025_11_25)
            .iter()
            .any(|known| known.as_str() == version),
    };
    let accepts = |kind: &str| text("accept").is_some_and(|accept| accept.contains(kind));
    let is_json = text("content-type").is_some_and(|kind| {
        let kind = kind.split(';').next().unwrap_or_default();
        kind.trim().eq_ignore_ascii_case("application/json")
    });
    version
        && is_json
        && accepts("application/json")
        && accepts("text/event-stream")
        && !headers.contains_key("mcp-method")
        && !headers.contains_key("mcp-session-id")
}

fn write(id: &RawValue, result: &Result<ToolOutput, String>) -> Option<Vec<u8>> {
    let text = |text| TextBlock { r#type: "text", text };
    let outcome = match result {
        Ok(returned) => {
            let json = std::str::from_utf8(&returned.json).ok()?;
            let notes = returned.notes.iter().map(String::as_str);
            let content = std::iter::once(json).chain(notes).map(text);
            CallResult {
                content: content.collect(),
                structured_content: Some(serde_json::from_str(json).ok()?),
                is_error: false,
            }
        }
        Err(why) => {
            CallResult { content: vec![text(why)], structured_content: None, is_error: true }
        }
    };
    serde_json::to_vec(&JsonRpcResponse { jsonrpc: "2.0", id, result: outcome }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_that_need_no_look_are_sent_back_as_they_are() {
        for plain in ["0", "7", "123456789012345678", "\"a\"", "\"é\""] {
            assert!(is_plain_id(plain), "{plain}");
        }
        for odd in ["-1", "1.0", "1e2", "1234567890123456789", r#""\u0061""#, "null", "true", "[]"]
        {
            assert!(!is_plain_id(odd), "{odd}");
        }
    }
}
