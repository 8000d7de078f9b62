//! Compares every value computed from a real label's text with the value that zsh computes.

use std::{collections::BTreeMap, fs, os::unix::fs::symlink, path::Path, process::Command};

use appstitch_setup::{ZSH, installed, real_files};
use appstitch_sources::Upstream;
use appstitch_stitching::Documents;
use appstitch_types::LabelToolSource;
use serde_json::Value;

/// The text tools that a label may use. No other tool is available, so that nothing is fetched
/// or changed.
const TOOLS: [&str; 14] = [
    "awk", "basename", "cat", "cut", "egrep", "expr", "grep", "head", "rev", "sed", "sort", "tail",
    "tr", "wc",
];

/// A script that runs one label and prints the given variables. Each is printed as label, name,
/// number of values, and values, each followed by a zero byte.
fn script(label: &str, fragment: &Path, variables: &[&str]) -> String {
    let mut script = format!(
        "(\nlabel='{label}'\neval \"case \\$label in\n$(<{})\nesac\" </dev/null 2>/dev/null >/dev/null\n",
        fragment.display()
    );
    for name in variables {
        let printed = [
            format!("values=(\"${{(@){name}}}\")\n"),
            format!("print -rN -- '{label}' '{name}' $#values \"$values[@]\"\n"),
        ];
        script.extend(printed);
    }
    script.push_str(")\n");
    script
}

#[test]
fn what_was_worked_out_is_what_zsh_works_out() {
    let zsh = installed(ZSH);
    let Some([labels]) = real_files(["data/label_tool/labels.tar.gz"]) else { return };
    let archive = fs::read(labels).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let tools = folder.path().join("tools");
    fs::create_dir(&tools).unwrap();
    for tool in TOOLS {
        let places = ["/usr/bin", "/bin"].map(|place| Path::new(place).join(tool));
        if let Some(place) = places.iter().find(|place| place.exists()) {
            symlink(place, tools.join(tool)).unwrap();
        }
    }

    let parsed = Upstream::LabelTool.read(&archive).unwrap();
    let texts: BTreeMap<String, &[u8]> = parsed
        .entries
        .iter()
        .map(|document| (document.key.rsplit('/').next().unwrap().to_owned(), &document.body[..]))
        .collect();
    let mut documents = Documents::default();
    Upstream::LabelTool.decode(&parsed.entries, &mut documents);

    let mut all = format!(
        "path=({})\narch() {{ echo arm64 }}\nuname() {{ [[ $1 == -m ]] && echo arm64 || echo Darwin }}\n",
        tools.display()
    );
    let mut expected: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for label in &documents.labels {
        let raw = label.source.raw.read();
        let Some(worked_out) = raw.get(LabelToolSource::RESOLVED).and_then(Value::as_object) else {
            continue;
        };
        let file = label.source.label_url.as_str().rsplit('/').next().unwrap();
        let fragment = folder.path().join(file);
        // Without their absolute paths, the tools linked above are used.
        let text = String::from_utf8_lossy(texts[file]).replace("/usr/bin/", "");
        fs::write(&fragment, text).unwrap();
        let known = worked_out.iter().filter(|(_, value)| !value.is_null());
        let names: Vec<&str> = known.clone().map(|(name, _)| name.as_str()).collect();
        all.push_str(&script(label.slug.as_str(), &fragment, &names));
        for (name, value) in known {
            let values = match value {
                Value::Array(items) => {
                    items.iter().map(|item| item.as_str().unwrap().to_owned()).collect()
                }
                other => vec![other.as_str().unwrap().to_owned()],
            };
            expected.insert((label.slug.to_string(), name.clone()), values);
        }
    }
    assert!(expected.len() > 100, "only {} values were computed", expected.len());

    let path = folder.path().join("all.zsh");
    fs::write(&path, all).unwrap();
    let output = Command::new(zsh).arg("-f").arg(&path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut words = text.split('\0');
    let mut found: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    while let (Some(label), Some(name), Some(count)) = (words.next(), words.next(), words.next()) {
        let count = count.parse().unwrap();
        let values = words.by_ref().take(count).map(str::to_owned).collect();
        found.insert((label.to_owned(), name.to_owned()), values);
    }
    println!("{} values computed, {} values from zsh", expected.len(), found.len());
    for (variable, values) in &expected {
        assert_eq!(found.get(variable), Some(values), "{variable:?}");
    }
}
