//! Messages: their identifiers and bodies.

use appstitch_feeds::{BodyFormat, CatalogChanged, Links, NamedChange, WebhookEvent};
use appstitch_snapshot::Snapshot;
use jiff::Timestamp;

use crate::{
    chance,
    plan::{Content, Planned},
};

#[derive(Debug, Clone)]
pub(crate) struct Message {
    /// The same for every attempt.
    pub(crate) id: String,
    pub(crate) kind: &'static str,
    pub(crate) body: String,
    pub(crate) changes: u64,
}

impl Message {
    /// Writes a planned message. A replay covers changes that were sent before, so it has another
    /// identifier.
    pub(crate) fn planned(
        planned: &Planned,
        replay_at: Option<Timestamp>,
        format: BodyFormat,
        links: &Links,
        snapshot: &Snapshot,
        now: Timestamp,
    ) -> Self {
        let token = snapshot.journal().token(planned.to.seq);
        let after = snapshot.journal().token(planned.after);
        match &planned.content {
            Content::Changes { count, first, revision, at } => {
                let name = |slug: &str| {
                    let position = snapshot.find(slug).ok()?;
                    Some(snapshot.read_app(position).ok()?.name)
                };
                let named: Vec<NamedChange<'_>> = first
                    .iter()
                    .map(|change| NamedChange::new(change, name(&change.slug).as_deref()))
                    .collect();
                let event = WebhookEvent::Changed(CatalogChanged {
                    at: *at,
                    revision,
                    epoch: &planned.to.epoch,
                    after: &after,
                    to: &token,
                    count: *count,
                    changes: &named,
                });
                let id = match replay_at {
                    Some(time) => format!("{token}-replay-{}", time.as_second()),
                    None => token.clone(),
                };
                Self::of(&event, id, *count as u64, format, links)
            }
            Content::Reset => {
                // A store that lost everything has no revision.
                let at = snapshot.stats().last_refresh.unwrap_or(now);
                let revision = snapshot.token();
                let event = WebhookEvent::Reset { at, revision, to: &token };
                Self::of(&event, format!("{token}-reset"), 0, format, links)
            }
        }
    }

    /// A message that only tries the hook.
    pub(crate) fn test(hook: &str, at: Timestamp, format: BodyFormat, links: &Links) -> Self {
        let event = WebhookEvent::Test { at, hook };
        Self::of(&event, format!("test-{}", chance::name()), 0, format, links)
    }

    fn of(
        event: &WebhookEvent<'_>,
        id: String,
        changes: u64,
        format: BodyFormat,
        links: &Links,
    ) -> Self {
        Self { id, kind: event.kind(), body: event.body(format, links), changes }
    }
}
