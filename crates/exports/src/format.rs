//! The formats, by name.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExportFormat {
    Installomator,
    Munki,
    AutoPkg,
    AutoPkgDownload,
    Intune,
    IntunePreinstall,
    IntunePostinstall,
    Fleet,
    FleetPolicy,
    Osquery,
    OsqueryPack,
}

impl ExportFormat {
    /// Every format: those of the tools that most admins use first.
    pub const ALL: [Self; 11] = [
        Self::Installomator,
        Self::Munki,
        Self::AutoPkg,
        Self::AutoPkgDownload,
        Self::Intune,
        Self::IntunePreinstall,
        Self::IntunePostinstall,
        Self::Fleet,
        Self::FleetPolicy,
        Self::Osquery,
        Self::OsqueryPack,
    ];

    /// The name in paths, commands and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Installomator => "installomator",
            Self::Munki => "munki",
            Self::AutoPkg => "autopkg",
            Self::AutoPkgDownload => "autopkg-download",
            Self::Intune => "intune",
            Self::IntunePreinstall => "intune-preinstall",
            Self::IntunePostinstall => "intune-postinstall",
            Self::Fleet => "fleet",
            Self::FleetPolicy => "fleet-policy",
            Self::Osquery => "osquery",
            Self::OsqueryPack => "osquery-pack",
        }
    }

    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The names of all formats, for messages.
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// The tool, and what the file is to it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Installomator => "Installomator label",
            Self::Munki => "Munki pkginfo",
            Self::AutoPkg => "AutoPkg recipe list",
            Self::AutoPkgDownload => "AutoPkg download recipe",
            Self::Intune => "Intune app",
            Self::IntunePreinstall => "Intune pre-install script",
            Self::IntunePostinstall => "Intune post-install script",
            Self::Fleet => "Fleet software or policy",
            Self::FleetPolicy => "Fleet policy",
            Self::Osquery => "osquery query",
            Self::OsqueryPack => "osquery pack",
        }
    }

    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Installomator | Self::IntunePreinstall | Self::IntunePostinstall => {
                "text/x-shellscript; charset=utf-8"
            }
            Self::Munki | Self::AutoPkgDownload => "application/x-plist",
            Self::AutoPkg => "text/plain; charset=utf-8",
            Self::Intune | Self::OsqueryPack => "application/json",
            Self::Fleet | Self::FleetPolicy => "application/yaml",
            Self::Osquery => "application/sql",
        }
    }

    /// The name of the file of an app. A slug is a name of a file on every system.
    pub fn file_name(self, slug: &str) -> String {
        let ending = match self {
            Self::Installomator => ".sh",
            Self::Munki => ".plist",
            Self::AutoPkg => ".recipes.txt",
            Self::AutoPkgDownload => ".download.recipe",
            Self::Intune => ".intune.json",
            Self::IntunePreinstall => ".preinstall.sh",
            Self::IntunePostinstall => ".postinstall.sh",
            Self::Fleet => ".fleet.yml",
            Self::FleetPolicy => ".policy.yml",
            Self::Osquery => ".sql",
            Self::OsqueryPack => ".pack.json",
        };
        format!("{slug}{ending}")
    }
}
