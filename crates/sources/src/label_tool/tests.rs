//! Tests with made-up labels in the upstream's format.

mod hostile;
mod unknown;

use appstitch_types::FoundBy;
use serde_json::json;

use super::*;

fn raw(text: &str) -> Value {
    let label = parse("sample.sh", &format!("sample)\n{text}\n    ;;\n")).unwrap();
    serde_json::from_str(label.source.raw.as_json()).unwrap()
}

fn resolved(text: &str, key: &str) -> Value {
    raw(text)[LabelToolSource::RESOLVED][key].clone()
}

#[test]
fn assignments_are_kept_as_written() {
    let raw = raw(r#"
    name="Sample App"
    type='dmg'
    version=1.2
    downloadURL="https://example.com/${version}.dmg"
    appNewVersion=$(curl -fs "https://example.com" | head -1)
    blockingProcesses=( "Sample App" Helper )
    "#);
    assert_eq!(raw["name"], "Sample App");
    assert_eq!(raw["downloadURL"], "https://example.com/${version}.dmg");
    assert_eq!(raw["appNewVersion"], r#"$(curl -fs "https://example.com" | head -1)"#);
    assert_eq!(raw["blockingProcesses"], json!(["Sample App", "Helper"]));
}

#[test]
fn the_function_that_finds_the_installed_version_is_kept() {
    for text in [
        "appCustomVersion(){ if [ -f /x ]; then cat /x; fi }",
        "appCustomVersion() {\n    defaults read /x y\n}",
        "function appCustomVersion {\n    cat /x\n}",
    ] {
        let raw = raw(&format!("name=\"A\"\n{text}\nother() {{ echo; }}"));
        assert_eq!(raw[LabelToolSource::VERSION_FUNCTION], text);
    }
    assert_eq!(raw("name=\"A\"").get(LabelToolSource::VERSION_FUNCTION), None);
}

#[test]
fn every_name_counts_and_the_first_is_the_slug() {
    let label = parse("file.sh", "first|\\\nsecond)\n    name=\"A\"\n    ;;").unwrap();
    assert_eq!(label.slug.as_str(), "first");
    assert_eq!(label.other_names, ["second"]);
    assert!(label.source.label_url.as_str().ends_with("/file.sh"));
}

#[test]
fn the_apple_silicon_branch_is_served_in_every_spelling() {
    for condition in [
        r#"if [[ $(arch) == "arm64" ]]; then A elif [[ $(arch) == "i386" ]]; then B fi"#,
        r#"if [[ "$(arch)" == arm64 ]]; then A else B fi"#,
        r"if [[ $(arch) == i386 ]]; then B elif [[ $(arch) == arm64 ]]; then A fi",
        r#"if [[ $(arch) != "i386" ]]; then A else B fi"#,
        r"if [[ $(/usr/bin/arch) = arm64 ]]; then A else B fi",
        r#"if [ "$( arch )" = "arm64" ]; then A else B fi"#,
        r#"if [[ "$(uname -m)" == "arm"* ]]; then A else B fi"#,
        r"case $(arch) in arm64) A ;; i386) B ;; esac",
        r"case $(arch) in x86_64|i386) B ;; *) A ;; esac",
        r#"cpu=$(arch); if [[ "$cpu" == "arm64" ]]; then A else B fi"#,
        r#"[[ $(arch) == "arm64" ]] && downloadURL="https://e.com/a.dmg" || downloadURL="https://e.com/b.dmg""#,
    ] {
        let text = condition
            .replace("A ", "\ndownloadURL=\"https://e.com/a.dmg\"\n")
            .replace("B ", "\ndownloadURL=\"https://e.com/b.dmg\"\n");
        assert_eq!(resolved(&text, "downloadURL"), "https://e.com/a.dmg", "{condition}");
    }
}

#[test]
fn both_branches_stay_in_the_raw_payload() {
    let text = "if [[ $(arch) == arm64 ]]; then\nu=\"a\"\nelse\nu=\"b\"\nfi";
    assert_eq!(raw(text)["u"], json!(["a", "b"]));
}

#[test]
fn values_that_depend_on_text_alone_are_worked_out() {
    let text = r#"
    archiveName="Sample-1.2.3.dmg"
    downloadURL="https://example.com/v1.2.3/${archiveName}"
    appNewVersion=$(echo "$downloadURL" | cut -d / -f 4 | tr -d v)
    short="${appNewVersion%.*}"
    file="${downloadURL##*/}"
    base=$(basename "$downloadURL" .dmg)
    dashed="${appNewVersion//./-}"
    lower="${(L)archiveName}"
    here=$(sed -E 's/.*-([0-9.]+)\.dmg/\1/' <<< "$archiveName")
    list=( "$short" two )
    list+=( three )
    for part in 1 2; do joined+="$part"; done
    "#;
    let resolved = raw(text)[LabelToolSource::RESOLVED].clone();
    assert_eq!(
        resolved,
        json!({
            "downloadURL": "https://example.com/v1.2.3/Sample-1.2.3.dmg", "appNewVersion": "1.2.3",
            "short": "1.2", "file": "Sample-1.2.3.dmg", "base": "Sample-1.2.3", "dashed": "1-2-3",
            "lower": "sample-1.2.3.dmg", "here": "1.2.3", "list": ["1.2", "two", "three"],
            "joined": "12",
        })
    );
}

#[test]
fn what_needs_a_network_or_a_mac_is_never_guessed() {
    for text in [
        "x=$(curl -fs https://example.com)",
        "x=$(sw_vers -productVersion | cut -d . -f 1)",
        "x=\"https://example.com/$currentUser\"",
        "x=$(downloadURLFromGit owner repo)",
        "if [[ -d /Applications ]]; then\nx=\"a\"\nfi",
        "x=\"a\"\nif [[ $(sw_vers) == 12 ]]; then\nx=\"b\"\nfi",
        "x=$(date +%Y)",
        "y=$(curl z)\nx=\"${y##*/}\"",
        "x=\"literal\"\neval \"$y\"",
        "x=`curl z`",
    ] {
        assert_eq!(resolved(text, "x"), Value::Null, "{text}");
    }
}

#[test]
fn labels_that_only_a_shell_can_finish_say_what_is_missing() {
    let unresolved = |text: &str| parse("a.sh", &format!("a)\n{text}\n;;")).unwrap().unresolved;
    assert_eq!(
        unresolved("downloadURL=\"https://e.com/a.dmg\"\nappNewVersion=$(curl x)"),
        ["appNewVersion"]
    );
    assert_eq!(
        unresolved("downloadURL=\"https://e.com/$v.dmg\"\nappNewVersion=$v"),
        ["downloadURL", "appNewVersion"]
    );
    assert_eq!(
        unresolved("v=1\ndownloadURL=\"https://e.com/$v.dmg\"\nappNewVersion=$v"),
        Vec::<&str>::new()
    );
}

#[test]
fn one_bad_fragment_never_sinks_the_archive() {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, text) in [
        ("Tool-main/fragments/labels/good.sh", "good)\n    name=\"Good\"\n    ;;\n"),
        ("Tool-main/fragments/labels/bad.sh", "bad)\n    name=\"unclosed\n    ;;\n"),
        ("Tool-main/fragments/labels/README.md", "no label"),
        ("Tool-main/fragments/disabled/off.sh", "off)\n    name=\"Off\"\n    ;;\n"),
        ("Tool-main/fragments/functions.sh", "f() { true; }\n"),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_cksum();
        archive.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    let archive = archive.into_inner().unwrap();
    let parsed = read(&mut &archive[..], &mut Budget::default()).unwrap();
    assert_eq!(
        parsed.entries.iter().map(|document| document.key.as_str()).collect::<Vec<_>>(),
        ["fragment/good.sh"]
    );
    assert_eq!(parsed.refused.len(), 1);
    assert_eq!(parsed.refused[0].what, "bad.sh");
    assert!(read(&mut &b"no archive"[..], &mut Budget::default()).is_err());
    let keys: Vec<String> =
        fragments(&archive).unwrap().into_iter().map(|fragment| fragment.key).collect();
    assert_eq!(keys, ["fragment/bad.sh", "fragment/good.sh"], "they are not looked at");
    assert!(fragments(b"no archive").is_err());
}

#[test]
fn what_is_set_for_the_other_kind_of_mac_alone_is_not_taken() {
    let text = "name=\"A\"\nif [[ $(arch) == i386 ]]; then\narchiveName=\"x64.dmg\"\nfi";
    assert_eq!(raw(text)["archiveName"], "x64.dmg", "as written");
    assert_eq!(raw(text)[LabelToolSource::RESOLVED]["archiveName"], Value::Null);
    assert!(raw(text)[LabelToolSource::RESOLVED].get("archiveName").is_some());
    let branches = "name=\"A\"\ncase $(sw_vers) in\n1) archiveName=\"b.pkg\" ;;\n2) archiveName=\"c.pkg\" ;;\nesac";
    assert_eq!(raw(branches)["archiveName"], serde_json::json!(["b.pkg", "c.pkg"]));
    assert!(
        raw(branches)[LabelToolSource::RESOLVED].get("archiveName").is_some_and(Value::is_null)
    );
}

#[test]
fn values_of_an_intel_mac_stand_beside_the_others() {
    let text = "name=\"A\"\nif [[ $(arch) == arm64 ]]; then\ndownloadURL=\"https://e.com/a.dmg\"\nelse\ndownloadURL=\"https://e.com/i.dmg\"\nfi";
    assert_eq!(resolved(text, "downloadURL"), "https://e.com/a.dmg");
    assert_eq!(
        raw(text)[LabelToolSource::RESOLVED_INTEL],
        serde_json::json!({"downloadURL": "https://e.com/i.dmg"})
    );
    let refused = "name=\"A\"\nif [[ $(arch) == arm64 ]]; then\ndownloadURL=\"https://e.com/a.dmg\"\nelse\ncleanupAndExit 95\nfi";
    assert_eq!(
        raw(refused)[LabelToolSource::RESOLVED_INTEL],
        serde_json::json!({"downloadURL": null})
    );
}

#[test]
fn what_was_found_on_one_kind_of_mac_is_not_told_for_the_other() {
    let found = |text: &str| {
        let label = parse_with("a.sh", text, &mut Allowance::default(), |_| held(None)).unwrap();
        Value::Object(label.source.raw.read())
    };
    let asking = "a)\nname=\"A\"\ndownloadURL=$(curl https://e.com/$(arch))\n;;\n";
    assert_eq!(
        found(asking)[LabelToolSource::RESOLVED_INTEL],
        serde_json::json!({"downloadURL": null, "appNewVersion": null})
    );
    let plain = "a)\nname=\"A\"\ndownloadURL=$(curl https://e.com/)\n;;\n";
    assert_eq!(found(plain).get(LabelToolSource::RESOLVED_INTEL), None);
}

fn held(i386: Option<RunValues>) -> HeldValues {
    let mut resolution = Resolution::new("", FoundBy::Run);
    let run = RunValues {
        download_url: Some("https://example.com/arm.dmg".to_owned()),
        app_new_version: Some("1.0".to_owned()),
    };
    resolution.take(run, i386, "2026-11-15T10:00:00Z".parse().unwrap());
    HeldValues::choose(&[resolution], None, "")
}

#[test]
fn what_an_intel_mac_gets_is_told_if_it_was_found() {
    let asking = "a)\nname=\"A\"\ndownloadURL=$(curl https://e.com/$(arch))\n;;\n";
    let i386 = RunValues {
        download_url: Some("https://example.com/intel.dmg".to_owned()),
        app_new_version: Some("1.0".to_owned()),
    };
    let label =
        parse_with("a.sh", asking, &mut Allowance::default(), |_| held(Some(i386))).unwrap();
    let raw = Value::Object(label.source.raw.read());
    assert_eq!(
        raw[LabelToolSource::RESOLVED_INTEL],
        serde_json::json!({"downloadURL": "https://example.com/intel.dmg"})
    );
    let nothing =
        parse_with("a.sh", asking, &mut Allowance::default(), |_| held(Some(RunValues::default())))
            .unwrap();
    let raw = Value::Object(nothing.source.raw.read());
    assert_eq!(
        raw[LabelToolSource::RESOLVED_INTEL],
        serde_json::json!({"downloadURL": null, "appNewVersion": null})
    );
}

#[test]
fn only_values_that_are_not_in_the_text_are_findings() {
    let literal = "a)\nname=\"A\"\nappNewVersion=\"1.0\"\ndownloadURL=$(curl https://e.com/)\n;;\n";
    let label = parse_with("a.sh", literal, &mut Allowance::default(), |_| held(None)).unwrap();
    assert_eq!(label.found.version, None);
    assert_eq!(label.found.download_url.unwrap().found_by, FoundBy::Run);
    assert!(label.unresolved.is_empty());
}

#[test]
fn what_a_run_found_replaces_the_text_although_the_tracker_found_it_first() {
    let literal = "a)\nname=\"A\"\nappNewVersion=\"0.9\"\n;;\n";
    let tracked: crate::label_versions::TrackedVersion = serde_json::from_str(
        r#"{"appNewVersion":"1.0","found_at":"2026-11-15T09:00:00Z","is_settled":true}"#,
    )
    .unwrap();
    let mut run = Resolution::new(literal, FoundBy::Run);
    let values = RunValues { app_new_version: Some("1.0".to_owned()), download_url: None };
    run.take(values, None, "2026-11-15T10:00:00Z".parse().unwrap());
    let found = |resolutions: &[Resolution]| {
        let held = HeldValues::choose(resolutions, Some(&tracked), "");
        parse_with("a.sh", literal, &mut Allowance::default(), |_| held).unwrap().found.version
    };
    assert_eq!(found(&[]), None);
    assert_eq!(found(&[run]).unwrap().found_by, FoundBy::Run);
}

#[test]
fn names_are_read_without_an_evaluation() {
    assert_eq!(names("a|\\\nb)\nname=\"A\"\n;;\n").unwrap(), ["a", "b"]);
    assert!(names("bad)\nname=\"unclosed\n;;\n").is_err());
}

#[test]
fn the_version_that_the_tracker_found_completes_the_address() {
    let found = |text: &str| {
        let tracked: crate::label_versions::TrackedVersion = serde_json::from_str(
            r#"{"appNewVersion":"1.2","found_at":"2026-11-15T09:00:00Z","is_settled":true,
                "downloadURL":"https://cdn.e.com/a-1.2.dmg"}"#,
        )
        .unwrap();
        let held = HeldValues::choose(&[], Some(&tracked), text);
        let label = parse_with("a.sh", text, &mut Allowance::default(), |_| held).unwrap();
        assert!(label.unresolved.is_empty(), "{text}");
        assert_eq!(label.found.download_url.unwrap().found_by, FoundBy::Tracker);
        let raw = label.source.raw.read();
        raw[LabelToolSource::RECORDED]["downloadURL"].as_str().unwrap().to_owned()
    };
    let version = "appNewVersion=$(curl https://e.com/)";
    let of_version =
        format!("a)\n{version}\ndownloadURL=\"https://e.com/a-${{appNewVersion}}.dmg\"\n;;\n");
    assert_eq!(found(&of_version), "https://e.com/a-1.2.dmg");
    let of_page = format!("a)\n{version}\ndownloadURL=$(curl https://e.com/a)\n;;\n");
    assert_eq!(found(&of_page), "https://cdn.e.com/a-1.2.dmg");
}
