//! The helpers that ask for the latest release of a repository.

use std::rc::Rc;

use super::{Shell, sink::Call};
use crate::{Output, Stopped};

const API: &str = "https://api.github.com/repos";
const SITE: &str = "https://github.com";

/// `downloadURLFromGit owner repository`: the address of the first file of the latest release that
/// fits `archiveName` or `type`. The interface is asked first. If it has no answer (it allows few
/// requests without credentials), the pages of the web site are.
pub(super) fn download_url(shell: &mut Shell<'_>, arguments: &[String]) -> Result<Output, Stopped> {
    let (owner, repository) = pair(arguments)?;
    let archive = text(shell, "archiveName")?;
    let kind = text(shell, "type")?;
    let kind = match kind.as_str() {
        "pkgInDmg" => "dmg",
        "pkgInZip" => "zip",
        other => other,
    };
    let by_name = !archive.is_empty();
    let wanted = if by_name { &archive } else { kind };

    let release = format!("{API}/{owner}/{repository}/releases/latest");
    let answer = run(shell, "curl", &["-sfL", &release], "")?;
    let program = format!("/browser_download_url/ && /{wanted}\"/ {{ print $4; exit }}");
    let found = run(shell, "awk", &["-F", "\"", &program], &answer)?;
    let found = found.trim_end_matches('\n');
    let expression = if by_name { format!("https.*{wanted}") } else { format!("https.*.{wanted}") };
    let echoed = format!("{}\n", found.split_whitespace().collect::<Vec<_>>().join(" "));
    if !run(shell, "grep", &["-ioE", &expression], &echoed)?.trim_end_matches('\n').is_empty() {
        return Ok(Output::success(format!("{found}\n")));
    }

    let page =
        run(shell, "curl", &["-sfL", &format!("{SITE}/{owner}/{repository}/releases/latest")], "")?;
    let pieces = run(shell, "tr", &["\"", "\n"], &page)?;
    let assets = run(shell, "grep", &["-i", "expanded_assets"], &pieces)?;
    let assets = first_line(&assets);
    let listing =
        if assets.is_empty() { String::new() } else { run(shell, "curl", &["-sfL", assets], "")? };
    let pieces = run(shell, "tr", &["\"", "\n"], &listing)?;
    let wanted = if by_name { wanted.to_owned() } else { format!("\\.{wanted}") };
    let expression = format!("^/.*\\/releases\\/download\\/.*{wanted}");
    let found = run(shell, "grep", &["-i", &expression], &pieces)?;
    // Without a file that fits, the helper answers the bare site. Who takes values from labels has to
    // reject it.
    Ok(Output::success(format!("{SITE}{}\n", first_line(&found))))
}

/// `versionFromGit owner repository`: the digits and dots of the tag that the latest release leads to.
pub(super) fn version(shell: &mut Shell<'_>, arguments: &[String]) -> Result<Output, Stopped> {
    let (owner, repository) = pair(arguments)?;
    let headers =
        run(shell, "curl", &["-sLI", &format!("{SITE}/{owner}/{repository}/releases/latest")], "")?;
    let is_location = |line: &&str| {
        line.get(.."location".len()).is_some_and(|name| name.eq_ignore_ascii_case("location"))
    };
    let location = headers.lines().rfind(is_location).unwrap_or_default();
    let tag = location.rsplit('/').next().unwrap_or_default();
    let version: String =
        tag.chars().filter(|next| next.is_ascii_digit() || *next == '.').collect();
    if version.is_empty() {
        return Ok(Output::status(0));
    }
    Ok(Output::success(version + "\n"))
}

fn pair(arguments: &[String]) -> Result<(&str, &str), Stopped> {
    match arguments {
        [owner, repository, ..] => Ok((owner, repository)),
        _ => Err(Stopped::Unsupported("the helper needs an owner and a repository".to_owned())),
    }
}

fn text(shell: &Shell<'_>, name: &str) -> Result<String, Stopped> {
    match shell.variables.get(name) {
        None => Ok(String::new()),
        Some(Ok(value)) => Ok(value.clone().joined()),
        Some(Err(stopped)) => Err(stopped.clone()),
    }
}

fn first_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or_default()
}

fn run(
    shell: &mut Shell<'_>,
    name: &str,
    arguments: &[&str],
    input: &str,
) -> Result<String, Stopped> {
    let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    let input = Ok(Rc::from(input));
    let call = Call { name, arguments: &arguments, input: &input, errors_to_output: false };
    shell.execute(call).map(|output| output.text)
}
