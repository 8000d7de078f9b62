//! Stitching of small synthetic upstream entries.

use appstitch_types::{App, MdmInstallerSource, Source, Uri};
use serde_json::{Value, json};

use super::*;
use crate::RecipeDocument;

pub(super) fn label(slug: &str, raw: Value) -> LabelDocument {
    let payload = json!({"label_name": slug, "label_url": "https://example.com/l.sh", "raw": raw});
    LabelDocument {
        slug: Slug::parse(slug).unwrap(),
        other_names: Vec::new(),
        source: serde_json::from_str(&payload.to_string()).unwrap(),
        unresolved: Vec::new(),
        found: appstitch_types::LabelValues::default(),
    }
}

pub(super) fn cask(token: &str, entry: Value) -> CaskCatalogSource {
    let payload = json!({"token": token, "entry_json": entry});
    serde_json::from_str(&payload.to_string()).unwrap()
}

fn plain_cask(token: &str, app: &str) -> CaskCatalogSource {
    cask(
        token,
        json!({"token": token, "name": [app], "version": "2.0", "sha256": "a".repeat(64),
        "url": format!("https://example.com/{token}.dmg"), "homepage": "https://example.com/",
        "artifacts": [{"app": [format!("{app}.app")]}]}),
    )
}

pub(super) fn title(name: &str, bundle_id: Option<&str>, version: &str) -> TitleDocument {
    TitleDocument {
        source: MdmInstallerSource {
            title: name.into(),
            source: "Jamf".into(),
            host: None,
            bundle_id: bundle_id.map(str::to_owned),
            version: Some(version.into()),
            mgmt_id: Some("0F5".into()),
            download_url: None,
            architecture: None,
        },
        publisher: Some("Example Inc".into()),
        available: Some("2026-03-05T10:00:00Z".into()),
    }
}

fn recipe(identifier: &str, name: Option<&str>, path: &str) -> RecipeDocument {
    let entry = json!({"identifier": identifier, "name": name, "repo": "r", "path": path});
    RecipeDocument { entry: serde_json::from_value(entry).unwrap(), app_display_name: None }
}

pub(super) fn all(documents: &Documents) -> Vec<Stitched> {
    let mut all = Vec::new();
    let done: Result<_, std::convert::Infallible> = stitch(documents, |stitched| {
        all.push(stitched);
        Ok(())
    });
    done.unwrap();
    all
}

fn stitched(documents: &Documents) -> Vec<App> {
    all(documents).into_iter().map(|stitched| stitched.record.app).collect()
}

fn slugs(documents: &Documents) -> Vec<String> {
    stitched(documents).iter().map(|app| app.slug.to_string()).collect()
}

#[test]
fn a_label_leads_and_its_cask_makes_no_second_record() {
    let documents = Documents {
        labels: vec![label("googlechrome", json!({"name": "Google Chrome"}))],
        casks: vec![plain_cask("google-chrome", "Google Chrome"), plain_cask("other", "Other")],
        ..Documents::default()
    };
    let apps = stitched(&documents);
    assert_eq!(slugs(&documents), ["googlechrome", "other"]);
    assert_eq!(
        apps[0].sources.iter().collect::<Vec<_>>(),
        [Source::LabelTool, Source::CaskCatalog]
    );
}

#[test]
fn one_cask_serves_several_variants_of_a_label() {
    let documents = Documents {
        labels: vec![
            label("samplepkg", json!({"name": "Sample"})),
            label("sample_intl", json!({"name": "Sample"})),
        ],
        casks: vec![plain_cask("sample", "Sample")],
        ..Documents::default()
    };
    let apps = stitched(&documents);
    assert_eq!(apps.len(), 2);
    assert!(apps.iter().all(|app| app.sources.contains(Source::CaskCatalog)), "{apps:?}");
}

#[test]
fn a_bare_name_that_other_evidence_contradicts_is_no_match() {
    let other = cask(
        "notes",
        json!({"name": ["Notes"], "version": "1", "url": "https://github.com/somebody/notes/releases/notes.zip",
        "artifacts": [{"app": ["Notes Pro.app"]}]}),
    );
    let documents = Documents {
        labels: vec![label(
            "mynotes",
            json!({"name": "Notes", "downloadURL": "https://github.com/else/mynotes/releases/mynotes.zip"}),
        )],
        casks: vec![other],
        ..Documents::default()
    };
    assert_eq!(slugs(&documents), ["mynotes", "notes"]);
}

