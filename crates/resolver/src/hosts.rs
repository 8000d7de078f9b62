//! Spares the hosts: how many requests go to one at a time, how soon after each other, and to which
//! none goes any more.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use appstitch_labels::Response;
use tokio::{
    sync::{Mutex as AsyncMutex, OwnedSemaphorePermit, Semaphore},
    time::{Instant, sleep_until},
};
use url::Url;

use crate::options::LiveOptions;

pub(crate) struct Hosts {
    by_name: Mutex<BTreeMap<String, Arc<Host>>>,
    total: Arc<Semaphore>,
    per_host: usize,
    pause: Duration,
}

pub(crate) struct Host {
    slots: Arc<Semaphore>,
    last_start: AsyncMutex<Option<Instant>>,
    /// The answer with which the host limited the number of requests.
    limited: OnceLock<Arc<Response>>,
}

/// It ends when this is dropped.
pub(crate) struct RequestPermit {
    _host: Option<OwnedSemaphorePermit>,
    _total: Option<OwnedSemaphorePermit>,
}

impl Hosts {
    pub(crate) fn new(options: &LiveOptions) -> Self {
        Self {
            by_name: Mutex::default(),
            // Without any slot, a run would never end.
            total: Arc::new(Semaphore::new(options.total_concurrency.max(1))),
            per_host: options.per_host.max(1),
            pause: options.host_pause,
        }
    }

    pub(crate) fn of(&self, url: &Url) -> Arc<Host> {
        let name = url.host_str().unwrap_or_default();
        let name = format!("{name}:{}", url.port_or_known_default().unwrap_or_default());
        let mut hosts = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        let host = hosts.entry(name).or_insert_with(|| {
            Arc::new(Host {
                slots: Arc::new(Semaphore::new(self.per_host)),
                last_start: AsyncMutex::default(),
                limited: OnceLock::new(),
            })
        });
        Arc::clone(host)
    }

    pub(crate) async fn acquire(&self, host: &Host) -> RequestPermit {
        // The semaphores are never closed, so there always is a permit.
        let slot = Arc::clone(&host.slots).acquire_owned().await.ok();
        // The lock is held until the start, so that the pause is kept even if the wait for one of
        // all slots is long.
        let mut last_start = host.last_start.lock().await;
        if let Some(last) = *last_start {
            sleep_until(last + self.pause).await;
        }
        let total = Arc::clone(&self.total).acquire_owned().await.ok();
        *last_start = Some(Instant::now());
        RequestPermit { _host: slot, _total: total }
    }

    /// The hosts that limited the number of requests, in order, without the usual ports.
    pub(crate) fn limited(&self) -> Vec<String> {
        let hosts = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        let limited = hosts.iter().filter(|(_, host)| host.limited.get().is_some());
        let name = |name: &String| {
            let usual = name.strip_suffix(":443").or_else(|| name.strip_suffix(":80"));
            usual.unwrap_or(name).to_owned()
        };
        limited.map(|(host, _)| name(host)).collect()
    }
}

impl Host {
    /// The answer to all further requests, if the host limits them.
    pub(crate) fn limited(&self) -> Option<Arc<Response>> {
        self.limited.get().cloned()
    }

    /// Makes no further requests in this run. The first answer stays.
    pub(crate) fn limit(&self, answer: Arc<Response>) {
        self.limited.get_or_init(|| answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_host_is_its_name_and_port() {
        let hosts = Hosts::new(&LiveOptions::default());
        let one = hosts.of(&url("https://example.com/a"));
        assert!(Arc::ptr_eq(&one, &hosts.of(&url("https://EXAMPLE.com:443/b?c"))));
        assert!(!Arc::ptr_eq(&one, &hosts.of(&url("https://example.com:8443/a"))));
        assert!(!Arc::ptr_eq(&one, &hosts.of(&url("https://www.example.com/a"))));
    }

    #[test]
    fn limited_hosts_are_listed_and_keep_their_first_answer() {
        let hosts = Hosts::new(&LiveOptions::default());
        let host = hosts.of(&url("https://example.com/a"));
        assert!(host.limited().is_none() && hosts.limited().is_empty());
        for status in [403, 429] {
            host.limit(Arc::new(Response { status, ..Response::default() }));
        }
        assert_eq!(host.limited().unwrap().status, 403);
        assert_eq!(hosts.limited(), ["example.com"]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_lies_between_two_starts() {
        let options = LiveOptions { host_pause: Duration::from_secs(7), ..LiveOptions::default() };
        let hosts = Hosts::new(&options);
        let host = hosts.of(&url("https://example.com/"));
        let start = Instant::now();
        for _ in 0..3 {
            drop(hosts.acquire(&host).await);
        }
        assert_eq!(start.elapsed(), Duration::from_secs(14));
        drop(hosts.acquire(&hosts.of(&url("https://other.example/"))).await);
        assert_eq!(start.elapsed(), Duration::from_secs(14), "other hosts do not wait");
    }
}
