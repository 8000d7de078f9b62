#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InventoryFormat {
    /// `system_profiler SPApplicationsDataType`, with `-json` or `-xml`.
    SystemProfiler,
    /// Rows of osquery's table `apps`, or its logs.
    Osquery,
    /// Jamf Pro: the inventory of computers, or an advanced search.
    JamfPro,
    /// Munki's `ApplicationInventory.plist`.
    MunkiInventory,
    /// Munki's `ManagedInstallReport.plist`.
    MunkiReport,
    /// Fleet: software of all hosts, or of one.
    Fleet,
    Intune,
    Kandji,
    /// `brew info --json=v2 --installed --cask`, or `brew list --cask --versions`.
    Homebrew,
    /// `mas list`, with or without `--json`.
    AppStore,
    Table,
    /// Objects with the usual keys, from elsewhere.
    Rows,
}

impl InventoryFormat {
    pub fn name(self) -> &'static str {
        match self {
            Self::SystemProfiler => "system_profiler",
            Self::Osquery => "osquery",
            Self::JamfPro => "jamf_pro",
            Self::MunkiInventory => "munki_inventory",
            Self::MunkiReport => "munki_report",
            Self::Fleet => "fleet",
            Self::Intune => "intune",
            Self::Kandji => "kandji",
            Self::Homebrew => "homebrew",
            Self::AppStore => "mas",
            Self::Table => "csv",
            Self::Rows => "rows",
        }
    }

    /// Whether a document of this format lists one Mac without naming it.
    pub(crate) fn is_of_one_mac(self) -> bool {
        matches!(
            self,
            Self::SystemProfiler
                | Self::MunkiInventory
                | Self::MunkiReport
                | Self::Kandji
                | Self::Homebrew
        )
    }
}
