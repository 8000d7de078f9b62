//! The scripts that Intune runs before and after it installs a package. They are for any POSIX shell.

use crate::quote::{comment, shell};

/// Runs the label. Intune tries again later if this fails.
pub(crate) fn preinstall(name: &str, label: &str) -> String {
    format!(
        r#"{first}
# Pre-install script for Intune: installs {comment} with Installomator.
# It fails if Installomator is missing; Intune tries again at the next check-in.

name={name}
label={label}
installomator='/usr/local/Installomator/Installomator.sh'

if [ ! -x "$installomator" ]; then
    echo "Cannot install $name: $installomator is missing" >&2
    exit 1
fi

echo "Installing $name with the label $label"
exec "$installomator" "$label" DEBUG=0 NOTIFY=silent
"#,
        first = first(name),
        comment = comment(name),
        name = shell(name),
        label = shell(label),
    )
}

/// Says in the log of Intune's agent which version is installed, and whether the signature is the expected
/// one.
pub(crate) fn postinstall(name: &str, path: &str, team_id: &str) -> String {
    format!(
        r#"{first}
# Post-install script for Intune: checks {comment}.
# Intune does not report its failure; the log of the agent has its output.

name={name}
app={path}
team_id={team_id}

if [ ! -d "$app" ]; then
    echo "$name is not installed: $app is missing" >&2
    exit 1
fi

requirement="=anchor apple generic and certificate leaf[subject.OU] = \"$team_id\""
if ! /usr/bin/codesign --verify -R "$requirement" "$app"; then
    echo "$name is not signed by the team $team_id" >&2
    exit 1
fi

version=$(/usr/bin/defaults read "$app/Contents/Info" CFBundleShortVersionString)
echo "$name $version is installed"
"#,
        first = first(name),
        comment = comment(name),
        name = shell(name),
        path = shell(path),
        team_id = shell(team_id),
    )
}

/// The first line, and what `shellcheck` must not take for a mistake: a typographic quotation mark in a name.
fn first(name: &str) -> &'static str {
    if name.contains(['\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}']) {
        "#!/bin/sh\n# shellcheck disable=SC1112"
    } else {
        "#!/bin/sh"
    }
}
