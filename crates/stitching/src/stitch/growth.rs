//! What matching costs if an attacker chooses the names of the entries.
//!
//! Each attack makes entries that look alike in one way. The work, in compared pairs, and the
//! result, in served bytes, must grow with the number of entries and not with its square.

use std::convert::Infallible;

use serde_json::{Value, json};

use super::{evidence::COMPARISONS, tests::label, *};
use crate::{
    bounds::{APPS_PER_ENTRY, CANDIDATES, RECIPES_PER_APP},
    documents::RecipeDocument,
};

/// The catalog of some documents, as far as its size is concerned.
#[derive(Debug)]
struct Cost {
    compared: usize,
    bytes: usize,
    left_out: LeftOut,
}

fn cost(documents: &Documents) -> Cost {
    COMPARISONS.set(0);
    let mut bytes = 0;
    let stitched = stitch(documents, |stitched| {
        bytes += serde_json::to_vec(&stitched.record).unwrap().len();
        bytes += serde_json::to_vec(&stitched.provenance).unwrap().len();
        Ok::<(), Infallible>(())
    });
    let Ok(left_out) = stitched;
    Cost { compared: COMPARISONS.get(), bytes, left_out }
}

fn cask(token: &str, entry: Value) -> CaskCatalogSource {
    let mut entry = entry;
    entry["token"] = token.into();
    tests::cask(token, entry)
}

fn recipe(number: usize, name: &str) -> RecipeDocument {
    let entry = json!({"identifier": format!("com.example.{number:05}"), "name": name,
        "repo": "example/recipes", "path": format!("{name}/{number}.recipe")});
    let entry = serde_json::from_value(entry).unwrap();
    RecipeDocument { entry, app_display_name: None }
}

fn title(number: usize, name: &str, id: &str) -> TitleDocument {
    let source = json!({"title": name, "source": "Jamf", "bundle_id": id,
        "mgmt_id": number.to_string()});
    let source = serde_json::from_value(source).unwrap();
    TitleDocument { source, publisher: None, available: None }
}

/// Labels that differ in their slugs only, with whatever `raw` gives them.
fn labels(count: usize, raw: impl Fn(usize) -> Value) -> Vec<LabelDocument> {
    (0..count).map(|number| label(&format!("look{number:05}"), raw(number))).collect()
}

fn casks(count: usize, entry: impl Fn(usize) -> Value) -> Vec<CaskCatalogSource> {
    (0..count).map(|number| cask(&format!("alike{number:05}"), entry(number))).collect()
}

const LONG: &str =
    "a 1 a 1 a 1 a 1 a 1 a 1 a 1 a 1 a 1 a 1 a 1 a 1 a 1 a 1 a 1 a 1 a 1 a 1 a 1 Sample";