#[test]
fn a_variant_is_not_taken_for_the_plain_app() {
    let documents = Documents {
        labels: vec![
            label("sample", json!({"name": "Sample"})),
            label("samplebeta", json!({"name": "Sample"})),
        ],
        casks: vec![plain_cask("sample@beta", "Sample"), plain_cask("sample", "Sample")],
        ..Documents::default()
    };
    let tokens: Vec<String> = all(&documents)
        .into_iter()
        .map(|stitched| stitched.record.sources.unwrap().cask_catalog.unwrap().token)
        .collect();
    assert_eq!(tokens, ["sample", "sample@beta"]);
}

#[test]
fn fonts_and_disabled_casks_are_no_apps_of_their_own() {
    let font =
        cask("font-sample", json!({"name": ["Sample"], "artifacts": [{"font": ["Sample.ttf"]}]}));
    let disabled = cask(
        "gone",
        json!({"name": ["Gone"], "disabled": true, "artifacts": [{"app": ["Gone.app"]}]}),
    );
    let packed = cask(
        "font-packed",
        json!({"token": "font-packed", "name": ["Packed"], "artifacts": [{"pkg": ["Packed.pkg"]}]}),
    );
    let mut documents = Documents { casks: vec![font, packed, disabled], ..Documents::default() };
    assert_eq!(slugs(&documents), Vec::<String>::new());
    documents.labels = vec![label("gone", json!({"name": "Gone"}))];
    assert_eq!(slugs(&documents), ["gone"]);
}

#[test]
fn recipes_and_titles_attach_and_never_make_an_app() {
    let documents = Documents {
        casks: vec![plain_cask("sample", "Sample")],
        titles: vec![title("Sample", None, "2.0"), title("Unknown", None, "1")],
        recipes: vec![
            recipe("b.munki.Sample", Some("Sample"), "Sample.munki.recipe"),
            recipe("a.download.Sample", Some("Sample"), "Sample.download.recipe"),
            recipe("c.build.Sample-Win", Some("Sample"), "Sample-Win.build.recipe"),
            recipe("d.shared", None, "Shared.recipe"),
        ],
        ..Documents::default()
    };
    let stitched = all(&documents);
    assert_eq!(stitched.len(), 1);
    let sources = stitched[0].record.sources.as_ref().unwrap();
    let recipes = &sources.recipe_index.as_ref().unwrap().recipes;
    let identifiers: Vec<_> = recipes.iter().map(|recipe| recipe.identifier.as_str()).collect();
    assert_eq!(
        identifiers,
        ["a.download.Sample", "b.munki.Sample"],
        "recipes for Windows or without a name are not attached"
    );
    assert_eq!(sources.mdm_installer.as_ref().unwrap().title, "Sample");
    let app = &stitched[0].record.app;
    assert_eq!(app.vendor.as_deref(), Some("Example"));
    assert_eq!(app.latest_release_date.unwrap().to_string(), "2026-03-05");
}

#[test]
fn a_release_is_not_older_than_a_day_on_which_the_one_before_was_new() {
    let dated = |seen: &[(&str, &str)]| {
        let seen = seen.iter().map(|(version, at)| appstitch_types::SeenVersion {
            version: (*version).to_owned(),
            at: at.parse().unwrap(),
        });
        let documents = Documents {
            labels: vec![label("sample", json!({"name": "Sample"}))],
            casks: vec![plain_cask("sample", "Sample")],
            titles: vec![title("Sample", None, "2.0")],
            tracked: [("sample".to_owned(), seen.collect())].into(),
            ..Documents::default()
        };
        stitched(&documents).remove(0).latest_release_date.map(|date| date.to_string())
    };
    let date = |version, at| dated(&[(version, at)]);
    let titles = Some("2026-03-05".to_owned());
    assert_eq!(date("1.9", "2026-03-05T23:00:00Z"), titles);
    assert_eq!(date("1.9", "2026-03-06T01:00:00Z"), None);
    assert_eq!(date("2.0", "2026-03-06T01:00:00Z"), titles);
    assert_eq!(date("2026-02", "2026-03-06T01:00:00Z"), titles, "not an older one");
    let found = |earlier, at| dated(&[("1.9", earlier), ("2.0", at)]);
    let (before, after) = ("2026-03-01T01:00:00Z", "2026-03-04T01:00:00Z");
    assert_eq!(found(before, "2026-03-09T01:00:00Z"), titles);
    assert_eq!(found(before, "2026-03-10T01:00:00Z"), None, "it was looked for and not there");
    assert_eq!(found("2026-03-06T00:00:00Z", "2026-03-10T01:00:00Z"), None, "1.9 was still new");
    assert_eq!(found(after, "2026-03-08T01:00:00Z"), titles);
    let (newer, late) = (("2.1", "2026-03-06T01:00:00Z"), ("2.0", "2026-03-20T01:00:00Z"));
    assert_eq!(dated(&[newer, late]), titles, "nobody looked on that day");
    assert_eq!(dated(&[late]), titles, "the tracker is new");
}

