//! The OpenAPI document and the pages that show it.

use std::{collections::BTreeSet, process::Command};

use appstitch_setup::{PYTHON, installed};
use reqwest::Method;
use serde_json::Value;

use crate::support::{TestServer, run, run_ok, succeed};

#[tokio::test]
async fn the_document_is_the_reviewed_one() {
    let document = TestServer::with_sample().get("/openapi.json").await;
    assert_eq!(document.header("content-type"), "application/json");
    insta::assert_json_snapshot!("openapi", without_examples(document.json()));
}

/// Without the examples: `examples.json` has them, and tests beside it check that they are what is sent.
fn without_examples(value: Value) -> Value {
    match value {
        Value::Object(entries) => {
            let kept = entries.into_iter().filter(|(key, _)| key != "example");
            kept.map(|(key, value)| (key, without_examples(value))).collect()
        }
        Value::Array(values) => values.into_iter().map(without_examples).collect(),
        other => other,
    }
}

#[tokio::test]
async fn a_real_validator_finds_the_document_valid() {
    let python = installed(PYTHON);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openapi.json");
    std::fs::write(&file, TestServer::with_sample().get("/openapi.json").await.body).unwrap();
    let validator = ["-m", "openapi_spec_validator", "--schema", "3.1"];
    succeed(Command::new(python).args(validator).arg(&file));
}

#[tokio::test]
async fn generated_requests_get_answers_that_fit_the_document() {
    let python = installed(PYTHON);
    let server = TestServer::with_sample();
    let folder = tempfile::tempdir().unwrap();
    succeed(Command::new(python)
        .args(["-m", "schemathesis.cli", "run", "--max-examples", "40", "--seed", "1", "--generation-deterministic"])
        .args(["--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"])
        .arg(format!("{}/openapi.json", server.base))
        .current_dir(folder.path()));
    assert_eq!(server.get("/health").await.status, 200);
}

#[tokio::test]
async fn an_offset_has_no_bound_that_the_server_does_not_enforce() {
    let server = TestServer::with_sample();
    let document = server.get("/openapi.json").await.json();
    for path in ["/apps", "/apps/drift"] {
        let parameters = document["paths"][path]["get"]["parameters"].as_array().unwrap();
        let offset = parameters.iter().find(|parameter| parameter["name"] == "offset").unwrap();
        let schema = &offset["schema"];
        assert_eq!(schema["minimum"], 0, "{schema}");
        // A format such as int64 also implies a bound.
        assert!(schema.get("maximum").is_none() && schema.get("format").is_none(), "{schema}");
        let far = format!("{path}?offset=99999999999999999999999");
        assert_eq!(server.get(&far).await.status, 200);
    }
}

#[tokio::test]
async fn every_component_of_the_specification_is_there_by_name() {
    let document = TestServer::with_sample().get("/openapi.json").await.json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let expected: BTreeSet<&str> = [
        "Alias", "AliasKind", "AliasMatch", "AliasMatches", "App", "AppChange", "AppDetails",
        "AppExports", "AppHistory", "AppSources", "AppVersion", "CaskCatalogSource",
        "CatalogStats", "ChangeKind", "ChangesResponse", "CheckRule", "CheckedApp",
        "ComparedVersion", "Confidence", "Deprecation", "DeprecationStatus", "DriftEntry",
        "DriftResponse", "ExportReason", "ExportRefusal", "ExportState", "FieldChange",
        "FieldOrigins", "FieldReasons", "FoundBy", "GeneratedLabel", "HTTPValidationError",
        "InstallMethod", "InventoryReport", "InventoryTotals", "LabelFinding", "LabelToolSource",
        "LabelValues", "MatchTier", "MatchedBy", "MdmInstallerSource", "MirrorStatus",
        "NearestApp", "PatchComponent", "PatchCriterion", "PatchDefinition", "PatchKillApp",
        "PatchOmittedApp", "PatchReason", "PatchSummary", "PatchVersion", "Provenance",
        "RecipeEntry", "RecipeIndexSource", "RejectedEntry", "SameReleaseRule", "SearchField",
        "SearchHit", "SearchMatch", "SearchResponse", "SkippedRows", "SourceCoverage",
        "SourceMatch", "SourceMatches", "SourceRefreshStatus", "SourceStatus",
        "SourceStatusResponse", "SourceVersion", "StatedVersion", "StoreListingSource",
        "TitleCode", "ValidationError", "Variant", "Verdict", "VersionAgreement",
        "VersionComparison", "VersionOrder",
    ]
    .into();
    assert_eq!(schemas.keys().map(String::as_str).collect::<BTreeSet<_>>(), expected);
    assert_eq!(schemas["GeneratedLabel"]["additionalProperties"], false);
    for (schema, field) in [
        ("App", "download_url"),
        ("LabelToolSource", "label_url"),
        ("RecipeEntry", "recipe_url"),
        ("StoreListingSource", "store_url"),
    ] {
        let uri = &schemas[schema]["properties"][field];
        assert_eq!(
            (&uri["format"], &uri["minLength"], &uri["maxLength"]),
            (&"uri".into(), &1.into(), &2083.into()),
            "{schema}.{field}"
        );
    }
}

