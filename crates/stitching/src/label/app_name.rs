//! The file name of an app, on disk and in the download.

use appstitch_text::normal_name::normal;
use appstitch_types::Source;

use super::literal::Literals;
use crate::cask::CaskFacts;

pub(super) struct AppName {
    pub(super) name: Option<(Source, String)>,
    /// The path in the download, if it differs.
    pub(super) archived: Option<(Source, String)>,
    pub(super) is_labels: bool,
    pub(super) warning: Option<String>,
}

impl AppName {
    /// The label's name is preferred, unless the download comes from the cask and contains a
    /// different app. If both differ only in case, the cask is right: it is installed from the
    /// file of that name, while the label tool finds files in any case.
    pub(super) fn choose(
        label: Option<&Literals>,
        cask: Option<&CaskFacts>,
        download: Option<Source>,
    ) -> Self {
        let name = label.and_then(Literals::name);
        let own_file = label.and_then(|label| label.text("appName"));
        let looked_for = own_file.or(name).map(without_ending);
        let of_label = name.map(|name| {
            let spelled = cask.and_then(|cask| spelling(cask, name));
            spelled.map_or((Source::LabelTool, name.to_owned()), |name| {
                (Source::CaskCatalog, name.to_owned())
            })
        });
        let of_cask = || {
            let name = |cask: &CaskFacts| cask.app_name.clone().or(cask.removed_app.clone());
            Some((Source::CaskCatalog, name(cask?)?))
        };
        let brings_apps =
            |cask: &&CaskFacts| download == Some(Source::CaskCatalog) && !cask.app_names.is_empty();
        let Some(brought) = cask.filter(brings_apps) else {
            let spelled = own_file
                .and_then(|file| spelling(cask?, without_ending(file)))
                .map(|file| (Source::CaskCatalog, format!("{file}.app")));
            return Self {
                name: of_label.or_else(of_cask),
                archived: spelled,
                is_labels: true,
                warning: None,
            };
        };
        let path = brought.archived_app.as_deref();
        let file = path.and_then(|path| path.rsplit('/').next()).map(without_ending);
        let is_file = |wanted: &str| file.is_some_and(|file| file.eq_ignore_ascii_case(wanted));
        let is_brought = looked_for.is_some_and(|wanted| {
            is_file(wanted)
                || brought.app_names.iter().any(|name| name.eq_ignore_ascii_case(wanted))
        });
        let folder = path.and_then(|path| path.rsplit_once('/')).map(|(folder, _)| folder);
        if is_brought && folder.is_none() && (path.is_none() || looked_for.is_some_and(is_file)) {
            let spelled = own_file.and(path).map(|path| (Source::CaskCatalog, path.to_owned()));
            return Self { name: of_label, archived: spelled, is_labels: true, warning: None };
        }
        if let Some(file) =
            file.filter(|file| !is_brought && folder.is_none() && is_lasting(file, brought))
        {
            let named = of_cask().filter(|(_, name)| name != file);
            return Self {
                name: Some((Source::CaskCatalog, file.to_owned())),
                archived: None,
                is_labels: false,
                warning: named.map(|(_, name)| {
                    format!("name: Homebrew installs the app as '{name}.app', Installomator as '{file}.app'; make sure that no other app has that file name")
                }),
            };
        }
        let name = if is_brought { of_label } else { of_cask() };
        let plain = name.as_ref().map(|(_, name)| format!("{name}.app"));
        let other = path.filter(|path| plain.as_deref().is_some_and(|plain| plain != *path));
        Self {
            archived: other.map(|path| (Source::CaskCatalog, path.to_owned())),
            name,
            is_labels: false,
            warning: folder.map(|folder| {
                format!("appName: the app is in the folder '{folder}' of the download and is installed in a folder of that name; move it if needed")
            }),
        }
    }
}

/// The name as the cask spells it, if one of its apps has this name in another case.
fn spelling<'a>(cask: &'a CaskFacts, name: &str) -> Option<&'a str> {
    let names = || cask.app_names.iter().chain(&cask.removed_app).map(String::as_str);
    if names().any(|other| other == name) {
        return None;
    }
    names().find(|other| other.eq_ignore_ascii_case(name))
}

/// Whether the next version of the app is in a file of the same name.
fn is_lasting(file: &str, cask: &CaskFacts) -> bool {
    let version = cask.version.as_deref().and_then(|version| version.split(',').next());
    version.is_none_or(|version| !normal(file).contains(&normal(version)))
}

fn without_ending(file: &str) -> &str {
    file.strip_suffix(".app").unwrap_or(file)
}
