//! `appstitch label`: an installer label for one app.

use appstitch_client::{GeneratedLabel, LabelFormat};

use super::request::{client, failure, known, print_body};
use crate::{
    arguments::LabelArguments,
    exit::{self, Failure},
};

pub(crate) async fn run(arguments: LabelArguments) -> Result<(), Failure> {
    let client = client(&arguments.server)?;
    let format = if arguments.shell { LabelFormat::Shell } else { LabelFormat::Json };
    let label = client.generate_label_raw(&arguments.slug, format).await;
    let label = known(&client, &arguments.slug, label).await?;
    if arguments.shell {
        return exit::print(&label.text().map_err(failure)?);
    }
    if arguments.json {
        return print_body(&label.body);
    }
    show(&label.decode().map_err(failure)?)
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
