//! What a search finds, and in which order.

use appstitch_types::{Alias, AliasKind, App};
use serde_json::json;

use super::{RankedIndex, RankedIndexBuilder, query::Query};
use crate::entry::Notes;

/// Apps with their vendor, bundle identifier, number of sources, other names and main record.
fn index() -> (Vec<&'static str>, RankedIndex) {
    type Row = (&'static str, &'static str, Option<&'static str>, &'static str, usize);
    let apps: [Row; 12] = [
        ("beekeeperstudio", "Beekeeper Studio", None, "io.beekeeper", 4),
        ("carboncopycloner", "Carbon Copy Cloner", Some("Bombich"), "com.bombich.ccc", 3),
        ("chromedriver", "ChromeDriver", Some("Google"), "", 1),
        ("chromeremotedesktop", "Chrome Remote Desktop", Some("Google"), "", 4),
        ("draft11", "Final Draft 11", None, "", 1),
        ("draft13", "Final Draft 13", None, "", 1),
        ("google-chrome@beta", "Google Chrome Beta", Some("Google"), "", 1),
        ("googlechrome", "Google Chrome", Some("Google"), "com.google.Chrome", 3),
        ("photozoom", "PhotoZoom", None, "", 4),
        ("rstudio", "RStudio", Some("Posit"), "org.rstudio", 2),
        ("virtualbox", "VirtualBox", Some("Oracle"), "", 3),
        ("zoom", "Zoom", Some("Zoom"), "us.zoom.xos", 2),
    ];
    let mut builder = RankedIndexBuilder::new();
    for (slug, name, vendor, bundle_id, sources) in apps {
        let sources = &["label_tool", "cask_catalog", "recipe_index", "mdm_installer"][..sources];
        let bundle_id = Some(bundle_id).filter(|id| !id.is_empty());
        let app = json!({"slug": slug, "name": name, "vendor": vendor, "bundle_id": bundle_id,
            "expected_team_id": (slug == "zoom").then_some("BJ4HAAB9B3"), "sources": sources});
        let app: App = serde_json::from_value(app).unwrap();
        let recipes = if sources.len() > 2 { 8 } else { 0 };
        let mut notes = Notes { recipes, ..Notes::default() };
        match slug {
            "googlechrome" => {
                let name = "old-browser".to_owned();
                notes.aliases.push(Alias { kind: AliasKind::FormerToken, name });
            }
            "google-chrome@beta" => notes.variant_of = Some("googlechrome".to_owned()),
            "zoom" => notes.names.push("zoom.us".to_owned()),
            _ => {}
        }
        builder.push(&app, &notes);
    }
    (apps.map(|app| app.0).to_vec(), builder.finish())
}

fn found(query: &str) -> Vec<&'static str> {
    let (slugs, index) = index();
    let (found, total) = index.search(&Query::read(query), None, |_| true, 20, 0);
    assert_eq!(found.len(), total, "{query}");
    found.into_iter().map(|position| slugs[position as usize]).collect()
}

#[test]
fn better_tiers_come_first() {
    assert_eq!(found("zoom"), ["zoom", "photozoom"]);
    let chrome = ["googlechrome", "chromeremotedesktop", "google-chrome@beta", "chromedriver"];
    assert_eq!(found("chrome"), chrome);
    assert_eq!(found("Chrome remote"), ["chromeremotedesktop"]);
    assert_eq!(found("desktop CHROME"), ["chromeremotedesktop"]);
    assert_eq!(found("udio"), ["beekeeperstudio", "rstudio"], "more recipes");
}

#[test]
fn blanks_accents_and_punctuation_do_not_matter() {
    for query in ["virtual box", "VIRTUAL-BOX", "Virtuál Box", "virtualbox"] {
        assert_eq!(found(query), ["virtualbox"], "{query}");
    }
    assert_eq!(found("r studio")[0], "rstudio");
    assert_eq!(found("rstudio"), ["rstudio"], "not the letters where two words meet");
}