#[test]
fn a_recipe_is_for_the_app_whose_id_is_its_name() {
    let mut other = plain_cask("maker-sample", "Sample").entry_json.read();
    let attached = |documents: &Documents| -> Vec<(String, usize)> {
        let count = |sources: &AppSources| {
            sources.recipe_index.as_ref().map_or(0, |index| index.recipes.len())
        };
        let apps = all(documents).into_iter();
        apps.map(|app| {
            let count = app.record.sources.as_ref().map_or(0, count);
            (app.record.app.slug.to_string(), count)
        })
        .collect()
    };
    let counts = |apps: &[(&str, usize)]| -> Vec<(String, usize)> {
        apps.iter().map(|(slug, count)| ((*slug).to_owned(), *count)).collect()
    };
    other.insert("homepage".into(), json!("https://maker.example.net/"));
    let recipes = vec![
        recipe("a.munki.Sample", Some("Sample"), "Sample.munki.recipe"),
        recipe("b.munki.MakerSample", Some("MakerSample"), "MakerSample.munki.recipe"),
    ];
    let mut documents = Documents {
        casks: vec![plain_cask("sample", "Sample"), cask("maker-sample", Value::Object(other))],
        recipes,
        ..Documents::default()
    };
    assert_eq!(attached(&documents), counts(&[("maker-sample", 1), ("sample", 1)]));
    let mut gone = documents.casks[0].entry_json.read();
    gone.insert("deprecated".into(), json!(true));
    documents.casks[0] = cask("sample", Value::Object(gone));
    assert_eq!(attached(&documents), counts(&[("maker-sample", 2), ("sample", 1)]));
}

#[test]
fn titles_that_share_a_bundle_identifier_are_told_apart_by_name() {
    let entry = json!({"name": ["Photo 2024"], "version": "25", "artifacts": [{"app": ["Photo 2024.app"]}, {"uninstall": [{"quit": "com.example.photo"}]}]});
    let documents = Documents {
        casks: vec![cask("photo-2024", entry)],
        titles: vec![
            title("Photo 2023", Some("com.example.photo"), "24"),
            title("Photo 2024", Some("com.example.photo"), "25"),
        ],
        ..Documents::default()
    };
    let sources = all(&documents).remove(0).record.sources.unwrap();
    assert_eq!(sources.mdm_installer.unwrap().title, "Photo 2024");
}

#[test]
fn a_hash_is_served_only_beside_its_own_file() {
    let mut documents = Documents {
        labels: vec![label(
            "sample",
            json!({"name": "Sample", "type": "pkg", "downloadURL": "https://example.com/sample.pkg", "appNewVersion": "v3.0"}),
        )],
        casks: vec![plain_cask("sample", "Sample")],
        ..Documents::default()
    };
    let app = stitched(&documents).remove(0);
    assert_eq!(app.download_url, Uri::parse("https://example.com/sample.pkg").ok());
    assert_eq!(app.sha256, None, "the hash belongs to the cask's file");
    assert_eq!(app.current_version.as_deref(), Some("3.0"), "the label's version comes first");
    documents.labels[0] =
        label("sample", json!({"name": "Sample", "type": "pkg", "downloadURL": "$(curl x)"}));
    let app = stitched(&documents).remove(0);
    assert_eq!(app.download_url, Uri::parse("https://example.com/sample.dmg").ok());
    assert_eq!(app.sha256.unwrap().as_str(), "a".repeat(64));
    assert_eq!(app.current_version.as_deref(), Some("2.0"));
}

