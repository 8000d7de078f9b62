//! The files that the page of an app offers.

use appstitch_exports::ExportFormat;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppFile {
    Label,
    Brewfile,
    Query,
    /// A file for another tool.
    Export(ExportFormat),
}

impl AppFile {
    pub const ALL: [Self; 13] = [
        Self::Label,
        Self::Brewfile,
        Self::Query,
        Self::Export(ExportFormat::Munki),
        Self::Export(ExportFormat::AutoPkg),
        Self::Export(ExportFormat::AutoPkgDownload),
        Self::Export(ExportFormat::Intune),
        Self::Export(ExportFormat::IntunePreinstall),
        Self::Export(ExportFormat::IntunePostinstall),
        Self::Export(ExportFormat::Fleet),
        Self::Export(ExportFormat::FleetPolicy),
        Self::Export(ExportFormat::Osquery),
        Self::Export(ExportFormat::OsqueryPack),
    ];

    /// The name of the file, which is the end of its path.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Label => "label.sh",
            Self::Brewfile => "Brewfile",
            Self::Query => "query.sql",
            Self::Export(format) => match format {
                // The same as the label.
                ExportFormat::Installomator => "label.sh",
                ExportFormat::Munki => "pkginfo.plist",
                ExportFormat::AutoPkg => "recipes.txt",
                ExportFormat::AutoPkgDownload => "download.recipe",
                ExportFormat::Intune => "intune.json",
                ExportFormat::IntunePreinstall => "preinstall.sh",
                ExportFormat::IntunePostinstall => "postinstall.sh",
                ExportFormat::Fleet => "fleet.yml",
                ExportFormat::FleetPolicy => "policy.yml",
                ExportFormat::Osquery => "outdated.sql",
                ExportFormat::OsqueryPack => "pack.json",
            },
        }
    }

    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|file| file.name() == name)
    }
}
