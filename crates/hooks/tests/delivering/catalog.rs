//! A catalog with hooks, in a temporary store.

use std::{path::PathBuf, sync::Arc, time::Duration};

use appstitch_budget::{Budget, Limits};
use appstitch_hooks::{HookSettings, HookState, HookStatus, HookTiming, Hooks, WrittenHook};
use appstitch_network::NetworkAccess;
use appstitch_publish::{BackgroundPriority, Batch, Publisher};
use appstitch_snapshot::ChangeRow;
use appstitch_store::{Store, StoreAddress};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::{clock::ManualClock, receiver::Receiver};

/// A running catalog.
pub(crate) struct Catalog {
    pub(crate) publisher: Arc<Publisher>,
    pub(crate) store: Store,
    pub(crate) hooks: Hooks,
    pub(crate) clock: Arc<ManualClock>,
}

impl Catalog {
    /// A catalog that may call this machine.
    pub(crate) async fn open(folder: &tempfile::TempDir) -> Self {
        Self::open_with(folder, true).await
    }

    pub(crate) async fn open_with(folder: &tempfile::TempDir, allow_private: bool) -> Self {
        let address = StoreAddress::Sqlite(PathBuf::from(folder.path()).join("catalog.db"));
        let store = Store::open(&address).await.unwrap();
        let publisher = Publisher::open(store.clone(), BackgroundPriority::Normal).await.unwrap();
        let publisher = Arc::new(publisher);
        let clock = Arc::new(ManualClock::new());
        let access = NetworkAccess { allow_private, ..NetworkAccess::default() };
        let response_timeout = Duration::from_secs(20);
        let timing = HookTiming { clock: Arc::clone(&clock) as _, response_timeout };
        let links = appstitch_feeds::Links::new("https://apps.example").unwrap();
        let hooks = Hooks::with_timing(&publisher, store.clone(), &access, links, timing).unwrap();
        hooks.start();
        Self { publisher, store, hooks, clock }
    }

    /// The same with a shorter time for responses.
    pub(crate) fn impatient(self, response_timeout: Duration) -> Self {
        let access = NetworkAccess { allow_private: true, ..NetworkAccess::default() };
        let timing = HookTiming { clock: Arc::clone(&self.clock) as _, response_timeout };
        let (links, store) = (appstitch_feeds::Links::default(), self.store.clone());
        let hooks = Hooks::with_timing(&self.publisher, store, &access, links, timing).unwrap();
        Self { hooks, ..self }
    }

    /// Publishes apps with these versions and nothing else.
    pub(crate) async fn publish(&self, apps: &[(&str, &str)]) {
        let record = |(slug, version): &(&str, &str)| {
            let app = json!({"slug": slug, "name": slug, "vendor": format!("{slug} inc"),
                "current_version": version, "sources": []});
            json!({"app": app, "sources": null}).to_string()
        };
        let lines: Vec<String> = apps.iter().map(record).collect();
        let mut budget = Budget::new(Limits::NONE);
        let mut batch = Batch::read(lines.join("\n").as_bytes(), &mut budget).unwrap();
        let published = self.publisher.publish(batch.replacement(true)).await.unwrap();
        assert!(published.changed);
    }

    /// Publishes this many apps with a version.
    pub(crate) async fn publish_many(&self, count: usize, version: &str) {
        let slugs: Vec<String> = (0..count).map(|number| format!("app{number:03}")).collect();
        let apps: Vec<(&str, &str)> = slugs.iter().map(|slug| (slug.as_str(), version)).collect();
        self.publish(&apps).await;
    }

    pub(crate) async fn add(&self, id: &str, receiver: &Receiver) -> WrittenHook {
        self.put(id, json!({"url": receiver.url()})).await
    }

    pub(crate) async fn put(&self, id: &str, settings: Value) -> WrittenHook {
        let settings = HookSettings::read(settings.to_string().as_bytes()).unwrap();
        self.hooks.put(id, settings).await.unwrap()
    }

    /// The numbers of all changes after a number.
    pub(crate) fn numbers(&self, after: u64) -> Vec<u64> {
        self.publisher.current().journal().after(after).map(ChangeRow::seq).collect()
    }

    /// Waits until a hook is as wanted.
    pub(crate) async fn until(&self, id: &str, wanted: impl Fn(&HookStatus) -> bool) -> HookStatus {
        for _ in 0..3000 {
            let hook = self.hooks.get(id).await.unwrap();
            if wanted(&hook) {
                return hook;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the hook is {:?}", self.hooks.get(id).await);
    }

    /// Waits until everything is delivered.
    pub(crate) async fn settled(&self, id: &str) -> HookStatus {
        let newest = self.publisher.current().journal().newest();
        let end = format!("-{newest}");
        self.until(id, |hook| hook.cursor.ends_with(&end) && hook.state == HookState::Enabled).await
    }

    /// Waits until an attempt failed, and makes the time of the next one come.
    pub(crate) async fn to_next_attempt(&self, id: &str, attempts: u32) {
        let hook = self.until(id, |hook| hook.attempts == attempts).await;
        let next = hook.next_attempt.unwrap();
        assert!(next > appstitch_hooks::Clock::now(&*self.clock));
        // The stored time has milliseconds only.
        self.clock.set(next + SignedDuration::from_millis(1));
    }
}
