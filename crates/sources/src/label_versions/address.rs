//! The permanent address behind one that the tracker recorded.
//!
//! The tracker follows redirects and records where they end. Many servers end at an address that is
//! made for one download and expires. The files of a GitHub release have a permanent address as
//! well, which follows from the repository that the label asks and the name of the file.

use appstitch_text::check_found_address;

/// Where the redirects of GitHub end.
const RELEASE_FILES: &str = "https://release-assets.githubusercontent.com/";

/// The function by which a label gets the address of a file of the newest release.
const NEWEST_RELEASE: &str = "downloadURLFromGit";

/// What is before the owner of a repository in the addresses that labels ask.
const REPOSITORIES: [&str; 2] = ["://api.github.com/repos/", "://github.com/"];

/// Repositories whose newest release labels find without naming them: the number that GitHub gave the
/// repository, its owner and name, and whether the releases of several product lines are side by side
/// in it, each under the version in the names of its files.
const UNNAMED_REPOSITORIES: [(&str, &str, &str, bool); 3] = [
    ("115621629", "bell-sw", "Liberica", true),
    ("126897831", "wtsnz", "obs-ios-camera-source", false),
    ("1062861973", "archimatetool", "archi.io", false),
];

/// Parameters of addresses that expire, as the start of their names in lowercase.
const EXPIRING: [&str; 11] = [
    "sig", "expires", "x-amz-", "x-goog-", "key-pair-id", "policy", "hdnea", "authparam", "token",
    "__token__", "jwt",
];

/// The address to serve; `None` if the recorded one is junk or expires. `fragment` is the text of the
/// label.
pub(super) fn permanent(recorded: &str, fragment: &str) -> Option<String> {
    let address = check_found_address(recorded).ok()?;
    if let Some(query) = address.as_str().strip_prefix(RELEASE_FILES) {
        return release_file(query, fragment);
    }
    (!expires(address.as_str())).then(|| recorded.trim().to_owned())
}

fn expires(address: &str) -> bool {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    query.split(['&', ';']).any(|parameter| {
        let parameter = parameter.to_ascii_lowercase();
        EXPIRING.iter().any(|start| parameter.starts_with(start))
    })
}

/// The file in the newest release of the repository that the label asks, or of the one with this
/// number.
fn release_file(query: &str, fragment: &str) -> Option<String> {
    let number = query.split('/').nth(1)?;
    let unnamed = || {
        let known = UNNAMED_REPOSITORIES.iter().find(|(known, ..)| *known == number);
        known.map(|(_, owner, name, has_lines)| (*owner, *name, *has_lines))
    };
    let named = repository(fragment).map(|(owner, name)| (owner, name, false));
    let (owner, name, has_lines) = named.or_else(unnamed)?;
    let parameters = form_urlencoded::parse(query.split_once('?')?.1.as_bytes());
    let disposition = parameters
        .filter(|(key, _)| key == "response-content-disposition" || key == "rscd")
        .find_map(|(_, value)| Some(value.split_once("filename=")?.1.trim().to_owned()))?;
    let file = disposition.trim_matches('"');
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+@".contains(c);
    let release = if has_lines {
        format!("download/{}", version_in(file)?)
    } else {
        "latest/download".to_owned()
    };
    (!file.is_empty() && file.chars().all(is_plain))
        .then(|| format!("https://github.com/{owner}/{name}/releases/{release}/{file}"))
}

/// The version in the name of a file: `17.0.2+8` in `sample-jdk17.0.2+8-macos.pkg`.
fn version_in(file: &str) -> Option<&str> {
    let start = file.find(|first: char| first.is_ascii_digit())?;
    file[start..].split('-').next()
}

/// The only repository whose newest release the label asks for.
fn repository(fragment: &str) -> Option<(&str, &str)> {
    let is_plain = |word: &&str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    let calls = fragment.split(NEWEST_RELEASE).skip(1).map(|rest| {
        let arguments = rest.split([')', '\n', '|', ';']).next().unwrap_or_default();
        let mut words = arguments.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
        Some((words.next().filter(is_plain)?, words.next().filter(is_plain)?))
    });
    let addresses = REPOSITORIES.iter().flat_map(|start| fragment.split(start).skip(1));
    let addresses = addresses.map(|rest| {
        let mut parts = rest.split('/');
        Some((parts.next().filter(is_plain)?, parts.next().filter(is_plain)?))
    });
    let mut asked = calls.chain(addresses);
    let first = asked.next()??;
    asked.all(|other| other == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABEL: &str = "a)\n  downloadURL=$(downloadURLFromGit owner Sample.app)\n  ;;";

    #[test]
    fn a_file_of_a_release_has_a_permanent_address() {
        let recorded = "https://release-assets.githubusercontent.com/github-production-release-asset/1/2?sp=r&sig=x&rscd=attachment%3B+filename%3DSample-1.2.dmg&jwt=y";
        assert_eq!(
            permanent(recorded, LABEL).as_deref(),
            Some("https://github.com/owner/Sample.app/releases/latest/download/Sample-1.2.dmg")
        );
        let asked = r#"$(curl "https://api.github.com/repos/owner/Sample.app/releases/latest")"#;
        assert_eq!(permanent(recorded, asked), permanent(recorded, LABEL));
        for label in [
            "a)\n",
            "$(downloadURLFromGit a b) $(downloadURLFromGit c d)",
            "$(downloadURLFromGit a b) https://github.com/c/d/releases",
        ] {
            assert_eq!(permanent(recorded, label), None, "{label}");
        }
        for odd in ["a%2Fb.dmg", "%22%22", ""] {
            let recorded = recorded.replace("Sample-1.2.dmg", odd);
            assert_eq!(permanent(&recorded, LABEL), None, "{odd}");
        }
    }

    #[test]
    fn a_repository_that_a_label_does_not_name_is_known_by_its_number() {
        let recorded = |number: &str| {
            let file = "bellsoft-jdk17.0.2%2B8-macos-aarch64-full.pkg";
            let path = format!("github-production-release-asset/{number}/a");
            permanent(
                &format!("{RELEASE_FILES}{path}?rscd=attachment%3B+filename%3D{file}"),
                "a)\n",
            )
        };
        let file = "bellsoft-jdk17.0.2+8-macos-aarch64-full.pkg";
        assert_eq!(
            recorded("115621629"),
            Some(format!("https://github.com/bell-sw/Liberica/releases/download/17.0.2+8/{file}"))
        );
        assert_eq!(
            recorded("126897831"),
            Some(format!(
                "https://github.com/wtsnz/obs-ios-camera-source/releases/latest/download/{file}"
            ))
        );
        assert_eq!(recorded("1"), None);
    }

    #[test]
    fn an_address_that_expires_is_not_kept() {
        let kept = "https://example.com/Sample-1.2.dmg?file=x";
        assert_eq!(permanent(kept, LABEL).as_deref(), Some(kept));
        for expiring in [
            "https://example.com/a.dmg?Expires=1&Signature=x&Key-Pair-Id=y",
            "https://example.com/a.dmg?x=1&X-Amz-Signature=1",
            "https://example.com/a.dmg?__token__=exp=1",
            "https://example.com/a.dmg?a=1&amp;b=2",
            "not an address",
        ] {
            assert_eq!(permanent(expiring, LABEL), None, "{expiring}");
        }
    }
}
