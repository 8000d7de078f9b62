//! Examples for everything in the OpenAPI document, so that the try-out page shows real values.
//!
//! A schema and a response can have an example where they are described. What has none
//! gets one from `examples.json`, which has one for each schema, or from [`bodies`] if it is not JSON.

use serde_json::{Map, Value};

use super::bodies;

const EXAMPLES: &str = include_str!("examples.json");

/// Where references to schemas lead.
const SCHEMAS: &str = "#/components/schemas/";

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
    for Described { operation, media_type, body } in response_bodies(document) {
        let example = bodies::of(&operation, media_type, &examples)
            .or_else(|| body.get("schema").and_then(|schema| of(schema, &examples)));
        if let Some(example) = example {
            body.entry(EXAMPLE).or_insert(example);
        }
    }
}

/// The body of a response, as the document describes it.
struct Described<'a> {
    operation: String,
    media_type: &'a str,
    body: &'a mut Map<String, Value>,
}

fn response_bodies(document: &mut Value) -> impl Iterator<Item = Described<'_>> {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    let operations = paths.into_iter().flatten().filter_map(|(_, path)| path.as_object_mut());
    operations.flatten().flat_map(|(_, operation)| {
        let name = operation.get("operationId").and_then(Value::as_str).unwrap_or_default();
        let name = name.to_owned();
        let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
        let contents = responses.into_iter().flatten();
        let contents = contents.filter_map(|(_, response)| response.get_mut("content"));
        let bodies = contents.filter_map(Value::as_object_mut).flatten();
        bodies.filter_map(move |(media_type, body)| {
            let body = body.as_object_mut()?;
            Some(Described { operation: name.clone(), media_type, body })
        })
    })
}

/// The example of a schema: its own, that of the schema it refers to, or a list with one.
fn of(schema: &Value, examples: &Map<String, Value>) -> Option<Value> {
    if let Some(example) = schema.get(EXAMPLE) {
        return Some(example.clone());
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
    use appstitch_types::{
        App, AppDetails, AppHistory, AppSources, ChangesResponse, DriftResponse, GeneratedLabel,
        Provenance, inventory::InventoryReport, search::SearchResponse,
    };
    use appstitch_versions::compare_versions;
    use serde::{Serialize, de::DeserializeOwned};

    use super::*;
    use crate::openapi::document;

    #[test]
    fn every_parameter_schema_request_and_response_has_an_example() {
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
                let sent = operation.pointer("/requestBody/content").and_then(Value::as_object);
                for (media_type, body) in sent.into_iter().flatten() {
                    if body.get(EXAMPLE).is_none() {
                        missing.push(format!("{method} {path} request {media_type}"));
                    }
                }
            }
        }
        let bodies =
            response_bodies(&mut document).filter(|found| !found.body.contains_key(EXAMPLE));
        missing.extend(bodies.map(|found| format!("{} {}", found.operation, found.media_type)));
        assert_eq!(missing, [""; 0], "no example");
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
            again::<AppHistory>("AppHistory"),
            again::<ChangesResponse>("ChangesResponse"),
            again::<DriftResponse>("DriftResponse"),
            again::<InventoryReport>("InventoryReport"),
            again::<Provenance>("Provenance"),
            again::<SearchResponse>("SearchResponse"),
        ] {
            assert_eq!(read, example);
        }
        let examples: Value = serde_json::from_str(EXAMPLES).unwrap();
        let compared = &examples["VersionComparison"];
        let [a, b] = ["a", "b"].map(|side| compared[side]["version"].as_str().unwrap());
        assert_eq!(serde_json::to_value(compare_versions(a, b)).unwrap(), *compared);
        let report: InventoryReport =
            serde_json::from_value(examples["InventoryReport"].clone()).unwrap();
        let counted = InventoryReport::new(None, report.apps).totals;
        assert_eq!(counted, report.totals);
        // Raw payloads cannot be read from a value.
        let read = |name: &str| examples[name].to_string();
        serde_json::from_str::<AppSources>(&read("AppSources")).unwrap();
        serde_json::from_str::<GeneratedLabel>(&read("GeneratedLabel")).unwrap();
    }
}
