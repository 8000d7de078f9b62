use serde_json::{Value, json};

use super::super::tests::{all, cask, label};
use crate::Documents;

const SIGNER: &str = "ABCDE12345";
const OTHER: &str = "ZYXWV98765";

fn app_cask(token: &str, containers: &[&str]) -> appstitch_types::CaskCatalogSource {
    let trash: Vec<String> =
        containers.iter().map(|name| format!("~/Library/Group Containers/{name}")).collect();
    cask(
        token,
        json!({"token": token, "name": [token], "version": "1.0",
            "url": format!("https://{token}.example.com/{token}.dmg"),
            "artifacts": [{"app": [format!("{token}.app")]}, {"zap": [{"trash": trash}]}]}),
    )
}

fn signed(slug: &str, id: &str) -> crate::LabelDocument {
    label(slug, json!({"name": slug, "type": "dmg", "expectedTeamID": id}))
}

/// The Team ID and its source, of the app with this slug.
fn team_of(documents: &Documents, slug: &str) -> (Value, Value) {
    let found = all(documents).into_iter().find(|app| app.record.app.slug.as_str() == slug);
    let found = found.unwrap_or_else(|| panic!("{slug}"));
    (json!(found.record.app.expected_team_id), json!(found.provenance.fields.expected_team_id))
}

const NONE: (Value, Value) = (Value::Null, Value::Null);

#[test]
fn variants_share_the_team_that_their_labels_agree_on() {
    let casks = vec![app_cask("samplesuite", &[]), app_cask("samplesuite@beta", &[])];
    let mut documents =
        Documents { labels: vec![signed("samplesuite", SIGNER)], casks, ..Documents::default() };
    let of_label = (json!(SIGNER), json!("label_tool"));
    assert_eq!(team_of(&documents, "samplesuite@beta"), of_label);
    documents.labels[0] = signed("samplesuite", "not a Team ID");
    assert_eq!(team_of(&documents, "samplesuite@beta"), NONE);
}

#[test]
fn a_group_container_names_the_team() {
    let casks = vec![
        app_cask("alone", &["ABCDE12345.com.example.alone", "group.com.example.alone"]),
        app_cask("mixed", &["ABCDE12345.com.example.a", "ZYXWV98765.com.example.b"]),
        app_cask("plain", &["com.example.plain", "abcde12345.com.example"]),
    ];
    let documents = Documents { casks, ..Documents::default() };
    assert_eq!(team_of(&documents, "alone"), (json!(SIGNER), json!("cask_catalog")));
    assert_eq!(team_of(&documents, "mixed"), NONE, "one of them is another app's");
    assert_eq!(team_of(&documents, "plain"), NONE);
}

#[test]
fn a_container_of_another_signer_or_vendor_is_no_evidence() {
    let container = "ABCDE12345.com.example.shared";
    let casks = || vec![app_cask("samplesuite", &[container]), app_cask("extension", &[container])];
    let documents = |id: &str| Documents {
        labels: vec![signed("samplesuite", id)],
        casks: casks(),
        ..Documents::default()
    };
    assert_eq!(team_of(&documents(OTHER), "extension"), NONE, "the label refutes it");
    assert_eq!(
        team_of(&documents(SIGNER), "extension"),
        NONE,
        "nothing says the vendor is the same"
    );
    let of_label = (json!(OTHER), json!("label_tool"));
    assert_eq!(team_of(&documents(OTHER), "samplesuite"), of_label, "the label comes first");
}
