//! Compares the interpreter for labels with real zsh: every label without a network, and a sample
//! of the recorded cases with a stand-in for curl that plays them.
//!
//! Cases that need a tool in which GNU and a Mac differ are left out: the recorded cases say so.

mod zsh;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::PathBuf,
};

use appstitch_labels::{
    Architecture, Budget, Case, Label, Mac, NoNetwork, Resolved, Stopped, resolve,
};
use appstitch_setup::{ZSH, installed, real_files};
use zsh::{Run, Zsh};

use crate::{resolve_score::cases, run::Failure};

/// Labels that zsh ends early if a request fails: a part of an empty text is an error. The values
/// behind it are known here, because they do not depend on the answer.
const ENDS_WITHOUT_AN_ANSWER: [&str; 1] = ["firefoxesr"];

/// Cases whose commands exist only on a Mac.
const ONLY_ON_A_MAC: [&str; 1] = ["plutil"];

/// How many cases of every pair of category and command are in the sample.
const CASES_OF_A_PAIR: usize = 2;

/// What the tests need, unless it is missing.
struct Files {
    zsh: Zsh,
    fragments: HashMap<String, String>,
    cases: Vec<Case>,
}

fn files() -> Result<Option<Files>, String> {
    read_files().map_err(|Failure(why)| why)
}

fn read_files() -> Result<Option<Files>, Failure> {
    let program = installed(ZSH);
    let names = ["data/label_tool/labels.tar.gz", "resolver/cases.ndjson.gz"];
    let Some([archive, recorded]) = real_files(names) else { return Ok(None) };
    let zsh = Zsh::new(PathBuf::from(program), &cases::helpers(&archive)?)
        .map_err(|error| Failure(error.to_string()))?;
    let fragments = cases::fragments(&archive)?;
    let cases = cases::read(&recorded)?;
    Ok(Some(Files { zsh, fragments, cases }))
}

type Resolution = Result<Resolved, Stopped>;

/// Compares known values with those of zsh. Returns how many there are.
fn compare(
    machine: &str,
    run: &str,
    resolution: &Resolution,
    found: &HashMap<(String, String), String>,
    differences: &mut Vec<String>,
) -> usize {
    let resolved = match resolution {
        Ok(resolved) => resolved,
        Err(stopped) => {
            differences.push(format!("{run} ({machine}): {stopped}"));
            return 0;
        }
    };
    let mut compared = 0;
    for (name, value) in &resolved.values {
        let Ok(value) = value else { continue };
        compared += 1;
        let of_zsh = found.get(&(run.to_owned(), name.clone()));
        if of_zsh != Some(value) {
            differences.push(format!("{run} ({machine}) {name}: {value:?} but in zsh {of_zsh:?}"));
        }
    }
    compared
}

fn variables(resolution: &Resolution) -> Vec<String> {
    resolution.iter().flat_map(|resolved| resolved.values.keys().cloned()).collect()
}

