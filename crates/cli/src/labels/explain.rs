//! `appstitch labels explain`: shows how a label finds its values.

mod json;
mod text;

use appstitch_labels::{
    Architecture, Budget, Mac, Network, Resolved, Step, Stopped, resolve_and_trace,
};
use appstitch_refresh::{KnownLabel, KnownLabels};
use appstitch_resolver::{LiveNetwork, mac_today};
use jiff::Timestamp;

use super::{
    live, origin,
    replay::{cases_in, is_named, warn_of_changed},
    unknown::{find, unknown},
};
use crate::{
    arguments::ExplainArguments,
    exit::{self, Failure},
};

struct Explained {
    name: String,
    file: String,
    architecture: Architecture,
    steps: Vec<Step>,
    resolved: Result<Resolved, Stopped>,
}

impl Explained {
    /// The value of a variable, or why it is unknown; empty if the label does not set it.
    fn value(&self, variable: &str) -> Result<&str, &Stopped> {
        match &self.resolved {
            Ok(resolved) => resolved.value(variable).unwrap_or(Ok("")),
            Err(stopped) => Err(stopped),
        }
    }
}

pub(crate) async fn run(arguments: ExplainArguments) -> Result<(), Failure> {
    let architecture = arguments.arch.into();
    let labels =
        origin::in_file_or_store(arguments.labels.as_deref(), &arguments.store.store).await?;
    let explained = match &arguments.replay {
        Some(_) => replayed(&arguments, &labels, architecture)?,
        None => asked(&arguments, find(&labels, &arguments.name)?, architecture).await?,
    };
    exit::print(&if arguments.json { json::render(&explained)? } else { text::render(&explained) })
}

fn replayed(
    arguments: &ExplainArguments,
    labels: &KnownLabels,
    architecture: Architecture,
) -> Result<Explained, Failure> {
    let cases = match &arguments.replay {
        Some(file) => cases_in(file)?,
        None => Vec::new(),
    };
    let name = arguments.name.as_str();
    // The name of a case is exact: a label can have several.
    let case = cases
        .iter()
        .find(|case| case.name == name)
        .or_else(|| cases.iter().find(|case| is_named(case, labels, name)))
        .ok_or_else(|| unknown(name, cases.iter().map(|case| case.name.as_str())))?;
    let label = match labels.find_stem(&case.label) {
        Some(label) => label,
        None => find(labels, &case.label)?,
    };
    warn_of_changed(&[case], labels);
    let mac = case.mac(architecture);
    Ok(traced(label, &case.arg, &mac, &mut case.network()))
}

/// Runs a label with the live network. Nothing is published or kept.
async fn asked(
    arguments: &ExplainArguments,
    label: &KnownLabel,
    architecture: Architecture,
) -> Result<Explained, Failure> {
    let token_file = arguments.network.github_token_file.as_deref();
    let options = live::options(None, token_file, arguments.network.access()?)?;
    let network = LiveNetwork::new(options, None).map_err(Failure::unreachable)?;
    let mut network = network.for_label();
    let (label, name) = (label.clone(), arguments.name.clone());
    let mac = mac_today(architecture, Timestamp::now());
    // The network blocks the thread until an answer arrives.
    tokio::task::spawn_blocking(move || traced(&label, &name, &mac, &mut network))
        .await
        .map_err(Failure::unreachable)
}

fn traced(label: &KnownLabel, name: &str, mac: &Mac, network: &mut dyn Network) -> Explained {
    let mut steps = Vec::new();
    let budget = Budget::default();
    let resolved = resolve_and_trace(&label.text, name, mac, network, budget, &mut steps);
    Explained {
        name: name.to_owned(),
        file: label.file.clone(),
        architecture: mac.architecture,
        steps,
        resolved,
    }
}
