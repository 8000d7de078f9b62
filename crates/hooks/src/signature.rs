//! Signatures of Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`.

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::HookSecret;

/// The value of `webhook-signature`: one signature per key, separated by blanks. `timestamp` is in
/// seconds since 1970.
pub(crate) fn signatures<'a>(
    secrets: impl IntoIterator<Item = &'a HookSecret>,
    id: &str,
    timestamp: i64,
    body: &str,
) -> String {
    let signed = secrets.into_iter().filter_map(|secret| signature(secret, id, timestamp, body));
    signed.collect::<Vec<_>>().join(" ")
}

/// `None` never happens: HMAC takes keys of any length.
fn signature(secret: &HookSecret, id: &str, timestamp: i64, body: &str) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.bytes()).ok()?;
    for part in [id, ".", &timestamp.to_string(), ".", body] {
        mac.update(part.as_bytes());
    }
    Some(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

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