#[test]
fn labels_without_a_network_do_what_they_do_in_zsh() {
    let Some(Files { zsh, fragments, .. }) = files().unwrap() else { return };
    // By the file: the name by which the label is called, and its text.
    let labels: BTreeMap<&str, (String, &str)> = fragments
        .iter()
        .map(|(file, text)| {
            let names = Label::parse(text).map(|label| label.names).unwrap_or_default();
            let name = names.into_iter().next().unwrap_or_else(|| file.clone());
            (file.as_str(), (name, text.as_str()))
        })
        .collect();
    let (mut compared, mut complete, mut differences) = (0, 0, Vec::new());
    for architecture in Architecture::ALL {
        let (machine, mac) = (architecture.name(), Mac::new(architecture));
        let resolutions: Vec<(&str, &str, &str, Resolution)> = labels
            .iter()
            .map(|(file, (name, text))| {
                let resolution = resolve(text, name, &mac, &mut NoNetwork, Budget::default());
                (*file, name.as_str(), *text, resolution)
            })
            .filter(|(file, _, text, resolution)| {
                // Without answers, a loop that waits for one would not end in zsh.
                let asks = resolution.as_ref().is_ok_and(|resolved| !resolved.requests.is_empty());
                let loops = ["while ", "until "].iter().any(|word| text.contains(word));
                !(asks && loops || ENDS_WITHOUT_AN_ANSWER.contains(file))
            })
            .collect();
        let runs: Vec<Run<'_>> = resolutions
            .iter()
            .map(|(file, name, fragment, resolution)| Run {
                name: file,
                argument: name,
                fragment,
                variables: variables(resolution),
                fixtures: None,
            })
            .collect();
        let found = zsh.run(machine, &runs).expect("zsh runs");
        for (file, _, _, resolution) in &resolutions {
            compared += compare(machine, file, resolution, &found.values, &mut differences);
            complete += usize::from(resolution.as_ref().is_ok_and(|it| it.requests.is_empty()));
        }
    }
    println!("{complete} runs without a request; {compared} values compared");
    assert!(compared > 10_000, "only {compared} values were compared");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// A few cases of every pair of category and command.
fn sample(cases: &[Case]) -> Vec<&Case> {
    let mut taken: HashMap<(&str, &str), usize> = HashMap::new();
    let mut labels = HashSet::new();
    let mut sample = Vec::new();
    for case in cases {
        let only_on_a_mac = case.features.iter().any(|used| ONLY_ON_A_MAC.contains(&used.as_str()));
        if case.gnu_tools_differ || only_on_a_mac || labels.contains(&case.label) {
            continue;
        }
        let pairs = case.category.iter().flat_map(|category| {
            case.features.iter().map(|feature| (category.as_str(), feature.as_str()))
        });
        let pairs: Vec<(&str, &str)> = pairs.collect();
        let is_new = |pair| taken.get(pair).copied().unwrap_or_default() < CASES_OF_A_PAIR;
        if pairs.iter().any(is_new) {
            for pair in pairs {
                *taken.entry(pair).or_default() += 1;
            }
            labels.insert(&case.label);
            sample.push(case);
        }
    }
    sample
}

#[test]
fn recorded_cases_do_what_they_do_in_zsh() {
    let Some(Files { zsh, fragments, cases }) = files().unwrap() else { return };
    let sample = sample(&cases);
    assert!(sample.len() >= 60, "the sample has only {} cases", sample.len());
    let mut differences = Vec::new();
    for architecture in Architecture::ALL {
        let (machine, mac) = (architecture.name(), Mac::new(architecture));
        let resolutions: Vec<(&Case, &str, Resolution)> = sample
            .iter()
            .map(|case| {
                let text = fragments[&case.label].as_str();
                let network = &mut case.network();
                (*case, text, resolve(text, &case.arg, &mac, network, Budget::default()))
            })
            .collect();
        let runs: Vec<Run<'_>> = resolutions
            .iter()
            .map(|(case, fragment, resolution)| Run {
                name: &case.name,
                argument: &case.arg,
                fragment,
                variables: variables(resolution),
                fixtures: serde_json::to_string(&case.fixtures).ok(),
            })
            .collect();
        let found = zsh.run(machine, &runs).expect("zsh runs");
        for (case, _, resolution) in &resolutions {
            compare(machine, &case.name, resolution, &found.values, &mut differences);
            let Ok(resolved) = resolution else { continue };
            for name in ["downloadURL", "appNewVersion"] {
                if let Some(Err(stopped)) = resolved.value(name) {
                    differences.push(format!("{} ({machine}) {name}: {stopped}", case.name));
                }
            }
            let asked = resolved.requests.iter();
            let asked: Vec<String> = asked.map(|it| format!("{} {}", it.method, it.url)).collect();
            let of_zsh = &found.requests[&case.name];
            if asked != *of_zsh {
                differences.push(format!("{} asks {asked:?} but in zsh {of_zsh:?}", case.name));
            }
        }
    }
    println!("{} cases compared", sample.len());
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