#[test]
fn sentinels_and_shell_never_reach_an_app() {
    let entry = json!({"name": ["Sample"], "version": "latest", "sha256": "no_check", "url": "https://example.com/sample.dmg", "artifacts": [{"app": ["Sample.app"]}]});
    let documents = Documents {
        labels: vec![label(
            "sample",
            json!({"name": "$name", "appNewVersion": "$(curl x)", "expectedTeamID": "$team"}),
        )],
        casks: vec![cask("sample", entry)],
        ..Documents::default()
    };
    let app = stitched(&documents).remove(0);
    assert_eq!((app.current_version, app.sha256, app.expected_team_id), (None, None, None));
    assert_eq!(app.name, "Sample");
}

#[test]
fn the_same_documents_give_the_same_records_in_any_order() {
    let documents = Documents {
        labels: vec![label("b", json!({"name": "Bee"})), label("a", json!({"name": "Ant"}))],
        casks: vec![plain_cask("bee", "Bee"), plain_cask("ant", "Ant"), plain_cask("cow", "Cow")],
        titles: vec![title("Bee", None, "1"), title("Ant", None, "1")],
        ..Documents::default()
    };
    let mut reversed = documents.clone();
    reversed.labels.reverse();
    reversed.casks.reverse();
    reversed.titles.reverse();
    assert_eq!(all(&documents), all(&reversed));
}

#[test]
fn slugs_that_differ_in_case_are_the_same_in_any_order() {
    let labels = ["sample", "Sample"].map(|slug| label(slug, json!({"name": slug})));
    let casks = ["other", "Other"].map(|token| plain_cask(token, &format!("App {token}")));
    let mut documents =
        Documents { labels: labels.to_vec(), casks: casks.to_vec(), ..Documents::default() };
    let expected = ["Other", "Sample", "other-cask"];
    assert_eq!(slugs(&documents), expected);
    documents.labels.reverse();
    documents.casks.reverse();
    assert_eq!(slugs(&documents), expected);
}

#[test]
fn a_short_name_alone_is_no_match() {
    let documents = Documents {
        labels: vec![label("eastplay", json!({"name": "Play"}))],
        casks: vec![plain_cask("pure-play", "Play")],
        ..Documents::default()
    };
    assert_eq!(slugs(&documents), ["eastplay", "pure-play"]);
}

#[test]
fn every_value_tells_where_it_is_from() {
    let documents = Documents {
        labels: vec![label(
            "sample",
            json!({"name": "Sample", "expectedTeamID": "ABCDE12345", "downloadURL": "$(curl x)"}),
        )],
        casks: vec![plain_cask("sample", "Sample")],
        titles: vec![title("Sample", Some("com.example.sample"), "2.0")],
        ..Documents::default()
    };
    let provenance = all(&documents).remove(0).provenance;
    let fields = serde_json::to_value(&provenance.fields).unwrap();
    assert_eq!(
        fields,
        json!({"bundle_id": "mdm_installer", "name": "cask_catalog", "vendor": "mdm_installer",
            "current_version": "cask_catalog", "latest_release_date": "mdm_installer",
            "download_url": "cask_catalog", "install_method": "cask_catalog",
            "expected_team_id": "label_tool", "sha256": "cask_catalog"})
    );
    let cask = provenance.sources.cask_catalog.unwrap();
    assert_eq!(cask.id, "sample");
    assert!(
        cask.evidence.contains(&"the app's ID is the cask's name".to_owned()),
        "{:?}",
        cask.evidence
    );
    assert_eq!(provenance.sources.store_listing, None);
}

/// The cask of each app, in slug order.
fn cask_tokens(documents: &Documents) -> Vec<Option<String>> {
    let sources = all(documents).into_iter().map(|stitched| stitched.record.sources.unwrap());
    sources.map(|sources| sources.cask_catalog.map(|cask| cask.token)).collect()
}

