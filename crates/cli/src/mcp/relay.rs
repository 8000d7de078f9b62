//! Forwards messages to a running server, and its responses back.
//!
//! The server keeps no state between requests, so client and server agree on everything themselves.
//! Only the headers that HTTP adds to a message are built here.

use std::{
    error::Error,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use appstitch_tools::error_response;
use appstitch_types::without_credentials;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use reqwest::{
    Client, Url,
    header::{ACCEPT, CONTENT_TYPE},
};
use serde_json::{Value, json};

use crate::exit::{Failure, root_cause};

/// The timeouts for connecting and for a whole request.
const CONNECT_TIME: Duration = Duration::from_secs(10);
const RESPONSE_TIME: Duration = Duration::from_mins(1);

const INTERNAL_ERROR: i32 = -32603;

/// Where a message states its protocol version, if it does.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

const UNAVAILABLE_HINT: &str = "start one with `appstitch serve`, name another with --server or \
                                APPSTITCH_SERVER, or pass --store";

pub(super) struct Relay {
    http: Client,
    /// The address of the tools. It may contain a password.
    address: String,
    /// For messages.
    server: String,
    /// The protocol version that client and server agreed on in `initialize`.
    version: Mutex<Option<String>>,
}

impl Relay {
    pub(super) async fn connect(server: &str) -> Result<Arc<Self>, Failure> {
        let server = server.trim_end_matches('/');
        if !Url::parse(server).is_ok_and(|url| matches!(url.scheme(), "http" | "https")) {
            return Err(Failure::invalid_server(server));
        }
        let http = appstitch_network::client_builder()
            .connect_timeout(CONNECT_TIME)
            .timeout(RESPONSE_TIME)
            .build()
            .map_err(Failure::unreachable)?;
        let unavailable = |error: &dyn Error| {
            Failure::server_unavailable(server, root_cause(error)).hint(UNAVAILABLE_HINT)
        };
        let health = http.get(format!("{server}/health")).send().await;
        let health = health.map_err(|error| unavailable(&error))?;
        if let Err(error) = health.error_for_status() {
            return Err(unavailable(&error.without_url()));
        }
        Ok(Arc::new(Self {
            http,
            address: format!("{server}/mcp"),
            server: without_credentials(server),
            version: Mutex::new(None),
        }))
    }

    /// The response to a message. Notifications have none.
    pub(super) async fn forward(&self, message: Value) -> Option<Value> {
        let id = message.get("id").cloned();
        let method = message["method"].as_str().unwrap_or_default().to_owned();
        let response = match self.send(&message, &method).await {
            Ok(response) => response?,
            Err(error) => {
                tracing::warn!(%error, server = self.server, "no usable response from the server");
                self.unavailable(&method, &id?)
            }
        };
        if let (Some(version), "initialize") =
            (response.pointer("/result/protocolVersion").and_then(Value::as_str), &*method)
        {
            *self.version.lock().unwrap_or_else(PoisonError::into_inner) = Some(version.to_owned());
        }
        Some(response)
    }

    async fn send(&self, message: &Value, method: &str) -> anyhow::Result<Option<Value>> {
        let mut request = self
            .http
            .post(&self.address)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream")
            .header("mcp-method", header_value(method));
        if let Some(version) = self.protocol_version(message) {
            request = request.header("mcp-protocol-version", header_value(&version));
        }
        if let Some(name) = name(message, method) {
            request = request.header("mcp-name", header_value(name));
        }
        let response = request.body(message.to_string()).send().await;
        let body = response.map_err(reqwest::Error::without_url)?.bytes().await?;
        if body.is_empty() {
            return Ok(None);
        }
        let response: Value = serde_json::from_slice(&body)?;
        anyhow::ensure!(response["jsonrpc"] == "2.0", "{response}");
        Ok(Some(response))
    }

    fn protocol_version(&self, message: &Value) -> Option<String> {
        let of_message = message["params"]["_meta"][VERSION_KEY].as_str().map(str::to_owned);
        let agreed = || self.version.lock().unwrap_or_else(PoisonError::into_inner).clone();
        of_message.or_else(agreed)
    }

    fn unavailable(&self, method: &str, id: &Value) -> Value {
        let why =
            format!("no usable response from {}; it may be unavailable, try again", self.server);
        if method == "tools/call" {
            // The result of a tool, so that the model sees it and can try again.
            let result = json!({"content": [{"type": "text", "text": why}], "isError": true});
            return json!({"jsonrpc": "2.0", "id": id, "result": result});
        }
        error_response(id, INTERNAL_ERROR, &why)
    }
}

/// What a message is about, for proxies that route by it.
fn name<'message>(message: &'message Value, method: &str) -> Option<&'message str> {
    let key = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => "uri",
        _ => return None,
    };
    message["params"][key].as_str()
}

/// A text as the value of a header: in Base64 unless it is plain ASCII.
fn header_value(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if is_plain && text.trim() == text && !text.starts_with("=?base64?") {
        return text.to_owned();
    }
    format!("=?base64?{}?=", BASE64_STANDARD.encode(text))
}
