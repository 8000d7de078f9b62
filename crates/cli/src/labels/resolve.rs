//! `appstitch labels resolve`.

use std::{collections::HashSet, path::Path, sync::Arc};

use anyhow::anyhow;
use appstitch_publish::Publisher;
use appstitch_refresh::{
    Choice, KnownLabels, LabelPlan, LabelsDone, PublishedFindings, UpstreamConfig,
};
use appstitch_resolver::{LiveOptions, RunReport};
use appstitch_sources::UpstreamEntry;
use appstitch_store::{Store, StoreAddress};
use jiff::Timestamp;

use super::{live, origin, record, replay, report::Report, server};
use crate::{
    arguments::ResolveArguments, exit::Failure, open_store, secrets::required_deploy_token,
};

/// How labels are run, and what is done with the result.
struct Plan<'p> {
    labels: LabelPlan<'p>,
    record: Option<&'p Path>,
}

struct Done {
    report: Report,
    /// Whether the record could be written, if there is one.
    recorded: Result<(), Failure>,
}

pub(crate) async fn run(arguments: ResolveArguments) -> Result<(), Failure> {
    if arguments.replay.is_some() {
        return replay::run(&arguments).await;
    }
    if let Some(file) = &arguments.record {
        record::check(file)?;
    }
    let token_file = arguments.network.github_token_file.as_deref();
    let options = live::options(arguments.time_limit, token_file, arguments.network.access()?)?;
    let labels = LabelPlan {
        choice: Choice { names: &arguments.names, ..Choice::default() },
        options: LiveOptions { record: arguments.record.is_some(), ..options },
        dry_run: arguments.dry_run,
    };
    let plan = Plan { labels, record: arguments.record.as_deref() };
    let done = match &arguments.server {
        Some(server) => on_server(&arguments, server, plan).await?,
        None => on_store(&arguments, plan).await?,
    };
    let Some(Done { report, recorded }) = done else {
        eprintln!("no label needs a run");
        // Readers of JSON always get a document.
        let nothing = Report::new(&RunReport::default(), PublishedFindings::default());
        return if arguments.json { nothing.print(true) } else { Ok(()) };
    };
    report.print(arguments.json)?;
    recorded?;
    if report.is_offline() {
        return Err(no_answer());
    }
    if !arguments.names.is_empty() && !report.is_complete() {
        return Err(Failure::no(anyhow!("some of the named labels are not resolved"))
            .hint("`appstitch labels explain NAME` shows each step"));
    }
    Ok(())
}

pub(crate) fn no_answer() -> Failure {
    Failure::unreachable(anyhow!("no request was answered; nothing is published"))
        .hint("check the network connection; if there is a proxy, pass it with --proxy")
}

async fn on_server(
    arguments: &ResolveArguments,
    server: &str,
    mut plan: Plan<'_>,
) -> Result<Option<Done>, Failure> {
    let token = match (plan.labels.dry_run, arguments.only_missing) {
        // Both routes of the server require it.
        (false, _) | (_, true) => Some(required_deploy_token(&arguments.token)?),
        _ => None,
    };
    let config = UpstreamConfig::read(arguments.config.as_deref()).map_err(Failure::wrong_use)?;
    if let Some(token) = &token {
        // Asked in any case, so that a wrong token is noticed before the run.
        let unresolved = server::unresolved(server, token).await?;
        plan.labels.choice.missing = arguments.only_missing.then_some(unresolved);
    }
    let labels = match &arguments.labels {
        Some(file) => origin::in_file(file)?,
        None => {
            origin::fetch(&config, &arguments.network.access()?, plan.labels.options.time_limit)
                .await?
        }
    };
    run_for_server(server, token.as_deref(), &labels, plan).await
}

async fn run_for_server(
    server: &str,
    token: Option<&str>,
    labels: &KnownLabels,
    plan: Plan<'_>,
) -> Result<Option<Done>, Failure> {
    let Plan { labels: LabelPlan { choice, options, dry_run }, record } = plan;
    let chosen = choice.of(labels, &[]).map_err(|error| live::failure(error.into(), labels))?;
    if chosen.is_empty() {
        return Ok(None);
    }
    let run = live::run(chosen, options).await?;
    let published = match token.filter(|_| !dry_run && !run.network.is_offline()) {
        Some(token) => server::publish(server, token, &run.runs).await,
        None => Ok(PublishedFindings::default()),
    };
    finish(record, &run, published).map(Some)
}