/// What is alike, and the documents of an attack with a number of entries.
type Attack = (&'static str, fn(usize) -> Documents);

/// The attacks, each with a given number of entries of each kind.
const ATTACKS: [Attack; 9] = [
    ("recipes of one name", |count| Documents {
        labels: labels(count, |_| json!({"name": "Sample"})),
        recipes: (0..count).map(|number| recipe(number, "Sample")).collect(),
        ..Documents::default()
    }),
    ("casks of one name", |count| Documents {
        labels: labels(count, |_| json!({"name": "Sample", "appName": "Sample.app"})),
        casks: casks(
            count,
            |_| json!({"name": ["Sample"], "artifacts": [{"app": ["Sample.app"]}]}),
        ),
        ..Documents::default()
    }),
    ("casks of one name, just few enough to be compared", |count| Documents {
        labels: labels(
            count,
            |number| json!({"name": format!("Sample App {}", number / CANDIDATES)}),
        ),
        casks: casks(
            count,
            |number| json!({"name": [format!("Sample App {}", number / CANDIDATES)]}),
        ),
        ..Documents::default()
    }),
    ("long names of the same words", |count| Documents {
        labels: labels(
            count,
            |number| json!({"name": format!("{LONG} {}", "b".repeat(number % 7))}),
        ),
        casks: casks(
            count,
            |number| json!({"name": [format!("{LONG} {}", "c".repeat(number % 5))]}),
        ),
        ..Documents::default()
    }),
    ("tokens that are the same without dashes", |count| Documents {
        labels: (0..count).map(|number| label(&dashed(number), json!({"name": "x"}))).collect(),
        casks: (0..count).map(|number| cask(&dashed(number + count), json!({}))).collect(),
        ..Documents::default()
    }),
    ("one receipt, one repository and one folder", |count| Documents {
        labels: labels(count, |_| {
            json!({"packageID": "com.example.sample",
            "downloadURL": "https://example.com/a/b/c/sample.dmg",
            "appNewVersion": "$(versionFromGit owner sample)"})
        }),
        casks: casks(count, |_| {
            json!({"homepage": "https://github.com/owner/sample",
            "url": "https://example.com/a/b/c/sample.dmg",
            "artifacts": [{"uninstall": [{"pkgutil": "com.example.sample"}]}]})
        }),
        ..Documents::default()
    }),
    ("one bundle identifier", |count| Documents {
        casks: casks(count, |_| {
            json!({"name": ["Sample"],
            "artifacts": [{"uninstall": [{"quit": "com.example.alike"}]}]})
        }),
        titles: (0..count).map(|number| title(number, "Sample", "com.example.alike")).collect(),
        ..Documents::default()
    }),
    ("one large cask of many labels", |count| Documents {
        labels: labels(count, |_| json!({"packageID": "com.example.sample"})),
        casks: vec![cask(
            "sample",
            json!({"desc": "x".repeat(10_000),
            "artifacts": [{"uninstall": [{"pkgutil": "com.example.sample"}]}]}),
        )],
        ..Documents::default()
    }),
    ("variants of one signer", |count| Documents {
        labels: (0..count)
            .map(|number| label(&format!("x-{number}"), json!({"expectedTeamID": "ABCDE12345"})))
            .collect(),
        ..Documents::default()
    }),
];

/// A slug of the letters a to p, with dashes that the number chooses.
fn dashed(number: usize) -> String {
    let dash = |place: usize| if number >> place & 1 == 1 { "-" } else { "" };
    let mut slug = String::new();
    for (place, letter) in ('a'..='p').enumerate() {
        slug.push(letter);
        slug.push_str(dash(place));
    }
    slug.push('z');
    slug
}

#[test]
fn look_alikes_cost_no_more_than_their_number() {
    const COUNT: usize = 250;
    for (attack, documents) in ATTACKS {
        let [few, many] = [COUNT, 4 * COUNT].map(|count| cost(&documents(count)));
        let most = CANDIDATES * 4 * COUNT + few.compared;
        assert!(many.compared <= most, "{attack}: {many:?}");
        // Four times the entries; what is shared by all of them counts once more.
        let limit = 5 * few.bytes + (1 << 20);
        assert!(many.bytes <= limit, "{attack}: {few:?}, {many:?}");
    }
}

#[test]
fn an_app_carries_only_so_many_recipes_and_says_so() {
    let documents = |recipes: usize| Documents {
        labels: labels(1, |_| json!({"name": "Sample"})),
        recipes: (0..recipes).map(|number| recipe(number, "Sample")).collect(),
        ..Documents::default()
    };
    let stitched = |documents: &Documents| {
        let mut all = Vec::new();
        let left_out = stitch(documents, |stitched| {
            all.push(stitched);
            Ok::<(), Infallible>(())
        });
        let Ok(left_out) = left_out;
        (all.remove(0), left_out)
    };
    let (complete, left_out) = stitched(&documents(RECIPES_PER_APP));
    assert_eq!(left_out, LeftOut::default());
    let evidence = complete.provenance.sources.recipe_index.clone().unwrap().evidence;
    assert_eq!(evidence.len(), 1, "{evidence:?}");

    let mut more = documents(RECIPES_PER_APP + 1);
    let (bounded, left_out) = stitched(&more);
    assert_eq!(left_out, LeftOut { recipes: 1, ..LeftOut::default() });
    let evidence = bounded.provenance.sources.recipe_index.clone().unwrap().evidence;
    assert!(evidence.iter().any(|text| text == MORE_RECIPES), "{evidence:?}");
    let recipes = bounded.record.sources.clone().unwrap().recipe_index.unwrap().recipes;
    assert_eq!(recipes.len(), RECIPES_PER_APP);
    assert_eq!(recipes[0].identifier, "com.example.00000", "the first ones by identifier");
    assert_eq!(stitched(&more).0, bounded, "the same documents give the same record");
    more.recipes.pop();
    assert_eq!(stitched(&more).0, complete);
}

#[test]
fn an_entry_is_attached_to_only_so_many_apps() {
    let count = APPS_PER_ENTRY + 20;
    let documents = Documents {
        labels: labels(count, |_| json!({"name": "Sample", "packageID": "com.example.sample"})),
        casks: vec![cask(
            "sample",
            json!({"name": ["Sample"],
            "artifacts": [{"uninstall": [{"pkgutil": "com.example.sample"}]}]}),
        )],
        recipes: vec![recipe(1, "Sample")],
        titles: vec![title(1, "Sample", "com.example.sample")],
        ..Documents::default()
    };
    let Cost { left_out, .. } = cost(&documents);
    assert_eq!(left_out, LeftOut { casks: 20, titles: 20, recipes: 20, ..LeftOut::default() });
    assert_eq!(left_out.reasons().count(), 3);
}

/// A name of too many casks does not hide the cask whose token it is.
#[test]
fn the_token_leads_to_its_cask_whatever_others_are_called() {
    let entry = || json!({"name": ["Popular"], "artifacts": [{"app": ["Popular.app"]}]});
    let mut casks = casks(CANDIDATES * 3, |_| entry());
    casks.push(cask("popular", entry()));
    let documents = Documents {
        labels: vec![label("popular", json!({"name": "Popular"}))],
        casks,
        ..Documents::default()
    };
    let mut found = None;
    let Ok(_) = stitch(&documents, |stitched| {
        let sources = stitched.record.sources.unwrap();
        if sources.label_tool.is_some() {
            found = sources.cask_catalog.map(|cask| cask.token);
        }
        Ok::<(), Infallible>(())
    });
    assert_eq!(found.as_deref(), Some("popular"));
}