#[test]
fn a_short_name_of_another_site_is_another_app() {
    let from = |token: &str, site: &str| {
        cask(
            token,
            json!({"token": token, "old_tokens": ["spark"], "name": ["Spark"], "version": "1",
            "url": format!("https://{site}/Spark.zip"), "artifacts": [{"app": ["Spark.app"]}]}),
        )
    };
    let mut documents = Documents {
        labels: vec![label(
            "spark",
            json!({"name": "Spark", "appName": "Spark Desktop.app", "downloadURL": "$(curl https://mail.example/download)"}),
        )],
        casks: vec![from("spark-app", "www.shadow.test")],
        ..Documents::default()
    };
    assert_eq!(slugs(&documents), ["spark", "spark-app"]);
    documents.casks.push(from("mail-spark", "downloads.mail.example"));
    assert_eq!(cask_tokens(&documents)[0].as_deref(), Some("mail-spark"));
}

#[test]
fn a_label_for_one_major_version_does_not_take_the_next_one() {
    let documents = |slug: &str| Documents {
        labels: vec![label(slug, json!({"name": "Sample Planner"}))],
        casks: vec![cask(
            "sample-planner",
            json!({"name": ["Sample Planner"], "version": "4.10.3", "url": "https://example.com/s.dmg",
            "artifacts": [{"app": ["Sample Planner.app"]}]}),
        )],
        ..Documents::default()
    };
    assert_eq!(slugs(&documents("sampleplanner4")), ["sampleplanner4"]);
    assert_eq!(slugs(&documents("sampleplanner3")), ["sample-planner", "sampleplanner3"]);
    assert_eq!(
        slugs(&documents("sampleplanner365")),
        ["sampleplanner365"],
        "the number is part of the name"
    );
}

#[test]
fn several_apps_of_one_maker_that_nothing_tells_apart_are_no_match() {
    let edition = |token: &str| {
        cask(
            token,
            json!({"name": [token], "version": "1", "url": format!("https://maker.example/{token}.dmg"),
            "artifacts": [{"app": ["Studio.app"]}]}),
        )
    };
    let mut documents = Documents {
        labels: vec![label(
            "makerstudio",
            json!({"name": "Studio", "downloadURL": "$(curl https://maker.example/)"}),
        )],
        casks: vec![edition("maker-lite")],
        ..Documents::default()
    };
    assert_eq!(
        slugs(&documents),
        ["makerstudio"],
        "the app's file and the site together are enough"
    );
    documents.casks.push(edition("maker-suite"));
    assert_eq!(slugs(&documents), ["maker-lite", "maker-suite", "makerstudio"]);
}

#[test]
fn a_renamed_repository_of_the_same_owner_speaks_for_the_plain_app() {
    let at = |token: &str, repository: &str| {
        cask(
            token,
            json!({"name": ["Ice"], "version": "1", "artifacts": [{"app": ["Ice.app"]}],
            "url": format!("https://github.com/{repository}/releases/Ice.zip")}),
        )
    };
    let documents = Documents {
        labels: vec![label(
            "ice",
            json!({"name": "Ice", "downloadURL": "$(downloadURLFromGit jordan Ice)"}),
        )],
        casks: vec![at("jordan-ice", "jordan/ice-releases"), at("jordan-ice@beta", "jordan/Ice")],
        ..Documents::default()
    };
    assert_eq!(cask_tokens(&documents)[0].as_deref(), Some("jordan-ice"));
}

/// The bundle identifier of the app of a cask that removes these files, and of a title.
fn bundle_id_of(files: Value, title_id: &str) -> Option<String> {
    let entry = json!({"token": "sample", "name": ["Sample"], "version": "2.0",
        "artifacts": [{"app": ["Sample.app"]}, {"zap": [{"trash": files}]}]});
    let documents = Documents {
        casks: vec![cask("sample", entry)],
        titles: vec![title("Sample", Some(title_id), "2.0")],
        ..Documents::default()
    };
    stitched(&documents).remove(0).bundle_id
}

#[test]
fn a_title_replaces_an_identifier_with_little_evidence() {
    let little = json!(["~/Library/Preferences/com.example.old.plist"]);
    let much = json!([
        "~/Library/Preferences/com.example.Old.plist",
        "~/Library/Saved Application State/com.example.old.savedState"
    ]);
    let id = |files: &Value, title_id| bundle_id_of(files.clone(), title_id);
    assert_eq!(id(&little, "com.example.new").as_deref(), Some("com.example.new"));
    assert_eq!(id(&much, "com.example.new").as_deref(), Some("com.example.Old"));
    assert_eq!(id(&little, "com.other.new").as_deref(), Some("com.example.old"), "another maker");
}