#[test]
fn every_kind_of_name_leads_to_its_app() {
    assert_eq!(found("old browser"), ["googlechrome"]);
    assert_eq!(found("COM.GOOGLE.CHROME"), ["googlechrome"]);
    assert_eq!(found("bj4haab9b3"), ["zoom"]);
    assert_eq!(found("BJ4H"), ["zoom"]);
    assert_eq!(found("zoom.us"), ["zoom"]);
    assert_eq!(found("ccc"), ["carboncopycloner"]);
    assert!(found("9b3").is_empty(), "inside a Team ID");
}

#[test]
fn a_part_of_a_vendor_or_of_an_identifier_is_less_than_the_beginning_of_a_name() {
    let mut builder = RankedIndexBuilder::new();
    for (slug, name, vendor, bundle_id, other) in [
        ("fork", "Fork", "Dan Trans", "io.gitlab.fork", ""),
        ("gitlabrunner", "GitLabRunner", "Someone", "", ""),
        ("max", "Max", "Cycling", "", "Live for Max"),
        ("live", "Live Suite", "Ableton", "", ""),
        ("transmit", "Transmit", "Panic", "", ""),
    ] {
        let id = Some(bundle_id).filter(|id| !id.is_empty());
        // More sources would come first among equals.
        let sources: &[&str] =
            if slug == "max" { &["label_tool", "cask_catalog"] } else { &["cask_catalog"] };
        let app = json!({"slug": slug, "name": name, "vendor": vendor, "bundle_id": id,
            "sources": sources});
        let app: App = serde_json::from_value(app).unwrap();
        let names = if other.is_empty() { Vec::new() } else { vec![other.to_owned()] };
        builder.push(&app, &Notes { names, ..Notes::default() });
    }
    let index = builder.finish();
    let first = |query: &str, named| index.search(&Query::read(query), named, |_| true, 9, 0).0[0];
    assert_eq!(first("trans", None), 4);
    assert_eq!(first("gitlab", None), 1);
    assert_eq!(first("live suite", None), 3);
    assert_eq!(first("fork", None), 0, "the end of the identifier is its name");
    assert_eq!(first("panic", None), 4, "the whole vendor");
    assert_eq!(first("suite live", None), 3);
    // The app that has the query as identifier comes first.
    assert_eq!(first("li", Some(3)), 3);
}

#[test]
fn of_numbered_apps_the_newest_is_first_unless_the_number_is_given() {
    assert_eq!(found("final draft"), ["draft13", "draft11"]);
    assert_eq!(found("final draft 11"), ["draft11"]);
    assert!(found("final draft 1").is_empty(), "part of a number");
}

#[test]
fn misspelled_words_are_found_if_nothing_else_is() {
    for query in ["chorme", "crome", "chrme", "googel chrome"] {
        assert_eq!(found(query)[0], "googlechrome", "{query}");
    }
    assert_eq!(found("virtulbox"), ["virtualbox"]);
    assert!(found("zomo zomo zomo qwert").is_empty());
    assert!(found("qwertyzxcv").is_empty());
}

#[test]
fn a_query_without_letters_and_digits_finds_nothing() {
    for query in ["", " ", "%", "\u{0}", "^()$", "🙂", "\u{301}"] {
        assert!(found(query).is_empty(), "{query:?}");
    }
}

#[test]
fn pages_and_filters_keep_the_order() {
    let (slugs, index) = index();
    let query = Query::read("chrome");
    let (page, total) = index.search(&query, None, |_| true, 2, 1);
    let page: Vec<&str> = page.into_iter().map(|position| slugs[position as usize]).collect();
    assert_eq!((page, total), (vec!["chromeremotedesktop", "google-chrome@beta"], 4));
    assert_eq!(index.search(&query, None, |position| position == 2, 9, 0), (vec![2], 1));
    assert_eq!(index.search(&query, None, |_| true, 9, usize::MAX), (vec![], 4));
    let empty = RankedIndexBuilder::new().finish();
    assert_eq!(empty.search(&query, None, |_| true, 9, 0), (vec![], 0));
    assert_eq!(RankedIndex::default().search(&query, None, |_| true, 9, 0), (vec![], 0));
}

/// Slug, name, number of recipes, other names and the cask's token of an app.
type Carried<'a> = (&'a str, &'a str, usize, &'a [&'a str], Option<&'a str>);

