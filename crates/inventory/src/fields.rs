//! What is known about one entry while it is read.

use appstitch_text::trimmed;

use crate::installed_app::{InstalledApp, InstalledFrom};
use crate::{format::InventoryFormat, slot::Text};

/// The longest text that is kept, in bytes. No path on a Mac is longer.
pub(crate) const MAX_TEXT: usize = 1024;

/// How many names of an app are kept besides the first one.
const MAX_OTHER_NAMES: usize = 4;

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent facts")]
pub(crate) struct Fields {
    name: Option<String>,
    app_title: Option<String>,
    display_name: Option<String>,
    other_names: Vec<String>,
    token: Option<String>,
    bundle_id: Option<String>,
    short_version: Option<String>,
    installed_version: Option<String>,
    version: Option<String>,
    build: Option<String>,
    path: Option<String>,
    team_id: Option<String>,
    origin: InstalledFrom,
    host: Option<String>,
    id: Option<String>,
    hosts_count: Option<u64>,
    installed: Installed,
    is_other_software: bool,
    is_other_platform: bool,
    is_removed: bool,
    is_other_list: bool,
    /// The format that a key is typical of.
    pub(crate) format: Option<InventoryFormat>,
    /// It is around other entries.
    pub(crate) is_wrapper: bool,
    /// It lists the installed versions of one app.
    pub(crate) has_versions: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Installed {
    #[default]
    Unknown,
    No,
    Yes,
    /// A number that can be a version or whether it is installed.
    Number(String),
    Version(String),
}

impl Installed {
    /// What a number is: `brew` lists the installed version of a cask, tables have flags.
    fn decided(self, format: InventoryFormat) -> Self {
        match self {
            Self::Number(version) if format == InventoryFormat::Homebrew => Self::Version(version),
            Self::Number(flag) if flag == "0" => Self::No,
            Self::Number(_) => Self::Yes,
            other => other,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoApp {
    NotMac,
    NotInstalled,
    Empty,
}

impl Fields {
    pub(crate) fn set(&mut self, meaning: Text, text: &str) {
        let text = trimmed(text);
        if text.is_empty() || text.len() > MAX_TEXT {
            return;
        }
        match meaning {
            Text::Name => match self.name {
                None => self.name = Some(text.to_owned()),
                Some(_) => self.add_other_name(text),
            },
            Text::AppTitle => put(&mut self.app_title, text),
            Text::DisplayName => put(&mut self.display_name, text),
            Text::OtherName => self.add_other_name(text),
            Text::Action => self.is_removed = text == "removed",
            Text::DataType => self.is_other_list = text != "SPApplicationsDataType",
            Text::SignedBy => self.set_signer(text),
            _ if is_placeholder(text) => {}
            Text::Token => put(&mut self.token, text),
            Text::BundleId => put(&mut self.bundle_id, text),
            Text::ShortVersion => put(&mut self.short_version, text),
            Text::InstalledVersion => put(&mut self.installed_version, text),
            Text::Version => put(&mut self.version, text),
            Text::Build => put(&mut self.build, text),
            Text::Installed => self.set_installed(text),
            Text::Path => self.set_path(text),
            Text::TeamId => put(&mut self.team_id, text),
            Text::ObtainedFrom => self.set_obtained_from(text),
            Text::IsFromStore => self.set_truth(meaning, is_true(text)),
            Text::Host => put(&mut self.host, text),
            Text::Id => put(&mut self.id, text),
            Text::HostsCount => self.hosts_count = text.parse().ok(),
            Text::Source => self.is_other_software = text != "apps",
            Text::Platform => self.is_other_platform = is_other_platform(text),
            Text::AdamId => self.origin = InstalledFrom::Store,
        }
    }

    pub(crate) fn set_truth(&mut self, meaning: Text, truth: bool) {
        match (meaning, truth) {
            (Text::IsFromStore, true) => self.origin = InstalledFrom::Store,
            (Text::Installed, true) => self.installed = Installed::Yes,
            (Text::Installed, false) => self.installed = Installed::No,
            _ => {}
        }
    }

    pub(crate) fn set_nothing(&mut self, meaning: Text) {
        if meaning == Text::Installed {
            self.installed = Installed::No;
        }
    }

    fn add_other_name(&mut self, name: &str) {
        if self.other_names.len() < MAX_OTHER_NAMES {
            // Usually there is only one.
            self.other_names.reserve_exact(1);
            self.other_names.push(name.to_owned());
        }
    }

    /// Of several paths, the first one counts, but one of an app in use counts more than one of a copy
    /// elsewhere, such as in the trash.
    fn set_path(&mut self, text: &str) {
        let is_usual = |path: &str| path.starts_with("/Applications/");
        if self.path.as_deref().is_none_or(|path| !is_usual(path) && is_usual(text)) {
            self.path = Some(text.to_owned());
        }
    }

    fn set_installed(&mut self, text: &str) {
        self.installed = match text.to_ascii_lowercase().as_str() {
            "true" | "yes" => Installed::Yes,
            "false" | "no" => Installed::No,
            "0" | "1" => Installed::Number(text.to_owned()),
            _ => Installed::Version(text.to_owned()),
        };
    }

    pub(crate) fn set_receipt(&mut self, version: &str) {
        let version = version.trim();
        if !version.is_empty() && version.len() <= MAX_TEXT {
            self.installed = Installed::Version(version.to_owned());
        }
    }

    fn set_obtained_from(&mut self, text: &str) {
        self.origin = match text {
            "apple" => InstalledFrom::System,
            "mac_app_store" => InstalledFrom::Store,
            "identified_developer" => InstalledFrom::Developer,
            _ => return,
        };
    }

    /// The first certificate names the developer: `Developer ID Application: Vendor (TEAMID)`. The
    /// others are those of the authorities.
    fn set_signer(&mut self, text: &str) {
        if self.team_id.is_some() {
            return;
        }
        let inner = text.strip_suffix(')').and_then(|text| text.rsplit_once('('));
        if let Some((_, id)) = inner
            && id.len() == 10
            && id.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        {
            self.team_id = Some(id.to_owned());
        }
    }

    /// Whether everything in it is about something else than installed apps.
    pub(crate) fn rejects_entries(&self) -> Option<NoApp> {
        if self.is_removed {
            Some(NoApp::NotInstalled)
        } else if self.is_other_list {
            Some(NoApp::NotMac)
        } else {
            None
        }
    }

    /// Whether it knows something that entries inside of it may lack.
    pub(crate) fn passes_on(&self) -> bool {
        self.host.is_some() || self.has_versions
    }

    /// What entries inside of it lack.
    pub(crate) fn pass_on(&self, app: &mut InstalledApp) {
        if app.host.is_none() {
            app.host.clone_from(&self.host);
        }
        if self.has_versions {
            let first = self.name.as_ref().or(self.display_name.as_ref());
            inherit(&mut app.name, first);
            inherit(&mut app.bundle_id, self.bundle_id.as_ref());
            for name in self.display_name.iter().chain(&self.other_names) {
                push_name(app, name);
            }
            app.hosts_count = app.hosts_count.or(self.hosts_count);
        }
    }

    /// The name of the Mac, if the entries in it are apps: its name, else its number.
    pub(crate) fn take_computer(&mut self) -> Option<String> {
        self.host.take().or_else(|| self.id.take())
    }

    /// Whether the versions in it are of something else than Mac apps.
    pub(crate) fn is_other(&self) -> bool {
        self.is_other_software || self.is_other_platform
    }

    pub(crate) fn into_app(mut self, format: InventoryFormat) -> Result<InstalledApp, NoApp> {
        self.installed = self.installed.decided(format);
        if let Some(title) = self.app_title.take() {
            // Jamf's searches list computers by name, and an app of each by its title.
            if let Some(computer) = self.name.replace(title) {
                put(&mut self.host, &computer);
            }
        }
        let names_app = self.name.is_some() || self.display_name.is_some();
        let is_version = self.version.is_some() && format == InventoryFormat::Fleet;
        let is_app = names_app || self.bundle_id.is_some() || self.token.is_some();
        let is_fleet = format == InventoryFormat::Fleet;
        if self.is_other_platform || (is_fleet && self.is_other_software) {
            return Err(NoApp::NotMac);
        }
        if !is_app && !is_version && self.other_names.is_empty() {
            return Err(NoApp::Empty);
        }
        if self.installed == Installed::No {
            return Err(NoApp::NotInstalled);
        }
        // A cask's own version is the newest one, not the installed one.
        let is_cask = self.token.is_some() && self.installed != Installed::Unknown;
        let version = self.version.filter(|_| !is_cask);
        let receipt = match self.installed {
            // Without a cask, it may be anything, such as a date.
            Installed::Version(version) => Some(version).filter(|_| self.token.is_some()),
            _ => None,
        };
        let own_version = self.short_version.or(self.installed_version);
        let version_from_receipt = own_version.is_none() && receipt.is_some();
        let short_version = own_version.or(receipt).or(version);
        let mut app = InstalledApp {
            host: self.host,
            token: self.token,
            bundle_id: self.bundle_id,
            short_version,
            version_from_receipt,
            build: self.build,
            path: self.path,
            team_id: self.team_id,
            origin: self.origin,
            hosts_count: self.hosts_count,
            ..InstalledApp::default()
        };
        let mut others = self.other_names;
        let (first, second) = match self.name {
            Some(name) => (Some(name), self.display_name),
            None => (self.display_name, None),
        };
        app.name = first.or_else(|| (!others.is_empty()).then(|| others.remove(0)));
        if let Some(second) = second {
            others.reserve_exact(1);
            others.insert(0, second);
        }
        // Each name is kept once, where it is first.
        for at in (0..others.len()).rev() {
            if app.name.as_ref() == Some(&others[at]) || others[..at].contains(&others[at]) {
                others.remove(at);
            }
        }
        others.shrink_to_fit();
        app.other_names = others;
        Ok(app)
    }
}

fn push_name(app: &mut InstalledApp, name: &str) {
    match &app.name {
        None => app.name = Some(name.to_owned()),
        Some(first) if first == name => {}
        Some(_) if app.other_names.iter().any(|other| other == name) => {}
        Some(_) => app.other_names.push(name.to_owned()),
    }
}

fn put(field: &mut Option<String>, text: &str) {
    if field.is_none() {
        *field = Some(text.to_owned());
    }
}

fn inherit(field: &mut Option<String>, value: Option<&String>) {
    if field.is_none() {
        *field = value.cloned();
    }
}

/// What tools write if they do not know a value.
fn is_placeholder(text: &str) -> bool {
    const LONGEST: usize = "unknown".len();
    text.len() <= LONGEST
        && ["n/a", "na", "null", "(null)", "none", "unknown", "-", "--"]
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word))
}

fn is_true(text: &str) -> bool {
    ["true", "yes", "1", "y"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Unknown platforms are kept.
fn is_other_platform(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["windows", "ios", "ipados", "android", "linux", "chrome"]
        .iter()
        .any(|name| text.starts_with(name))
}

pub(crate) fn bytes_of(app: &InstalledApp) -> usize {
    let texts = [
        &app.host, &app.name, &app.token, &app.bundle_id, &app.short_version, &app.build,
        &app.path, &app.team_id,
    ];
    let texts = texts.into_iter().flatten().chain(&app.other_names);
    size_of_val(app)
        + app.other_names.capacity() * std::mem::size_of::<String>()
        + texts.map(String::capacity).sum::<usize>()
}
