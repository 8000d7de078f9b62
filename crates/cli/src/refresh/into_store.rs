//! Refreshes a store.

use std::sync::Arc;

use appstitch_publish::Publisher;
use appstitch_refresh::{
    Attempts, FetchPlan, Refreshed, Remembered, fetch, preview, publish, remember,
};
use appstitch_sources::Upstream;
use appstitch_store::Store;

use super::{
    Order, WHILE_PUBLISHING,
    report::{Bars, Report},
};
use crate::{exit::Failure, interrupt::unless_interrupted, labels, open_store};

/// Returns whether a source that failed keeps anything.
pub(super) async fn refresh(order: &Order, report: &mut Report) -> Result<bool, Failure> {
    let store = open_store::open(&order.arguments.store.store).await?;
    let priority = order.arguments.priority.refresh_priority.into();
    let publisher = open_store::publisher(store.clone(), priority).await?;
    let had_apps = publisher.current().stats().total_apps > 0;
    let remembered = remembered(order, &order.chosen, &store, &publisher).await?;
    let is_listings = |upstream: &Upstream| *upstream == Upstream::StoreListing;
    let asks_later = order.config.lookup().is_some() && !remembered.has_wanted();
    if asks_later && order.chosen.iter().any(is_listings) && order.chosen.len() > 1 {
        // The first refresh: the other sources say which listings to ask for.
        let mut others = order.chosen.clone();
        others.retain(|upstream| !is_listings(upstream));
        part(order, &others, &remembered, &store, &publisher, report).await?;
        let listings = [Upstream::StoreListing];
        let remembered = self::remembered(order, &listings, &store, &publisher).await?;
        if remembered.has_wanted() {
            part(order, &listings, &remembered, &store, &publisher, report).await?;
        }
    } else {
        part(order, &order.chosen, &remembered, &store, &publisher, report).await?;
    }
    if order.arguments.resolving.resolve_labels && !order.arguments.dry_run {
        let options = order.labels_in_time();
        report.resolved(labels::after_refresh(&store, &publisher, options).await);
    }
    Ok(had_apps)
}

async fn remembered(
    order: &Order,
    chosen: &[Upstream],
    store: &Store,
    publisher: &Arc<Publisher>,
) -> Result<Remembered, Failure> {
    let is_chosen = |upstream| chosen.contains(&upstream);
    Remembered::read(&order.config, is_chosen, store, publisher).await.map_err(Failure::unreachable)
}

/// Fetches some sources and publishes them as one revision.
async fn part(
    order: &Order,
    chosen: &[Upstream],
    remembered: &Remembered,
    store: &Store,
    publisher: &Arc<Publisher>,
    report: &mut Report,
) -> Result<(), Failure> {
    let known = publisher.fetched().await.map_err(Failure::unreachable)?;
    let plan = FetchPlan {
        config: &order.config,
        only: chosen,
        known: &known,
        remembered: Some(remembered),
        limit: order.limit,
        other_parts: usize::from(order.arguments.resolving.resolve_labels),
        all_problems: order.arguments.verbose,
    };
    let attempts = if order.arguments.dry_run {
        None
    } else {
        // A server that refreshes by itself with the same store does not fetch them again.
        let attempts = Attempts::begin(store, &order.config, chosen, None).await;
        Some(attempts.map_err(Failure::unreachable)?)
    };
    let bars = Bars::default();
    let fetch = async { fetch(plan, &order.access, &bars).await.map_err(Failure::unreachable) };
    let fetched = unless_interrupted(fetch, "nothing is published").await?;
    let allow_shrink = order.arguments.allow_shrink;
    let Some(attempts) = attempts else {
        let refreshed = preview(publisher, fetched, allow_shrink).await;
        let Refreshed { reports, published, .. } = refreshed.map_err(Failure::unreachable)?;
        report.files.extend(reports);
        report.previews.extend(published);
        return Ok(());
    };
    let publish =
        async { publish(publisher, fetched, allow_shrink).await.map_err(Failure::unreachable) };
    let Refreshed { reports, published, memory } =
        unless_interrupted(publish, WHILE_PUBLISHING).await?;
    attempts.end(store, &order.config, &reports).await.map_err(Failure::unreachable)?;
    if let Some(memory) = memory {
        remember(store, &memory).await.map_err(Failure::unreachable)?;
    }
    report.files.extend(reports);
    report.published.extend(published);
    Ok(())
}
