//! Vendors of small synthetic apps, with a synthetic directory.

use appstitch_types::{CaskCatalogSource, Slug, StoreListingSource};
use serde_json::{Value, json};

use super::*;
use crate::{
    LabelDocument, TitleDocument,
    cask::CaskFacts,
    label::literal::Literals,
    stitch::tests::{cask, label, title},
};

const DIRECTORY: &str = r#"{"name": "Packager", "team_ids": ["PACKAGER12"], "signs_for_others": true, "domains": ["packager.example"]}
{"name": "Acme", "team_ids": ["ACME123456"], "domains": ["acme.example"], "bundle_id_prefixes": ["com.acme"], "repository_owners": ["acme-hq"]}
{"name": "Sample Project", "team_ids": ["SAMPLE1234"], "domains": ["sample.example", "downloads.acme.example"], "bundle_id_prefixes": ["org.sample", "com.acme.gift"], "repository_owners": ["samplers"]}"#;

/// The parts of an app and the vendor that follows from them.
#[derive(Default)]
struct Given {
    label: Option<LabelDocument>,
    cask: Option<CaskCatalogSource>,
    title: Option<TitleDocument>,
    listing: Option<StoreListingSource>,
}

impl Given {
    fn cask(entry: Value) -> Self {
        Self { cask: Some(cask("sample", entry)), ..Self::default() }
    }

    fn label(raw: Value) -> Self {
        Self { label: Some(label("sample", raw)), ..Self::default() }
    }

    fn titled(mut self, publisher: &str, bundle_id: Option<&str>) -> Self {
        let publisher = Some(publisher.to_owned());
        self.title = Some(TitleDocument { publisher, ..title("Sample", bundle_id, "1") });
        self
    }

    fn sold_by(mut self, seller: &str) -> Self {
        let payload = json!({"bundle_id": "a.b", "raw": {"sellerName": seller}}).to_string();
        self.listing = Some(serde_json::from_str(&payload).unwrap());
        self
    }

    fn vendor(&self) -> Option<(&'static str, String)> {
        let facts = self.cask.as_ref().map(|cask| CaskFacts::read(&cask.entry_json));
        let mut parts = Parts::new(&Slug::parse("sample").unwrap());
        parts.label = self.label.as_ref().map(|label| (label, Literals::read(&label.source.raw)));
        parts.cask = self.cask.as_ref().zip(facts.as_ref());
        parts.title = self.title.as_ref();
        parts.listing = self.listing.as_ref();
        Vendors::new(&Directory::parse(DIRECTORY).unwrap()).of(&parts)
    }

    #[track_caller]
    fn is(&self, source: &str, vendor: &str) {
        let found = self.vendor();
        let found = found.as_ref().map(|(source, vendor)| (*source, vendor.as_str()));
        assert_eq!(found, Some((source, vendor)));
    }

    #[track_caller]
    fn is_unknown(&self) {
        assert_eq!(self.vendor(), None);
    }
}

fn quits(id: &str) -> Value {
    json!([{"uninstall": [{"quit": id}]}])
}

#[test]
fn each_kind_of_key_identifies_its_publisher() {
    Given::label(json!({"expectedTeamID": "ACME123456"})).is("label_tool", "Acme");
    Given::cask(json!({"artifacts": quits("com.Acme.Sample")})).is("cask_catalog", "Acme");
    Given::cask(json!({"homepage": "https://www.acme.example/tool"})).is("cask_catalog", "Acme");
    Given::cask(json!({"homepage": "https://github.com/Acme-HQ/tool"})).is("cask_catalog", "Acme");
    Given::cask(json!({"homepage": "https://acme-hq.github.io/tool"})).is("cask_catalog", "Acme");
    Given::cask(json!({"url": "https://cdn.acme.example/tool.dmg"})).is("cask_catalog", "Acme");
    Given::default().titled("", Some("com.acme.tool")).is("mdm_installer", "Acme");
}

