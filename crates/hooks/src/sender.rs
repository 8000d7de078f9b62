//! Sends one message and returns its result. Nothing here decides what follows.

use std::{error::Error, time::Duration};

use appstitch_network::{FetchError, GuardedClient, NetworkAccess, Outgoing};
use jiff::Timestamp;

use crate::{
    delivery_result::DeliveryResult, message::Message, secret::HookSecret, signature::signatures,
};

#[derive(Debug, Clone)]
pub(crate) struct Sender {
    client: GuardedClient,
    response_timeout: Duration,
}

impl Sender {
    pub(crate) fn new(
        access: &NetworkAccess,
        response_timeout: Duration,
    ) -> Result<Self, FetchError> {
        Ok(Self { client: GuardedClient::new(access)?, response_timeout })
    }

    /// Sends a message, signed at `now` with each of the keys.
    pub(crate) async fn send(
        &self,
        url: &str,
        secrets: &[HookSecret],
        message: &Message,
        now: Timestamp,
    ) -> DeliveryResult {
        let timestamp = now.as_second();
        let signature = signatures(secrets, &message.id, timestamp, &message.body);
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("webhook-id", message.id.clone()),
            ("webhook-timestamp", timestamp.to_string()),
            ("webhook-signature", signature),
        ]
        .map(|(name, value)| (name.to_owned(), value));
        let request = Outgoing {
            method: "POST",
            address: url,
            headers: &headers,
            bearer: None,
            body: &message.body,
            timeout: self.response_timeout,
            max_bytes: 0,
        };
        match self.client.exchange_head(request).await {
            Ok(response) => DeliveryResult::Response {
                status: response.status,
                retry_after: response.retry_after(now),
            },
            Err(error) => DeliveryResult::NoResponse(self.described(&error)),
        }
    }

    /// Why there was no response, without the address: it may contain a secret.
    fn described(&self, error: &FetchError) -> String {
        match error {
            _ if error.is_timeout() => {
                format!("no answer within {} seconds", self.response_timeout.as_secs_f32())
            }
            FetchError::Private(_) => PRIVATE.to_owned(),
            FetchError::Address(_) | FetchError::Credentials(_) => {
                "the URL cannot be used".to_owned()
            }
            FetchError::Network(error) => {
                let kind = if error.is_connect() { "cannot connect" } else { "the request failed" };
                match root_cause(error) {
                    Some(cause) => format!("{kind}: {cause}"),
                    None => kind.to_owned(),
                }
            }
            _ => "the request failed".to_owned(),
        }
    }
}

/// The message for an address that must not be called.
pub(crate) const PRIVATE: &str = "the URL leads to a private, link-local or loopback address; to allow it, start the server with --allow-private-hooks";

/// The innermost cause. The outer ones repeat the address.
fn root_cause(error: &dyn Error) -> Option<String> {
    let mut cause = error.source()?;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    Some(appstitch_budget::shortened(cause.to_string(), 200))
}
