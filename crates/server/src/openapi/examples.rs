//! Examples for everything in the OpenAPI document, so that the try-out page shows real values.
//!
//! A schema and a response can have an example of their own where they are described. What has none
//! gets one from `examples.json`, which has one for each schema.

use serde_json::{Map, Value};

const EXAMPLES: &str = include_str!("examples.json");

/// Where references to schemas lead.
const SCHEMAS: &str = "#/components/schemas/";

/// The key of an example.
const EXAMPLE: &str = "example";

/// Adds an example to each schema and to each body of a response that has none.
pub(super) fn add(document: &mut Value) {
    let examples: Map<String, Value> = serde_json::from_str(EXAMPLES).unwrap_or_default();
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    for (name, schema) in schemas.into_iter().flatten() {
        if let (Some(schema), Some(example)) = (schema.as_object_mut(), examples.get(name)) {
            schema.entry(EXAMPLE).or_insert_with(|| example.clone());
        }
    }
    for content in bodies(document) {
        if let Some(example) = content.get("schema").and_then(|schema| of(schema, &examples)) {
            content.entry(EXAMPLE).or_insert(example);
        }
    }
}

/// The bodies of all responses.
fn bodies(document: &mut Value) -> impl Iterator<Item = &mut Map<String, Value>> {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    let operations = paths.into_iter().flatten().filter_map(|(_, path)| path.as_object_mut());
    let operations =
        operations.flatten().filter_map(|(_, operation)| operation.get_mut("responses"));
    let responses = operations.filter_map(Value::as_object_mut).flatten();
    let contents = responses.filter_map(|(_, response)| response.get_mut("content"));
    let bodies = contents.filter_map(Value::as_object_mut).flatten();
    bodies.filter_map(|(_, body)| body.as_object_mut())
}

/// The example of a schema: its own, that of the schema it refers to, or a list with one.
fn of(schema: &Value, examples: &Map<String, Value>) -> Option<Value> {
    if let Some(own) = schema.get(EXAMPLE) {
        return Some(own.clone());
    }
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        return examples.get(name.strip_prefix(SCHEMAS)?).cloned();
    }
    if let Some(items) = schema.get("items") {
        return Some(Value::Array(vec![of(items, examples)?]));
    }
    let choices = schema.get("oneOf").and_then(Value::as_array)?;
    choices.iter().find_map(|choice| of(choice, examples))
}

#[cfg(test)]
mod tests {
    use appstitch_catalog::{
        App, AppDetails, AppSources, DriftResponse, GeneratedLabel, Provenance,
        search::SearchResponse,
    };
    use serde::{Serialize, de::DeserializeOwned};

    use super::*;
    use crate::openapi::document;

    /// What has no example yet: schemas whose fields have examples, and one parameter.
    const NOT_YET: [&str; 11] = [
        "schema AppChange",
        "schema AppHistory",
        "schema AppVersion",
        "schema ChangeKind",
        "schema ChangesResponse",
        "schema CheckedApp",
        "schema ComparedVersion",
        "schema FieldChange",
        "schema InventoryReport",
        "schema VersionComparison",
        "get /changes parameter \"limit\"",
    ];

    /// How many bodies have no example yet: most are feeds.
    const BODIES_NOT_YET: usize = 11;

    #[test]
    fn every_parameter_schema_and_response_has_an_example() {
        let mut document = document();
        let mut missing = Vec::new();
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            if schema.get(EXAMPLE).is_none() {
                missing.push(format!("schema {name}"));
            }
        }
        for (path, operations) in document["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                for parameter in operation["parameters"].as_array().into_iter().flatten() {
                    if parameter.get(EXAMPLE).is_none() {
                        missing.push(format!("{method} {path} parameter {}", parameter["name"]));
                    }
                }
            }
        }
        let without: Vec<Value> = bodies(&mut document)
            .filter(|body| !body.contains_key(EXAMPLE))
            .map(|body| Value::Object(body.clone()))
            .collect();
        assert_eq!(missing, NOT_YET);
        assert_eq!(without.len(), BODIES_NOT_YET, "no example: {without:?}");
    }

    /// What an example looks like when it is read and written again.
    fn again<T: DeserializeOwned + Serialize>(name: &str) -> (Value, Value) {
        let examples: Value = serde_json::from_str(EXAMPLES).unwrap();
        let example = examples[name].clone();
        let read: T = serde_json::from_value(example.clone()).unwrap();
        (serde_json::to_value(read).unwrap(), example)
    }

    #[test]
    fn examples_are_what_the_service_would_send() {
        for (read, example) in [
            again::<App>("App"),
            again::<AppDetails>("AppDetails"),
            again::<DriftResponse>("DriftResponse"),
            again::<Provenance>("Provenance"),
            again::<SearchResponse>("SearchResponse"),
        ] {
            assert_eq!(read, example);
        }
        // Raw payloads cannot be read from a value.
        let examples: Value = serde_json::from_str(EXAMPLES).unwrap();
        let read = |name: &str| examples[name].to_string();
        serde_json::from_str::<AppSources>(&read("AppSources")).unwrap();
        serde_json::from_str::<GeneratedLabel>(&read("GeneratedLabel")).unwrap();
    }
}
