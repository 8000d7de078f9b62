//! `appstitch labels resolve`.

use std::{collections::HashSet, path::Path, sync::Arc};

use anyhow::anyhow;
use appstitch_publish::Publisher;
use appstitch_resolver::{LiveOptions, RunReport};
use appstitch_sources::UpstreamEntry;
use appstitch_store::{Store, StoreAddress};
use jiff::Timestamp;

use super::{
    choice::Choice, findings::PublishedFindings, known_labels::KnownLabels, live, origin, publish,
    record, replay, report::Report, server,
};
use crate::{
    arguments::ResolveArguments, deploy_token, exit::Failure, open_store,
    upstream_config::UpstreamConfig,
};

/// How labels are run, and what is done with the result.
struct Plan<'p> {
    choice: Choice<'p>,
    options: LiveOptions,
    record: Option<&'p Path>,
    dry_run: bool,
}

/// A run whose findings are published.
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
    let plan = Plan {
        choice: Choice { names: &arguments.names, ..Choice::default() },
        options: LiveOptions { record: arguments.record.is_some(), ..options },
        record: arguments.record.as_deref(),
        dry_run: arguments.dry_run,
    };
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

/// The failure of a run without any answer.
pub(crate) fn no_answer() -> Failure {
    Failure::unreachable(anyhow!("no request was answered; nothing is published"))
        .hint("check the network connection; if there is a proxy, pass it with --proxy")
}

async fn on_server(
    arguments: &ResolveArguments,
    server: &str,
    mut plan: Plan<'_>,
) -> Result<Option<Done>, Failure> {
    let token = match (plan.dry_run, arguments.only_missing) {
        // Both routes of the server require it.
        (false, _) | (_, true) => Some(deploy_token::required(&arguments.token)?),
        _ => None,
    };
    let config = UpstreamConfig::read(arguments.config.as_deref())?;
    if let Some(token) = &token {
        // Asked in any case, so that a wrong token is noticed before the run.
        let unresolved = server::unresolved(server, token).await?;
        plan.choice.missing = arguments.only_missing.then_some(unresolved);
    }
    let labels = match &arguments.labels {
        Some(file) => origin::in_file(file)?,
        None => {
            origin::fetch(&config, &arguments.network.access()?, plan.options.time_limit).await?
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
    let Some(run) = plan.run(labels, None).await? else { return Ok(None) };
    let published = match token.filter(|_| !plan.dry_run && !run.network.is_offline()) {
        Some(token) => publish::to_server(server, token, &run.runs).await,
        None => Ok(PublishedFindings::default()),
    };
    plan.finish(&run, published).map(Some)
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
        plan.choice.missing = Some(missing(&publisher).await?);
    }
    if let Some(age) = arguments.older_than {
        plan.choice.run_before = Timestamp::now().checked_sub(age).ok();
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
    let Some(run) = plan.run(&labels, Some(store)).await? else { return Ok(None) };
    let published = if run.network.is_offline() {
        Ok(PublishedFindings::default())
    } else {
        publish::to_store(publisher, &run.runs, plan.dry_run).await
    };
    let done = plan.finish(&run, published)?;
    // Labels whose findings are not published count as not run.
    if !plan.dry_run
        && !run.network.is_offline()
        && let Err(why) = store.put_label_runs(run.last_runs).await
    {
        eprintln!("warning: the times of the runs cannot be stored: {why}");
    }
    Ok(Some(done))
}

impl Plan<'_> {
    /// Runs the chosen labels; `None` if no label is chosen.
    async fn run(
        &self,
        labels: &KnownLabels,
        store: Option<&Store>,
    ) -> Result<Option<RunReport>, Failure> {
        let runs = match store {
            Some(store) => store.label_runs().await.map_err(Failure::unreachable)?,
            None => Vec::new(),
        };
        let chosen = self.choice.of(labels, &runs)?;
        if chosen.is_empty() {
            return Ok(None);
        }
        live::run(chosen, self.options.clone(), store.cloned()).await.map(Some)
    }

    /// Records a run, even if its findings could not be published.
    fn finish(
        &self,
        run: &RunReport,
        published: Result<PublishedFindings, Failure>,
    ) -> Result<Done, Failure> {
        let recorded = self.record.map_or(Ok(()), |file| record::write(file, run));
        let published = published?;
        for problem in &published.problems {
            eprintln!("warning: {}: {}", problem.what, problem.why);
        }
        Ok(Done { report: Report::new(run, published), recorded })
    }
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
        Self { choice: Choice::default(), options, record: None, dry_run: false }
    }
}
