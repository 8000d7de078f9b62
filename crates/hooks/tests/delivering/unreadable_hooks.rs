//! A hook whose row in the store cannot be read.

use std::{
    fmt::{Debug, Write},
    sync::{Arc, Mutex},
    time::Duration,
};

use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

use crate::{catalog::Catalog, receiver::Receiver};

/// Makes the first hook unreadable.
async fn damage(catalog: &Catalog) {
    let mut hook = catalog.store.hooks().await.unwrap().remove(0);
    "of another version".clone_into(&mut hook.filter);
    let generation = hook.generation;
    catalog.store.put_hook(hook, Some(generation), 50).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_that_cannot_be_read_does_not_affect_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    catalog.add("broken", &receiver).await;
    catalog.add("ops", &receiver).await;
    damage(&catalog).await;
    catalog.publish(&[("a", "1")]).await;
    assert_eq!(receiver.next().await.kind(), "catalog.changed");
    catalog.settled("ops").await;
    assert!(receiver.rest().is_empty());
    let list = catalog.hooks.list().await.unwrap();
    let ids: Vec<&str> = list.hooks.iter().map(|hook| hook.id.as_str()).collect();
    assert_eq!(ids, ["ops"]);
    let [unreadable] = &list.unreadable[..] else { panic!("{:?}", list.unreadable) };
    assert_eq!(unreadable.id, "broken");
    assert!(unreadable.reason.contains("filter"), "{}", unreadable.reason);
    assert!(catalog.hooks.counters().hooks().contains(&("unreadable", 1)));
    catalog.hooks.remove("broken").await.unwrap();
    assert!(catalog.hooks.list().await.unwrap().unreadable.is_empty());
}

#[tokio::test]
async fn it_is_logged_once() {
    let folder = tempfile::tempdir().unwrap();
    // These hooks are not started, so only this thread reads them.
    let catalog = Catalog::open(&folder).await.impatient(Duration::from_secs(1));
    catalog.add("broken", &Receiver::start()).await;
    damage(&catalog).await;
    let errors = Errors::default();
    let _guard = tracing::subscriber::set_default(errors.clone());
    for _ in 0..3 {
        assert_eq!(catalog.hooks.list().await.unwrap().unreadable.len(), 1);
    }
    let logged = errors.0.lock().unwrap();
    let [line] = &logged[..] else { panic!("{logged:?}") };
    assert!(line.contains("hook=\"broken\"") && line.contains("filter"), "{line}");
}

/// Collects the errors that are logged.
#[derive(Clone, Default)]
struct Errors(Arc<Mutex<Vec<String>>>);

impl Subscriber for Errors {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::ERROR
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, "{}={value:?} ", field.name()).unwrap();
    }
}
