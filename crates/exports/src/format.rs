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

const SHELL: &str = "text/x-shellscript; charset=utf-8";
const PLIST: &str = "application/x-plist";
const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";
const YAML: &str = "application/yaml";
const SQL: &str = "application/sql";

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

    /// The name, the title, the media type and the ending of the file.
    const fn described(self) -> [&'static str; 4] {
        match self {
            Self::Installomator => ["installomator", "Installomator label", SHELL, ".sh"],
            Self::Munki => ["munki", "Munki pkginfo", PLIST, ".plist"],
            Self::AutoPkg => ["autopkg", "AutoPkg recipe list", TEXT, ".recipes.txt"],
            Self::AutoPkgDownload => {
                ["autopkg-download", "AutoPkg download recipe", PLIST, ".download.recipe"]
            }
            Self::Intune => ["intune", "Intune app", JSON, ".intune.json"],
            Self::IntunePreinstall => {
                ["intune-preinstall", "Intune pre-install script", SHELL, ".preinstall.sh"]
            }
            Self::IntunePostinstall => {
                ["intune-postinstall", "Intune post-install script", SHELL, ".postinstall.sh"]
            }
            Self::Fleet => ["fleet", "Fleet software or policy", YAML, ".fleet.yml"],
            Self::FleetPolicy => ["fleet-policy", "Fleet policy", YAML, ".policy.yml"],
            Self::Osquery => ["osquery", "osquery query", SQL, ".sql"],
            Self::OsqueryPack => ["osquery-pack", "osquery pack", JSON, ".pack.json"],
        }
    }

    /// The name in paths, commands and reports.
    pub const fn name(self) -> &'static str {
        self.described()[0]
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
        self.described()[1]
    }

    pub const fn content_type(self) -> &'static str {
        self.described()[2]
    }

    /// The name of the file of an app. A slug is a name of a file on every system.
    pub fn file_name(self, slug: &str) -> String {
        format!("{slug}{}", self.described()[3])
    }
}
