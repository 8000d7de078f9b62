//! `appstitch label`: an installer label for one app.

use appstitch_client::GeneratedLabel;

use super::{client, failure, print_json, unknown};
use crate::{
    arguments::LabelArguments,
    exit::{self, Failure},
};

pub(crate) async fn run(arguments: LabelArguments) -> Result<(), Failure> {
    let client = client(&arguments.server)?;
    let slug = &arguments.slug;
    if arguments.shell {
        return match client.generate_label_fragment(slug).await.map_err(failure)? {
            Some(fragment) => exit::print(&fragment),
            None => Err(unknown(&client, slug).await),
        };
    }
    let Some(label) = client.generate_label(slug).await.map_err(failure)? else {
        return Err(unknown(&client, slug).await);
    };
    if arguments.json {
        return print_json(&label);
    }
    show(&label)
}

/// The variables as an aligned list; warnings on stderr.
fn show(label: &GeneratedLabel) -> Result<(), Failure> {
    for warning in &label.warnings {
        eprintln!("warning: {warning}");
    }
    let width = label.content.keys().map(String::len).max().unwrap_or_default();
    let lines = label.content.iter().map(|(name, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{name:width$}  {value}\n")
    });
    exit::print(&lines.collect::<String>())
}
