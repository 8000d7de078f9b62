//! Uploads of entries that look alike: what one app carries is bounded, and so is the server.

use reqwest::multipart;
use serde_json::{Value, json};

use crate::{
    sources::label_archive,
    support::{TestServer, record},
};

const COUNT: usize = 1000;

/// A thousand labels of one name, and as many recipes.
fn form() -> multipart::Form {
    let names: Vec<String> = (0..COUNT).map(|number| format!("look{number:04}")).collect();
    let labels: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), "    name=\"Sample\"\n    type=\"dmg\"")).collect();
    let recipes: serde_json::Map<String, Value> = (0..COUNT)
        .map(|number| {
            let recipe = json!({"name": "Sample", "repo": "example/recipes",
                "path": format!("Sample/Sample{number:04}.download.recipe"),
                "parent": format!("com.example.parent.of.Sample{number:04}"),
                "app_display_name": "Sample"});
            (format!("com.example.recipes.download.Sample{number:04}"), recipe)
        })
        .collect();
    let index = json!({"identifiers": recipes}).to_string();
    multipart::Form::new()
        .part("label_tool", multipart::Part::bytes(label_archive(&labels)))
        .part("recipe_index", multipart::Part::text(index))
}

/// The most memory that a process had, in MB.
#[cfg(target_os = "linux")]
fn peak_megabytes(process_id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process_id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1000
}

#[tokio::test]
async fn look_alikes_are_published_within_bounds_and_the_summary_says_so() {
    let server = TestServer::empty();
    let request = server.admin(reqwest::Method::PUT, "/admin/sources");
    let response = server.send(request.multipart(form())).await;
    assert_eq!(response.status, 200, "{response:?}");
    let summary = response.json();
    assert_eq!(summary["apps"]["total"], COUNT, "{summary}");
    let problems = summary["problems"].as_array().unwrap();
    let problem = problems.iter().find(|problem| problem["what"] == "recipe_index");
    let why = problem.map(|problem| problem["why"].as_str().unwrap()).unwrap_or_default();
    assert!(why.contains("at most 500") && why.contains("at most 100 apps"), "{summary}");

    let first = server.get("/apps/look0000/sources").await.json();
    assert_eq!(first["recipe_index"]["recipes"].as_array().unwrap().len(), 500);
    let provenance = server.get("/apps/look0000/provenance").await.json();
    let evidence = provenance["sources"]["recipe_index"]["evidence"].to_string();
    assert!(evidence.contains("the limits leave them out"), "{evidence}");
    let last = server.get("/apps/look0999/sources").await.json();
    assert_eq!(last["recipe_index"], Value::Null, "each recipe is attached to a hundred apps");

    // The next change stitches everything again.
    let put = server.admin(reqwest::Method::PUT, "/admin/records/mine");
    let response = server.send(put.body(record("mine").to_string())).await;
    assert_eq!(response.json()["apps"]["added"], 1);
    #[cfg(target_os = "linux")]
    {
        let peak = peak_megabytes(server.process_id());
        assert!(peak < 300, "{peak} MB");
    }
}

#[tokio::test]
async fn a_name_and_a_product_list_only_so_many_apps() {
    let server = TestServer::empty();
    let signed = |team_id: &str| format!("    name=\"Sample\"\n    expectedTeamID=\"{team_id}\"");
    // Variants of one product, and products of one signer.
    let (variant, product) = (signed("ABCDE12345"), signed("ZYXWV98765"));
    let variants: Vec<String> = (0..150).map(|number| format!("sample{number:04}")).collect();
    let products: Vec<String> = (0..1050).map(|number| format!("look{number:04}")).collect();
    let variants = variants.iter().map(|name| (name.as_str(), variant.as_str()));
    let products = products.iter().map(|name| (name.as_str(), product.as_str()));
    let labels: Vec<(&str, &str)> =
        variants.chain(products).chain([("sample", variant.as_str())]).collect();
    let put = server.admin(reqwest::Method::PUT, "/admin/sources/label_tool");
    let response = server.send(put.body(label_archive(&labels))).await;
    assert_eq!(response.json()["apps"]["total"], 1201, "{response:?}");

    let details = server.get("/apps/sample0149/details").await.json();
    let variants = details["variants"].as_array().unwrap();
    assert_eq!(variants.len(), 101);
    assert_eq!((&variants[0]["slug"], &variants[0]["is_main"]), (&json!("sample"), &json!(true)));
    assert_eq!(variants[100]["slug"], "sample0149", "the app itself is always listed");

    let matches = server.get("/aliases/zyxwv98765").await.json();
    assert_eq!(matches["matches"].as_array().unwrap().len(), 1000);
}