#[test]
fn the_identifier_of_a_group_or_of_another_app_is_not_taken_from_a_title() {
    let id = |title_id| bundle_id_of(json!([]), title_id);
    assert_eq!(id("ABCDE12345.com.example.shared"), None);
    assert_eq!(id("com.apple.mail"), None);
    assert_eq!(id("com.example.sample").as_deref(), Some("com.example.sample"));
}

#[test]
fn identifiers_are_compared_without_their_case() {
    let entry = json!({"token": "sample", "name": ["Plain"], "version": "2.0",
        "artifacts": [{"uninstall": [{"quit": "com.example.Sample"}]}]});
    let documents = Documents {
        casks: vec![cask("sample", entry)],
        titles: vec![title("Another Name", Some("com.example.sample"), "2.0")],
        ..Documents::default()
    };
    let sources = all(&documents).remove(0).record.sources.unwrap();
    assert!(sources.mdm_installer.is_some());
}

fn cask_of(label_document: LabelDocument, casks: Vec<CaskCatalogSource>) -> Option<String> {
    let slug = label_document.slug.to_string();
    let documents = Documents { labels: vec![label_document], casks, ..Documents::default() };
    let found = all(&documents).into_iter().find(|one| one.record.app.slug.as_str() == slug);
    found.unwrap().record.sources.unwrap().cask_catalog.map(|cask| cask.token)
}

fn package_cask(token: &str, name: &str, url: &str, artifacts: Value) -> CaskCatalogSource {
    let entry = json!({"token": token, "name": [name], "version": "2.1", "url": url,
        "homepage": "https://maker.example/", "artifacts": artifacts});
    cask(token, entry)
}

#[test]
fn a_cask_is_found_by_a_similar_name_and_the_maker() {
    let artifacts = || json!([{"pkg": ["sample.pkg"]}]);
    let casks = || {
        let url = "https://maker.example/acme-sample-link.pkg";
        vec![package_cask("acme-sample-link", "Acme Sample Link", url, artifacts())]
    };
    let at = |url: &str| {
        label("samplelink", json!({"name": "Sample Link", "downloadURL": format!("$(curl {url})")}))
    };
    assert_eq!(
        cask_of(at("https://acmecloud.example/"), casks()).as_deref(),
        Some("acme-sample-link")
    );
    assert_eq!(cask_of(at("https://another.example/"), casks()), None);
}

#[test]
fn a_folder_of_one_cask_is_evidence_and_a_shared_one_is_not() {
    let at = |token: &str, file: &str| {
        let url = format!("https://get.maker.example/files/mac/{file}");
        package_cask(token, token, &url, json!([{"pkg": ["a.pkg"]}]))
    };
    let wanted = || {
        label(
            "oldname",
            json!({"name": "Old Name",
            "downloadURL": "https://get.maker.example/files/mac/${version}/Old.pkg"}),
        )
    };
    let one = vec![at("new-name", "3/New.pkg")];
    assert_eq!(cask_of(wanted(), one.clone()).as_deref(), Some("new-name"));
    let two = [one, vec![at("another", "Another.pkg")]].concat();
    assert_eq!(cask_of(wanted(), two), None);
}

#[test]
fn apps_that_are_renamed_removed_or_in_a_suite_are_the_casks() {
    let url = "https://maker.example/x.dmg";
    let wanted = || {
        label("tool", json!({"name": "Toolbox", "downloadURL": "$(curl https://maker.example/)"}))
    };
    for artifacts in [
        json!([{"app": ["Toolbox.app", {"target": "Maker.app"}], "target": "/Applications/Maker.app"}]),
        json!([{"pkg": ["a.pkg"]}, {"uninstall": [{"delete": "/Applications/Toolbox.app"}]}]),
        json!([{"suite": ["Maker 2"]}, {"binary": ["/Applications/Maker 2/bin/toolbox"]}]),
    ] {
        let casks = vec![package_cask("maker", "Maker", url, artifacts.clone())];
        assert_eq!(cask_of(wanted(), casks).as_deref(), Some("maker"), "{artifacts}");
    }
}