#[tokio::test]
async fn every_documented_route_is_there_and_uploads_are_not_documented() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key").display().to_string();
    run_ok(&["catalog", "new-key", &key]);
    let server = TestServer::with(&["--signing-key-file", &key]);
    let document = server.get("/openapi.json").await.json();
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 42);
    let newest = server.get("/feed.json").await.json()["items"][0]["date_published"].clone();
    let archive = format!("{}.atom", newest.as_str().unwrap().split('T').next().unwrap());
    let titles = server.get("/jamf/v1/of/label_tool/software").await.json();
    let title = titles[0]["id"].as_str().unwrap();
    let revision = server.get("/health").await.json()["revision"].clone();
    let revision = revision.as_str().unwrap();
    for (path, operations) in paths {
        for method in operations.as_object().unwrap().keys() {
            let method: Method = method.to_uppercase().parse().unwrap();
            let path = path
                .replace("/catalog/{file}", "/catalog/key.pub")
                .replace("{revision}/{file}", &format!("{revision}/catalog.ndjson.zst"))
                .replace("/export/{file}", "/export/osquery.tar.gz")
                .replace("{format}", "intune-preinstall")
                .replace("{slug}", "zoom")
                .replace("{name}", "zoom")
                .replace("{vendor}", "zoom")
                .replace("{file}", &archive)
                .replace("{selection}", "label_tool")
                .replace("{ids}", title)
                .replace("{id}", title);
            let required = match path.as_str() {
                "/search" => "?q=zoom",
                "/versions/compare" => "?a=1.0&b=1.1",
                _ => "",
            };
            let path = format!("{path}{required}");
            let request = server.request(method.clone(), &path);
            let request = if path == "/inventory/check" { request.body("[]") } else { request };
            let response = server.send(request).await;
            assert_eq!(response.status, 200, "{method} {path}");
        }
    }
    assert!(!document.to_string().contains("admin"));
}

/// The URLs that a page loads resources from.
fn parts(page: &str) -> Vec<String> {
    let attributes = page.split(['"', '\'']).collect::<Vec<_>>();
    attributes
        .windows(2)
        .filter(|pair| pair[0].ends_with("src=") || pair[0].ends_with("href="))
        .map(|pair| pair[1].to_owned())
        .collect()
}

#[tokio::test]
async fn the_pages_load_every_part_from_this_server() {
    let server = TestServer::with_sample();
    let docs = server.get("/docs").await;
    assert_eq!(docs.status, 200);
    assert!(docs.header("content-type").starts_with("text/html"));
    let parts = parts(docs.text());
    assert!(parts.len() >= 4, "{parts:?}");
    for part in parts {
        assert!(part.starts_with('/'), "{part} is on this server");
        let response = server.get(&part).await;
        assert_eq!(response.status, 200, "{part}");
        assert!(!response.body.is_empty(), "{part}");
    }
    let redoc = server.get("/redoc").await;
    assert_eq!(redoc.status, 200);
    assert!(redoc.text().contains("/openapi.json"));
    let before_script = redoc.text().split("<script>").next().unwrap();
    assert!(!before_script.contains("http"), "loads something from another host: {before_script}");
    assert!(!redoc.text().contains("<script src"), "the script is in the page");
    assert!(before_script.contains("name=\"viewport\""), "phones show it in their width");
    assert!(!redoc.text().contains("cdn.redoc.ly"), "the maker's logo");
    for page in [&docs, &redoc] {
        assert!(page.header("content-security-policy").starts_with("default-src 'self'"));
    }
    assert_eq!(server.get("/docs/nothing.js").await.status, 404);
}

#[tokio::test]
async fn every_operation_is_in_a_described_group() {
    let document = TestServer::with_sample().get("/openapi.json").await.json();
    let described = document["tags"].as_array().unwrap().iter();
    let described: BTreeSet<&str> = described.map(|tag| tag["name"].as_str().unwrap()).collect();
    let mut used = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for operation in operations.as_object().unwrap().values() {
            let tags = operation["tags"].as_array().unwrap();
            assert_eq!(tags.len(), 1, "{path}");
            used.insert(tags[0].as_str().unwrap());
        }
    }
    assert_eq!(used, described);
}

#[tokio::test]
async fn the_document_shown_is_the_one_printed() {
    let served: Value = TestServer::with_sample().get("/openapi.json").await.json();
    let (_, printed, _) = run(&["openapi"]);
    assert_eq!(serde_json::from_str::<Value>(&printed).unwrap(), served);
}
