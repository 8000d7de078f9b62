//! Signatures of Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`.

use base64::{Engine, engine::general_purpose::STANDARD};
use ring::hmac::{Context, HMAC_SHA256, Key};

use crate::secret::HookSecret;

/// The value of `webhook-signature`: one signature per key, separated by blanks. `timestamp` is in
/// seconds since 1970.
pub(crate) fn signatures<'a>(
    secrets: impl IntoIterator<Item = &'a HookSecret>,
    id: &str,
    timestamp: i64,
    body: &str,
) -> String {
    let signed = secrets.into_iter().map(|secret| signature(secret, id, timestamp, body));
    signed.collect::<Vec<_>>().join(" ")
}

fn signature(secret: &HookSecret, id: &str, timestamp: i64, body: &str) -> String {
    let mut mac = Context::with_key(&Key::new(HMAC_SHA256, secret.bytes()));
    for part in [id, ".", &timestamp.to_string(), ".", body] {
        mac.update(part.as_bytes());
    }
    format!("v1,{}", STANDARD.encode(mac.sign()))
}

#[cfg(test)]
mod tests {
    use appstitch_feeds::{BodyFormat, CatalogChanged, Links, NamedChange, WebhookEvent};
    use appstitch_types::AppChange;
    use serde_json::Value;

    use super::*;

    const DOCUMENTATION: &str = include_str!("../../../docs/reference/webhooks.md");

    /// The message in the documentation: one of its headers, and its body.
    fn documented() -> (impl Fn(&str) -> &'static str, &'static str) {
        let block = DOCUMENTATION.split("```http\n").nth(1).unwrap();
        let (head, body) = block.split("```").next().unwrap().split_once("\n\n").unwrap();
        let header = move |name: &str| {
            let values = head.lines().filter_map(|line| line.split_once(": "));
            values.filter(|(header, _)| *header == name).map(|(_, value)| value).next().unwrap()
        };
        (header, body.trim_end())
    }

    #[test]
    fn the_documented_message_has_its_documented_signature() {
        let (header, body) = documented();
        let secret = DOCUMENTATION.split("the secret `").nth(1).unwrap().split('`').next().unwrap();
        let secret = HookSecret::parse(secret).unwrap();
        let timestamp = header("webhook-timestamp").parse().unwrap();
        let signed = signatures([&secret], header("webhook-id"), timestamp, body);
        assert_eq!(header("webhook-signature"), signed);
    }

    #[test]
    fn the_documented_message_is_what_would_be_sent() {
        let (header, body) = documented();
        let message: Value = serde_json::from_str(body).unwrap();
        let data = &message["data"];
        let change: AppChange = serde_json::from_value(data["changes"][0].clone()).unwrap();
        let id = header("webhook-id");
        let check = appstitch_types::revision_check(Some(&change.revision));
        assert_eq!(id, format!("5e0c9a1b-{}-{check}", change.seq));
        let event = WebhookEvent::Changed(CatalogChanged {
            at: change.at,
            revision: &change.revision,
            epoch: "5e0c9a1b",
            after: "",
            to: id,
            count: 1,
            changes: &[NamedChange::new(&change, Some("Firefox"))],
        });
        assert_eq!(event.body(BodyFormat::Standard, &Links::default()), body);
    }

    /// The example of the specification's reference libraries.
    #[test]
    fn the_known_example_has_its_known_signature() {
        let secret = HookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let (id, timestamp) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330);
        let signed = signatures([&secret], id, timestamp, r#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        let two = signatures([&secret, &secret], id, timestamp, r#"{"test": 2432232314}"#);
        assert_eq!(two, format!("{signed} {signed}"));
    }
}
