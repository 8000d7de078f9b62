//! The limits and permissions of a run.

use std::{net::SocketAddr, time::Duration};

use appstitch_network::ProxyAddress;

use crate::secret::Secret;

#[derive(Debug, Clone)]
pub struct LiveOptions {
    pub total_concurrency: usize,
    /// How many of them go to one host.
    pub per_host: usize,
    /// The time between the starts of two requests to one host.
    pub host_pause: Duration,
    /// How many labels run at the same time. Most of them wait for a host, so it is more than the
    /// number of requests.
    pub labels_at_once: usize,
    /// The time for all labels together. Labels that are not done by then are left for the next run.
    pub time_limit: Duration,
    /// How many different hosts must fail before the run ends because there is no network. It does
    /// not end if any request was answered.
    pub offline_hosts: usize,
    /// For both architectures together.
    pub label_time: Duration,
    /// From the connection to the last byte.
    pub request_timeout: Duration,
    /// The pause before the first retry. The pause before the second is three times as long.
    pub retry_pause: Duration,
    /// The longest pause that a server may ask for with `Retry-After`.
    pub longest_retry_pause: Duration,
    pub max_body_bytes: usize,
    /// The memory for answers that other labels may ask for again.
    pub shared_bytes: usize,
    /// Whether private, link-local and loopback addresses may be asked.
    pub allow_private: bool,
    /// Host names that are not looked up but lead to the given address, which is not checked.
    pub fixed_addresses: Vec<(String, SocketAddr)>,
    /// The proxy for all requests. The variables of the environment are not used.
    pub proxy: Option<ProxyAddress>,
    /// The token for the API host. It is sent nowhere else.
    pub github_token: Option<Secret>,
    pub api_host: String,
    /// Whether the answers are kept in [`LabelRun::exchanges`](crate::LabelRun::exchanges).
    pub record: bool,
    pub recorded_bytes: usize,
}

impl Default for LiveOptions {
    fn default() -> Self {
        Self {
            total_concurrency: 16,
            per_host: 2,
            host_pause: Duration::from_millis(150),
            labels_at_once: 48,
            time_limit: Duration::from_mins(30),
            offline_hosts: 12,
            label_time: Duration::from_mins(3),
            request_timeout: Duration::from_secs(30),
            retry_pause: Duration::from_secs(1),
            longest_retry_pause: Duration::from_secs(30),
            max_body_bytes: 8 << 20,
            shared_bytes: 256 << 20,
            allow_private: false,
            fixed_addresses: Vec::new(),
            proxy: None,
            github_token: None,
            api_host: "https://api.github.com".to_owned(),
            record: false,
            recorded_bytes: 512 << 20,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_not_printed_with_the_options() {
        let options = LiveOptions {
            github_token: Secret::new("abc123abc123abc123"),
            ..LiveOptions::default()
        };
        let text = format!("{options:?}");
        assert!(!text.contains("abc123abc123abc123") && text.contains("[secret]"), "{text}");
    }
}
