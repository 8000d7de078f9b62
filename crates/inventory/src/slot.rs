//! What a key or a column means.
//!
//! Formats spell the same thing differently: `bundle_identifier`, `bundleId`, `Application Bundle
//! ID`. So only the letters and digits of a key count, without case. A key means the same in all
//! formats, with few exceptions, which depend on what is around it.

use crate::format::InventoryFormat;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Entries, or something around them. Some of these keys are columns of tables, too: then they
    /// have the other meaning.
    Entries(InventoryFormat, Option<Text>),
    /// The installed versions of the app that the entry is about.
    Versions,
    General,
    /// Facts about the Mac of a report, with its name as the host's.
    Machine,
    Signatures,
    Text(Text),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// The name of the app, or of the computer if there is a title of the app as well.
    Name,
    AppTitle,
    DisplayName,
    OtherName,
    Token,
    BundleId,
    ShortVersion,
    InstalledVersion,
    Version,
    Build,
    /// Whether it is installed, or the installed version of a cask.
    Installed,
    Path,
    TeamId,
    SignedBy,
    ObtainedFrom,
    IsFromStore,
    Host,
    /// The number of something, which is a computer only if apps are below it.
    Id,
    HostsCount,
    Source,
    Platform,
    /// `removed` in osquery's logs.
    Action,
    DataType,
    /// The number in the App Store.
    AdamId,
}

const MAX_KEY: usize = 40;

impl Slot {
    /// What a key means, and which format it is typical of.
    pub(crate) fn of(key: &str) -> Option<(Self, Option<InventoryFormat>)> {
        let mut letters = [0_u8; MAX_KEY];
        let mut count = 0;
        for byte in key.bytes().filter(u8::is_ascii_alphanumeric) {
            *letters.get_mut(count)? = byte.to_ascii_lowercase();
            count += 1;
        }
        let slot = Self::of_letters(&letters[..count])?;
        let format = match &letters[..count] {
            b"bundleidentifier" | b"bundleshortversion" => Some(InventoryFormat::Osquery),
            b"cfbundlename" => Some(InventoryFormat::MunkiInventory),
            b"adamid" => Some(InventoryFormat::AppStore),
            _ => None,
        };
        Some((slot, format))
    }

    fn of_letters(letters: &[u8]) -> Option<Self> {
        use InventoryFormat as Format;
        let entries = |format| Self::Entries(format, None);
        Some(match letters {
            b"spapplicationsdatatype" | b"items" => entries(Format::SystemProfiler),
            b"rows" | b"columns" | b"snapshot" | b"diffresults" | b"added" => {
                entries(Format::Osquery)
            }
            b"results" | b"data" => entries(Format::Rows),
            b"applications" | b"advancedcomputersearch" | b"computers" => entries(Format::JamfPro),
            b"computer" => Self::Entries(Format::JamfPro, Some(Text::Host)),
            b"software" => Self::Entries(Format::Fleet, Some(Text::Name)),
            b"softwaretitles" => entries(Format::Fleet),
            b"host" => Self::Entries(Format::Fleet, Some(Text::Host)),
            b"value" => entries(Format::Intune),
            b"apps" => entries(Format::Kandji),
            b"casks" => entries(Format::Homebrew),
            b"managedinstalls" => entries(Format::MunkiReport),
            b"installedversions" | b"versions" => Self::Versions,
            b"general" => Self::General,
            b"machineinfo" => Self::Machine,
            b"signatureinformation" => Self::Signatures,
            _ => Self::Text(Text::of_letters(letters)?),
        })
    }
}

impl Text {
    fn of_letters(letters: &[u8]) -> Option<Self> {
        Some(match letters {
            b"name" | b"app" | b"application" | b"title" | b"softwarename" | b"productname" => {
                Self::Name
            }
            b"applicationtitle" | b"applicationname" | b"appname" => Self::AppTitle,
            b"displayname" | b"bundledisplayname" | b"cfbundledisplayname" => Self::DisplayName,
            b"bundlename" | b"cfbundlename" | b"filename" | b"appfilename" => Self::OtherName,
            b"token" | b"cask" | b"casktoken" => Self::Token,
            b"bundleid"
            | b"bundleidentifier"
            | b"applicationbundleid"
            | b"appbundleid"
            | b"applicationbundleidentifier"
            | b"cfbundleidentifier"
            | b"identifier" => Self::BundleId,
            b"shortversion"
            | b"bundleshortversion"
            | b"cfbundleshortversionstring"
            | b"applicationshortversion" => Self::ShortVersion,
            b"installedversion" | b"currentversion" => Self::InstalledVersion,
            b"version" | b"appversion" | b"applicationversion" | b"softwareversion" => {
                Self::Version
            }
            b"build" | b"buildnumber" | b"buildversion" | b"bundleversion" | b"cfbundleversion" => {
                Self::Build
            }
            b"installed" => Self::Installed,
            b"path" | b"apppath" | b"applicationpath" | b"installedpath" | b"installedpaths"
            | b"location" | b"installlocation" => Self::Path,
            b"teamid" | b"teamidentifier" | b"developerteamid" => Self::TeamId,
            b"signedby" => Self::SignedBy,
            b"obtainedfrom" => Self::ObtainedFrom,
            b"store" | b"macappstore" | b"isappstore" | b"appstore" => Self::IsFromStore,
            b"hostname" | b"hostidentifier" | b"hostdisplayname" | b"computername"
            | b"devicename" | b"machinename" | b"serialnumber" | b"device" => Self::Host,
            b"id" | b"udid" | b"computerid" | b"deviceid" => Self::Id,
            b"hostscount" | b"devicecount" => Self::HostsCount,
            b"source" => Self::Source,
            b"platform" | b"os" | b"operatingsystem" => Self::Platform,
            b"action" => Self::Action,
            b"datatype" => Self::DataType,
            b"adamid" => Self::AdamId,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_letters_and_digits_of_a_key_count() {
        for key in ["bundle_id", "bundleId", "Bundle ID", "bundleid", "Application Bundle ID"] {
            assert_eq!(Slot::of(key), Some((Slot::Text(Text::BundleId), None)), "{key}");
        }
        assert_eq!(Slot::of("_name"), Some((Slot::Text(Text::Name), None)));
        for key in ["", "é", "lastModified", "arch_kind", &"name".repeat(100)] {
            assert_eq!(Slot::of(key), None, "{key}");
        }
    }
}
