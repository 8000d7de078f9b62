//! An app as a file for another tool.
//!
//! Every format has a file that turns a [`Subject`], which is all that is known of an app, into the text
//! of an [`Export`] or into the [`Reason`]s why that would be half true. Nothing here guesses: a tool that
//! is given a wrong version installs an app again every hour. All functions are pure, and the same subject
//! always gives the same bytes.

mod archive;
mod autopkg;
mod download;
mod fleet;
mod format;
mod installed;
mod installomator;
mod intune;
mod munki;
mod osquery;
pub mod quote;
mod reason;
mod report;
mod script;
mod subject;

pub use archive::{Archive, ArchiveError};
pub use format::ExportFormat;
pub use reason::Reason;
pub use report::{REPORT, ReportLine, read_report};
pub use subject::Subject;

use appstitch_types::{AppExports, ExportReason, ExportRefusal, ExportState};

/// A file, with what to check before it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    pub file_name: String,
    pub text: String,
    pub warnings: Vec<String>,
}

/// Makes the file of an app in a format.
pub fn export(subject: &Subject<'_>, format: ExportFormat) -> Result<Export, Vec<Reason>> {
    let (text, warnings) = match format {
        ExportFormat::Installomator => installomator::label(subject)?,
        ExportFormat::Munki => munki::pkginfo(subject)?,
        ExportFormat::AutoPkg => autopkg::recipe_list(subject)?,
        ExportFormat::AutoPkgDownload => autopkg::download_recipe(subject)?,
        ExportFormat::Intune => intune::body(subject)?,
        ExportFormat::IntunePreinstall => intune::preinstall(subject)?,
        ExportFormat::IntunePostinstall => intune::postinstall(subject)?,
        ExportFormat::Fleet => fleet::software(subject)?,
        ExportFormat::FleetPolicy => fleet::policy(subject)?,
        ExportFormat::Osquery => osquery::query(subject)?,
        ExportFormat::OsqueryPack => osquery::pack(subject)?,
    };
    let file_name = format.file_name(subject.app.slug.as_str());
    Ok(Export { file_name, text, warnings })
}

/// Every format, and whether the app fits.
pub fn describe(subject: &Subject<'_>) -> AppExports {
    let state = |format: ExportFormat| {
        let made = export(subject, format);
        let (file_name, warnings, reasons) = match made {
            Ok(made) => (Some(made.file_name), made.warnings, Vec::new()),
            Err(reasons) => (None, Vec::new(), given(&reasons)),
        };
        ExportState {
            format: format.name().to_owned(),
            title: format.title().to_owned(),
            fits: file_name.is_some(),
            file_name,
            content_type: format.content_type().to_owned(),
            warnings,
            reasons,
        }
    };
    AppExports {
        slug: subject.app.slug.to_string(),
        exports: ExportFormat::ALL.into_iter().map(state).collect(),
    }
}

/// What is said instead of a file.
pub fn refusal(slug: &str, format: ExportFormat, reasons: &[Reason]) -> ExportRefusal {
    let texts: Vec<String> = reasons.iter().map(ToString::to_string).collect();
    ExportRefusal {
        detail: format!(
            "App '{slug}' cannot be exported as {}: {}",
            format.title(),
            texts.join("; ")
        ),
        format: format.name().to_owned(),
        reasons: given(reasons),
    }
}

fn given(reasons: &[Reason]) -> Vec<ExportReason> {
    let of =
        |reason: &Reason| ExportReason { code: reason.code().to_owned(), text: reason.to_string() };
    reasons.iter().map(of).collect()
}

/// The text of a file, and what to check before it is used; or why it would be half true.
type Made = Result<(String, Vec<String>), Vec<Reason>>;

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