#[test]
fn a_product_with_a_new_name_keeps_its_label() {
    let entry = json!({"token": "new-name", "old_tokens": ["old-name"], "name": ["New Name"],
        "version": "1", "url": "https://github.com/maker/new/x.zip",
        "artifacts": [{"app": ["New Name.app"]}]});
    let wanted = label(
        "oldname",
        json!({"name": "Old Name", "downloadURL": "$(downloadURLFromGit maker old)"}),
    );
    assert_eq!(cask_of(wanted, vec![cask("new-name", entry)]).as_deref(), Some("new-name"));
}

#[test]
fn a_receipt_can_be_a_pattern_or_the_identifier_of_the_app() {
    let wanted =
        |name: &str| label("other", json!({"name": name, "packageID": "com.maker.sample.core"}));
    let with = |directive: Value| {
        let artifacts = json!([{"pkg": ["a.pkg"]}, {"uninstall": [directive]}]);
        vec![package_cask("sample", "Sample", "https://maker.example/x.pkg", artifacts)]
    };
    let patterned = |receipt: &str| cask_of(wanted("Sample"), with(json!({"pkgutil": receipt})));
    assert_eq!(patterned("com.maker.sample.*").as_deref(), Some("sample"));
    assert_eq!(patterned("com.another.sample.*"), None, "the short name alone");
    let quit = cask_of(wanted("Other"), with(json!({"quit": "com.maker.Sample.Core"})));
    assert_eq!(quit.as_deref(), Some("sample"));
}

#[test]
fn a_channel_of_the_label_is_not_the_plain_cask() {
    let found = |slug: &str| {
        cask_of(label(slug, json!({"name": "Sample"})), vec![plain_cask("sample", "Sample")])
    };
    assert_eq!(found("makersample-deferred"), None);
    assert_eq!(found("makersample").as_deref(), Some("sample"));
}

#[test]
fn the_apps_own_name_decides_between_two_editions() {
    let mut wanted = label("samplephoto", json!({"name": "Sample Photo Plus"}));
    wanted.other_names = vec!["samplephotoplus".to_owned()];
    let casks = vec![
        plain_cask("sample-photo", "Sample Photo"),
        plain_cask("sample-photo-plus", "Sample Photo Plus"),
    ];
    assert_eq!(cask_of(wanted, casks).as_deref(), Some("sample-photo-plus"));
}

#[test]
fn a_label_with_several_names_has_them_all() {
    let wanted = label("samplereaderdc", json!({"name": ["Sample Reader", "Sample Reader DC"]}));
    let casks = vec![plain_cask("sample-reader", "Sample Reader")];
    assert_eq!(cask_of(wanted, casks).as_deref(), Some("sample-reader"));
}

#[test]
fn a_cask_keeps_its_app_if_a_label_for_another_app_has_its_name() {
    let documents = Documents {
        labels: vec![label(
            "sample",
            json!({"name": "Sample 4", "downloadURL": "https://example.com/Sample%204.dmg"}),
        )],
        casks: vec![cask(
            "sample",
            json!({"token": "sample", "name": ["Sample"], "version": "6.1",
                "url": "https://example.com/Sample6.dmg", "artifacts": [{"app": ["Sample.app"]}]}),
        )],
        ..Documents::default()
    };
    assert_eq!(slugs(&documents), ["sample", "sample-cask"]);
    assert_eq!(cask_tokens(&documents), [None, Some("sample".to_owned())]);
}

#[test]
fn a_title_of_the_plain_app_does_not_describe_its_channels() {
    let at = |token: &str| {
        cask(
            token,
            json!({"token": token, "name": ["Sample"], "version": "1", "url": "https://example.com/s.dmg",
                "artifacts": [{"app": ["Sample.app"]}, {"uninstall": [{"quit": "com.acme.sample"}]}]}),
        )
    };
    let documents = Documents {
        casks: vec![at("sample"), at("sample@beta"), at("sample@7")],
        titles: vec![
            title("Sample", Some("com.acme.sample"), "2"),
            title("Sample 7", Some("com.acme.sample"), "7"),
        ],
        ..Documents::default()
    };
    let sources = all(&documents).into_iter().map(|stitched| stitched.record.sources.unwrap());
    let titles: Vec<Option<String>> =
        sources.map(|sources| sources.mdm_installer.map(|title| title.title)).collect();
    assert_eq!(titles[0].as_deref(), Some("Sample"));
    assert_eq!(titles[2], None, "the beta");
}
