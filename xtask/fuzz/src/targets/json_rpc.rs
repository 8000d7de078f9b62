//! Messages to the tool server: JSON-RPC.

use appstitch_hostile::Chance;
use serde_json::Value;

use super::{
    made_up_json::Vocabulary,
    sample_service::{Response, SampleService},
};
use crate::target::{Target, TargetEntry, ensure, is_one_in};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    input_bytes: 512,
    ..TargetEntry::new("json_rpc", || Ok(Box::new(JsonRpc(SampleService::open()?))))
};

const DICTIONARY: &[&str] = &[
    "{\"jsonrpc\":\"2.0\",",
    "\"id\":1",
    "\"id\":\"a\"",
    "\"id\":null",
    "\"id\":1.5",
    "\"id\":-1",
    "\"id\":18446744073709551616",
    "\"id\":{}",
    "\"method\":\"tools/call\"",
    "\"method\":\"tools/list\"",
    "\"method\":\"initialize\"",
    "\"method\":\"ping\"",
    "\"method\":\"resources/read\"",
    "\"method\":\"prompts/get\"",
    "\"method\":\"completion/complete\"",
    "\"method\":\"notifications/initialized\"",
    "\"params\":{\"name\":\"",
    "search_apps",
    "get_app",
    "get_app_sources",
    "generate_label_tool_label",
    "find_app",
    "check_inventory",
    "\"inventory\":\"name,version\\nFirefox,1\"",
    "\"inventory\":[{\"name\":\"Firefox\",\"version\":\"1\"}]",
    "\"verdicts\":\"all\"",
    "list_drift",
    "list_recent_changes",
    "list_changes",
    "\"since\":\"2026-08-22\"",
    "\"arguments\":{",
    "\"query\":\"fire\"",
    "\"slug\":\"firefox\"",
    "\"limit\":5",
    "\"offset\":1",
    "\"protocolVersion\":\"2025-06-18\"",
    "\"capabilities\":{}",
    "\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}",
    "\\ud800",
    "[",
    "null",
    "\"result\":{}",
    "\"_meta\":{}",
];

const WORDS: Vocabulary = Vocabulary {
    keys: &[
        "slug", "query", "limit", "offset", "vendor", "source", "include", "inventory", "verdicts",
        "name", "version", "bundle_id", "arguments", "uri", "cursor", "_meta",
    ],
    texts: &[
        "firefox",
        "fire",
        "Mozilla",
        "label_tool",
        "mdm_installer",
        "name,version\\nFirefox,1",
        "all",
        "outdated,current",
        "5",
        "nobody",
        "",
        "catalog://apps/firefox",
    ],
};

struct JsonRpc(SampleService);

impl Target for JsonRpc {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let response = self.0.call_tools(input)?;
        // Reading an answer takes longer than making most of them.
        if !is_one_in(4, input) && response.status == 400 {
            return Ok(());
        }
        check(input, &response).map_err(|property| format!("{property}: {}", shown(&response)))
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        let id = chance
            .pick(&["1", "\"a\"", "-7", "0", "\"\"", "null", "1.5", "[]", "9007199254740993"]);
        if chance.once_in(3) {
            let method = chance
                .pick(&["tools/list", "ping", "initialize", "resources/read", "prompts/get", "x"]);
            let params = WORDS.object(chance, 2);
            return Some(
                format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{params}}}").into(),
            );
        }
        let tool = chance.pick(&[
            "search_apps",
            "get_app",
            "get_app_sources",
            "generate_label_tool_label",
            "find_app",
            "check_inventory",
            "list_drift",
            "list_recent_changes",
            "list_changes",
            "get_catalog_summary",
            "list_categories",
            "nothing",
        ]);
        let arguments = WORDS.object(chance, 1);
        let params = format!("{{\"name\":\"{tool}\",\"arguments\":{arguments}}}");
        Some(
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{params}}}"
            )
            .into(),
        )
    }
}

fn shown(response: &Response) -> String {
    format!("status {}, {}", response.status, String::from_utf8_lossy(response.body()))
}

fn check(input: &[u8], response: &Response) -> Result<(), String> {
    let is = |text: &'static str| move || text.to_owned();
    ensure((200..500).contains(&response.status), is("there is no server error"))?;
    if response.status == 202 {
        return ensure(response.body().is_empty(), is("a notification has no answer"));
    }
    if !response.content_type.starts_with("application/json") {
        return ensure(response.status != 200, is("an answer is JSON"));
    }
    let body: Value =
        serde_json::from_slice(response.body()).map_err(|_| "a JSON body is JSON".to_owned())?;
    if body.get("jsonrpc").is_none() {
        return ensure(response.status != 200, is("an answer is a JSON-RPC message"));
    }
    ensure(body["jsonrpc"] == "2.0", is("an answer has the version of the protocol"))?;
    let has = |name: &str| body.get(name).is_some();
    ensure(has("result") != has("error"), is("an answer has a result or an error"))?;
    let sent: Value = serde_json::from_slice(input).unwrap_or_default();
    let ids = input.windows(4).filter(|part| part == b"\"id\"").count();
    // Of several ids, or one that is hidden by escapes, each may be meant.
    let is_clear = ids == 1 && sent.get("id").is_some() && !input.contains(&b'\\');
    // A number that no integer type holds is rounded.
    let is_same = body["id"].is_null() || body["id"] == sent["id"] || sent["id"].is_f64();
    ensure(!is_clear || is_same, is("an answer has the id of its request"))?;
    let needs_id = is_clear && has("result") && (sent["id"].is_string() || sent["id"].is_i64());
    ensure(!needs_id || body["id"] == sent["id"], is("a result has the id of its request"))
}