#[test]
fn a_signer_for_others_is_no_evidence() {
    Given::label(json!({"expectedTeamID": "PACKAGER12"})).is_unknown();
    let at = |host: &str| {
        let url = format!("https://{host}/Sample.dmg");
        Given::label(json!({"expectedTeamID": "PACKAGER12", "downloadURL": url}))
    };
    at("packager.example").is("label_tool", "Packager");
    at("acme.example").is("label_tool", "Acme");
}

#[test]
fn a_label_without_a_cask_has_a_vendor() {
    Given::label(json!({"packageID": "com.acme.pkg.tool"})).is("label_tool", "Acme");
    let from_git = json!({"downloadURL": "$(downloadURLFromGit acme-hq tool)"});
    Given::label(from_git).is("label_tool", "Acme");
    let mention = json!({"appNewVersion": "$(curl -fs \"https://updates.acme.example/feed\")"});
    Given::label(mention).is("label_tool", "Acme");
}

#[test]
fn whole_parts_count_and_the_longest_key_wins() {
    Given::cask(json!({"artifacts": quits("com.acmeworks.sample")})).is_unknown();
    Given::cask(json!({"homepage": "https://notacme.example/"})).is_unknown();
    let gift = json!({"artifacts": quits("com.acme.gift.sample")});
    Given::cask(gift).is("cask_catalog", "Sample Project");
    let below = json!({"homepage": "https://downloads.acme.example/tool"});
    Given::cask(below).is("cask_catalog", "Sample Project");
}

#[test]
fn stronger_evidence_wins() {
    let cask = json!({"homepage": "https://acme.example/", "artifacts": quits("org.sample.tool")});
    // Sold by one to the other, which keeps the identifier.
    Given::cask(cask.clone()).is("cask_catalog", "Acme");
    let mut signed = Given::cask(cask);
    signed.label = Some(label("sample", json!({"expectedTeamID": "SAMPLE1234"})));
    signed.is("label_tool", "Sample Project");
    let hosted =
        json!({"homepage": "https://acme.example/", "url": "https://sample.example/a.zip"});
    Given::cask(hosted).is("cask_catalog", "Acme");
}

#[test]
fn evidence_that_contradicts_itself_identifies_nobody() {
    let both = json!({"appNewVersion": "$(curl https://acme.example/ https://sample.example/)"});
    Given::label(both).is_unknown();
    let receipts =
        json!({"artifacts": [{"uninstall": [{"pkgutil": ["com.acme.a", "org.sample.b"]}]}]});
    Given::cask(receipts).is_unknown();
}

#[test]
fn a_login_or_a_shared_place_is_no_vendor() {
    let somebody = json!({"homepage": "https://github.com/somebody/tool", "url": "https://github.com/somebody/tool/a.zip"});
    Given::cask(somebody).is_unknown();
    Given::cask(json!({"artifacts": quits("com.electron.tool")})).is_unknown();
    Given::cask(json!({"name": ["Acme Tool"], "homepage": "https://tool.example/"})).is_unknown();
}

#[test]
fn a_title_or_the_store_gives_a_name_without_its_legal_form() {
    Given::default().titled("Example, Inc.", None).is("mdm_installer", "Example");
    Given::default().sold_by("Example GmbH").is("store_listing", "Example");
    Given::default().titled("Example", None).sold_by("Jane Doe").is("mdm_installer", "Example");
    Given::default().titled("ACME Corporation", None).is("mdm_installer", "Acme");
    Given::default().titled("<b>Example</b>", None).is_unknown();
}

#[test]
fn the_directory_knows_better_than_the_name_of_an_account() {
    let page = || Given::cask(json!({"homepage": "https://acme.example/"}));
    page().sold_by("Jane Doe").is("cask_catalog", "Acme");
    page().titled("Acme Systems", None).is("cask_catalog", "Acme");
    let hosted = || Given::cask(json!({"url": "https://cdn.acme.example/tool.dmg"}));
    hosted().sold_by("Jane Doe").is("cask_catalog", "Acme");
    hosted().titled("Example", None).is("mdm_installer", "Example");
}
