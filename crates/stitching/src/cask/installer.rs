//! Downloads that bring an installer instead of the app.

use appstitch_text::served;
use serde_json::{Map, Value};

use crate::package_type::{self, FileKind};

/// A program in an app of the download that installs without asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallerProgram {
    pub app: String,
    /// The path of the program, from the folder of that app.
    pub program: String,
    pub arguments: Vec<String>,
}

impl InstallerProgram {
    /// The program, if the cask runs exactly one and it is part of an app: the label tool checks
    /// the signature of the app before it runs a program in it.
    pub(super) fn read(artifacts: &[&Map<String, Value>]) -> Option<Self> {
        let mut scripts = artifacts.iter().filter_map(|artifact| artifact.get("installer"));
        let script = scripts.next()?.get(0)?.get("script")?;
        if scripts.next().is_some() {
            return None;
        }
        let path = inside_download(script.get("executable")?.as_str()?)?;
        let end = path.find(".app/")? + ".app".len();
        let folder = path[..end].rfind('/').map_or(0, |slash| slash + 1);
        let arguments = script.get("args").and_then(Value::as_array);
        let arguments: Option<Vec<String>> =
            arguments.into_iter().flatten().map(|argument| plain(argument.as_str()?)).collect();
        Some(Self {
            app: path[..end].to_owned(),
            program: path[folder..].to_owned(),
            arguments: arguments?,
        })
    }
}

/// The packages that a cask installs, or asks the user to install, as paths in the download.
pub(super) fn packages(artifacts: &[&Map<String, Value>]) -> Vec<String> {
    let paths = artifacts.iter().filter_map(|artifact| {
        let installed = artifact.get("pkg").and_then(|package| package.get(0));
        let manual = || artifact.get("installer")?.get(0)?.get("manual");
        let path = inside_download(installed.or_else(manual)?.as_str()?)?;
        let is_package = matches!(package_type::extension(path), Some((_, FileKind::Package)));
        (is_package && served::check_text("pkgName", path).is_ok()).then(|| path.to_owned())
    });
    paths.collect()
}

/// A path without the folder in which the cask catalog unpacks downloads; `None` if it is
/// somewhere else.
fn inside_download(path: &str) -> Option<&str> {
    let Some(unpacked) = path.strip_prefix("$HOMEBREW_PREFIX/Caskroom/") else {
        return (!path.starts_with(['/', '$', '~'])).then_some(path);
    };
    // The token and the version are folders.
    unpacked.splitn(3, '/').nth(2)
}

/// An argument without variables of the cask catalog.
fn plain(argument: &str) -> Option<String> {
    let argument = argument.replace("$APPDIR", "/Applications");
    served::check_text("CLIArguments", &argument).is_ok().then_some(argument)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with<T>(artifacts: &Value, read: impl Fn(&[&Map<String, Value>]) -> T) -> T {
        let artifacts: Vec<_> = artifacts
            .as_array()
            .unwrap()
            .iter()
            .map(|artifact| artifact.as_object().unwrap())
            .collect();
        read(&artifacts)
    }

    fn program(script: Value) -> Option<(String, String, Vec<String>)> {
        let artifacts = json!([{"installer": [{"script": script}]}]);
        let found = with(&artifacts, InstallerProgram::read)?;
        Some((found.app, found.program, found.arguments))
    }

    #[test]
    fn the_program_is_run_from_the_folder_of_its_app() {
        let expected = |app: &str, arguments: &[&str]| {
            let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
            Some((app.to_owned(), "Setup.app/Contents/MacOS/setup".to_owned(), arguments))
        };
        let plain = json!({"executable": "Setup.app/Contents/MacOS/setup", "args": ["--quiet"]});
        assert_eq!(program(plain), expected("Setup.app", &["--quiet"]));
        let unpacked = json!({"executable":
            "$HOMEBREW_PREFIX/Caskroom/sample/1.0,2/exec/Setup.app/Contents/MacOS/setup"});
        assert_eq!(program(unpacked), expected("exec/Setup.app", &[]));
        let target = json!({"executable": "Setup.app/Contents/MacOS/setup",
            "args": ["-dir", "$APPDIR/Sample"]});
        assert_eq!(program(target), expected("Setup.app", &["-dir", "/Applications/Sample"]));
    }

    #[test]
    fn what_cannot_be_checked_or_needs_the_cask_catalog_is_no_program() {
        for script in [
            json!({"executable": "install.sh"}),
            json!({"executable": "/usr/bin/open", "args": ["Setup.app/x"]}),
            json!({"executable": "Setup.app/x", "args": ["-p", "$HOMEBREW_PREFIX/sample"]}),
            json!({}),
        ] {
            assert_eq!(program(script.clone()), None, "{script}");
        }
        let two = json!([{"installer": [{"script": {"executable": "A.app/a"}}]},
            {"installer": [{"script": {"executable": "B.app/b"}}]}]);
        assert_eq!(with(&two, InstallerProgram::read), None);
    }

    #[test]
    fn packages_are_found_in_both_stanzas() {
        let artifacts = json!([{"pkg": ["Folder/A.pkg", {"choices": []}]},
            {"installer": [{"manual": "B.mpkg"}]}, {"installer": [{"manual": "Setup.app"}]},
            {"pkg": ["$HOMEBREW_PREFIX/Caskroom/sample/1.0/C.pkg"]}, {"app": ["D.app"]}]);
        assert_eq!(with(&artifacts, packages), ["Folder/A.pkg", "B.mpkg", "C.pkg"]);
    }
}