fn first(query: &str, apps: &[Carried<'_>]) -> String {
    let mut builder = RankedIndexBuilder::new();
    for (slug, name, recipes, names, token) in apps {
        let sources = if token.is_some() { vec!["label_tool", "cask_catalog"] } else { vec![] };
        let app = json!({"slug": slug, "name": name, "sources": sources});
        let name = |name: &str| Alias { kind: AliasKind::Token, name: name.to_owned() };
        let notes = Notes {
            aliases: token.map(name).into_iter().collect(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            recipes: *recipes,
            ..Notes::default()
        };
        builder.push(&serde_json::from_value(app).unwrap(), &notes);
    }
    let named = apps.iter().position(|app| app.0 == query).map(|at| u32::try_from(at).unwrap());
    let (found, _) = builder.finish().search(&Query::read(query), named, |_| true, 9, 0);
    found.first().map(|at| apps[*at as usize].0.to_owned()).unwrap_or_default()
}

#[test]
fn how_much_an_app_is_managed_decides_between_words_and_lifts_the_beginning_of_a_name() {
    let code = ("studio", "Big Studio Code", 20, &[][..], None);
    assert_eq!(first("code", &[("coder", "Code T", 2, &[], None), code]), "studio");
    assert_eq!(first("code", &[("code", "Code", 0, &[], None), code]), "code", "the exact name");
    let node = ("nodejs", "nodejs", 7, &[][..], None);
    assert_eq!(first("node", &[("nano", "Nano Node", 0, &[], None), node]), "nodejs");
    assert_eq!(first("node", &[("nano", "Nano Node", 3, &[], None), node]), "nano");
    let inner = ("mynode", "MyNodeApp", 30, &[][..], None);
    assert_eq!(first("node", &[inner, ("nano", "Nano Node", 0, &[], None)]), "nano");
}

#[test]
fn a_name_that_only_mentions_the_query_and_a_beta_called_like_the_app_come_later() {
    let life = ("life", "Second Life Viewer", 0, &[][..], None);
    assert_eq!(first("second life", &[("a", "Fire for Second Life", 2, &[], None), life]), "life");
    let speak = ("speak-client", "Speak Client", 0, &[][..], None);
    let beta = ("speak-client@beta", "Speak Beta", 3, &["Speak"][..], None);
    assert_eq!(first("speak", &[speak, beta]), "speak-client");
    let number = ("windows", "Windows App", 0, &["Remote Desktop 10"][..], None);
    let other = ("manager", "Remote Desktop Manager", 0, &[][..], None);
    assert_eq!(first("remote desktop", &[other, number]), "windows", "the number of a version");
}

#[test]
fn a_successor_comes_before_its_predecessor() {
    let old = ("santa", "Santa", 9, &[][..], Some("other"));
    let new = ("nps-santa", "Santa", 0, &[][..], Some("santa"));
    assert_eq!(first("santa", &[new, old]), "nps-santa");
    assert_eq!(first("santa", &[("nps", "North", 0, &[], Some("santa")), old]), "santa");
}

#[test]
fn short_forms_and_added_words_lead_to_the_app() {
    let fox = ("firefoxesr", "Firefox ESR", 0, &[][..], None);
    assert_eq!(first("ff esr", &[("ff", "FF", 9, &[], None), fox]), "firefoxesr");
    assert_eq!(first("ff", &[("ff", "FF", 0, &[], None), fox]), "ff", "the exact name");
    let slack = ("slack", "Slack", 9, &[][..], None);
    for query in ["slack app", "Slack for Mac", "slack macOS app", "slcak app"] {
        assert_eq!(first(query, &[("other", "Other App", 9, &[], None), slack]), "slack");
    }
    assert_eq!(first("slack app", &[slack, ("slack-app", "Slack App", 0, &[], None)]), "slack-app");
}

#[test]
fn an_empty_search_offers_the_names_that_begin_alike() {
    let (slugs, index) = index();
    let nearest = |query: &str| {
        let found = index.nearest(query, |_| true, 2);
        found.into_iter().map(|at| slugs[at as usize]).collect::<Vec<_>>()
    };
    assert_eq!(nearest("virtuoso"), ["virtualbox"]);
    assert_eq!(nearest("chromatic xyz"), ["googlechrome", "chromeremotedesktop"]);
    assert!(nearest("qwertyzxcv").is_empty());
    assert!(nearest("").is_empty());
}

/// What a query finds among apps with a slug, a name, a vendor and a number of recipes, or else the
/// nearest apps.
fn among(apps: &[(&str, &str, &str, usize)], query: &str) -> Vec<String> {
    let mut builder = RankedIndexBuilder::new();
    for (slug, name, vendor, recipes) in apps {
        let app = json!({"slug": slug, "name": name, "vendor": vendor, "sources": ["label_tool"]});
        let mut notes = Notes { recipes: *recipes, ..Notes::default() };
        if *slug == "ide" {
            let name = "foundation-java".to_owned();
            notes.aliases.push(Alias { kind: AliasKind::Token, name });
        }
        builder.push(&serde_json::from_value::<App>(app).unwrap(), &notes);
    }
    let index = builder.finish();
    let (mut found, _) = index.search(&Query::read(query), None, |_| true, 9, 0);
    if found.is_empty() {
        found = index.nearest(query, |_| true, 9);
    }
    found.into_iter().map(|position| apps[position as usize].0.to_owned()).collect()
}

#[test]
fn an_app_that_is_shown_with_another_name_or_made_for_the_asked_one_comes_later() {
    let apps = [
        ("connect", "Fleet Connect", "Fleet", 5),
        ("fleet-mover", "Mover", "Somebody", 5),
        ("ide", "Foundation IDE for Java Developers", "Foundation", 10),
        ("runtime", "Java Runtime Environment 8", "Oracle", 0),
    ];
    assert_eq!(among(&apps, "fleet"), ["connect", "fleet-mover"]);
    assert_eq!(among(&apps, "java"), ["runtime", "ide"]);
}

#[test]
fn titles_and_the_labels_of_variants_say_how_much_an_app_is_managed() {
    let first = |codes: usize, main: Option<&str>| {
        let mut builder = RankedIndexBuilder::new();
        for slug in ["fleet-kit", "fleetkit11", "fleetkit12", "fleetone"] {
            let name = if slug == "fleetone" { "Fleet One" } else { "Fleet Sample Kit" };
            let app = json!({"slug": slug, "name": name, "sources": ["label_tool"]});
            let mut notes = Notes::default();
            if slug == "fleet-kit" {
                notes.patch_codes = vec!["0".to_owned(); codes];
            }
            notes.variant_of = main.filter(|_| slug != "fleetone").map(str::to_owned);
            builder.push(&serde_json::from_value::<App>(app).unwrap(), &notes);
        }
        let (found, _) = builder.finish().search(&Query::read("fleet"), None, |_| true, 1, 0);
        found[0]
    };
    assert_eq!(first(0, None), 3, "the shortest name");
    assert_eq!(first(2, None), 0, "titles");
    assert_eq!(first(0, Some("fleet-kit")), 0, "the labels of three variants");
}

#[test]
fn the_first_words_find_what_is_offered() {
    let apps = [
        ("connect", "Fleet Connect", "Fleet", 5),
        ("client", "Other Client", "Other", 5),
        ("fleeting", "Fleeting", "Else", 9),
    ];
    assert_eq!(among(&apps, "fleet protect client"), ["connect", "fleeting", "client"]);
    assert_eq!(among(&apps, "fleexy"), ["fleeting", "connect"]);
}

#[test]
fn the_ending_of_a_file_does_not_stop_a_hit() {
    let apps = [("bird", "Bird", "Org", 3), ("birdpkg", "Bird Package", "Org", 3)];
    assert_eq!(among(&apps, "bird.dmg"), ["bird", "birdpkg"]);
    assert_eq!(among(&apps, "bird.pkg")[0], "birdpkg");
}

#[test]
fn the_nearest_names_have_most_of_the_words_and_above_all_the_first() {
    let apps = [
        ("drive", "Big Drive", "Big", 3),
        ("mail", "Big Mail", "Big", 3),
        ("mailer", "Mailer Client", "Other", 9),
    ];
    assert_eq!(among(&apps, "big mail client plus"), ["mail", "mailer", "drive"]);
    assert_eq!(among(&apps, "other thing"), ["mailer"], "by its vendor");
    assert!(among(&apps, "qwertz").is_empty());
}