async fn on_store(
    arguments: &ResolveArguments,
    mut plan: Plan<'_>,
) -> Result<Option<Done>, Failure> {
    let address = &arguments.store.store;
    let file = arguments.labels.as_deref().map(origin::in_file).transpose()?;
    exists(address)?;
    let store = open_store::open(address).await?;
    let priority = arguments.priority.refresh_priority.into();
    let publisher = open_store::publisher(store.clone(), priority).await?;
    if arguments.only_missing {
        plan.labels.choice.missing = Some(missing(&publisher).await?);
    }
    if let Some(age) = arguments.older_than {
        plan.labels.choice.run_before = Timestamp::now().checked_sub(age).ok();
    }
    run_in_store(&store, &publisher, file, plan).await
}

/// Rejects a store that does not exist, because opening it would create it.
fn exists(address: &StoreAddress) -> Result<(), Failure> {
    let StoreAddress::Sqlite(path) = address else { return Ok(()) };
    if path.exists() {
        return Ok(());
    }
    Err(Failure::unreachable(anyhow!("cannot open {address}: there is no such store"))
        .hint("fill it with `appstitch refresh`, or name another with --store"))
}

async fn missing(publisher: &Publisher) -> Result<HashSet<String>, Failure> {
    let labels = publisher.labels().await.map_err(Failure::unreachable)?;
    let missing = labels.iter().filter(|label| !label.unresolved.is_empty());
    Ok(missing.map(|label| label.slug.to_string()).collect())
}

async fn run_in_store(
    store: &Store,
    publisher: &Arc<Publisher>,
    labels: Option<KnownLabels>,
    plan: Plan<'_>,
) -> Result<Option<Done>, Failure> {
    let labels = if let Some(labels) = labels {
        labels
    } else {
        let documents = publisher.label_documents().await.map_err(Failure::unreachable)?;
        origin::not_empty(KnownLabels::of_documents(&documents))?
    };
    let Plan { labels: label_plan, record } = plan;
    let done = live::run_in_store(store, publisher, &labels, label_plan).await?;
    let Some(LabelsDone { run, published, .. }) = done else { return Ok(None) };
    let published = published.map_err(|error| live::failure(error, &labels));
    finish(record, &run, published).map(Some)
}

fn finish(
    record: Option<&Path>,
    run: &RunReport,
    published: Result<PublishedFindings, Failure>,
) -> Result<Done, Failure> {
    let recorded = record.map_or(Ok(()), |file| record::write(file, run));
    let published = published?;
    for problem in &published.problems {
        eprintln!("warning: {}: {}", problem.what, problem.why);
    }
    Ok(Done { report: Report::new(run, published), recorded })
}

/// Resolves the labels of a store after a refresh; `None` if no label needs a run.
pub(crate) async fn after_refresh(
    store: &Store,
    publisher: &Arc<Publisher>,
    options: LiveOptions,
) -> Result<Option<Report>, Failure> {
    let done = run_in_store(store, publisher, None, Plan::of_all(options)).await?;
    Ok(done.map(|done| done.report))
}

/// Resolves the labels that a refresh fetched for a server; `None` if no label needs a run.
pub(crate) async fn after_upload(
    server: &str,
    token: &str,
    entries: &[UpstreamEntry],
    options: LiveOptions,
) -> Result<Option<Report>, Failure> {
    let labels = KnownLabels::of_entries(entries);
    let done = run_for_server(server, Some(token), &labels, Plan::of_all(options)).await?;
    Ok(done.map(|done| done.report))
}

impl Plan<'_> {
    /// Runs all labels that need it and publishes the result.
    fn of_all(options: LiveOptions) -> Self {
        let labels = LabelPlan { choice: Choice::default(), options, dry_run: false };
        Self { labels, record: None }
    }
}
