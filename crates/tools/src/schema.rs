//! The output schemas of the tools, generated from the same types as the OpenAPI document.
//!
//! An assistant reads them all before its first call, so they are short: the keys and their types, and
//! of what is in a list. The OpenAPI document has the rest.

use appstitch_snapshot::{CatalogSummary, Categories};
use appstitch_types::{
    App, AppDetails, AppHistory, AppSources, ChangesResponse, DriftResponse, ExportedFile,
    GeneratedLabel, Provenance, SourceStatusResponse, VersionComparison,
    inventory::InventoryReport, search::SearchResponse,
};
use rmcp::model::JsonObject;
use serde_json::{Value, json};
use utoipa::OpenApi;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Output {
    Object(&'static str),
    /// A list of objects with this schema, under `result`.
    List(&'static str),
}

/// Every type that tools return. The types they contain are collected with them.
#[derive(OpenApi)]
#[openapi(components(schemas(
    App, AppDetails, AppHistory, AppSources, CatalogSummary, Categories, ChangesResponse,
    DriftResponse, ExportedFile, GeneratedLabel, InventoryReport, Provenance, SearchResponse,
    SourceStatusResponse, VersionComparison,
)))]
struct ToolResults;

const PREFIX: &str = "#/components/schemas/";

impl Output {
    /// A self-contained schema.
    pub(crate) fn schema(self) -> JsonObject {
        let all = all_schemas();
        let of = |name: &str| all.get(name).map(|schema| short(schema, &all)).unwrap_or_default();
        let schema = match self {
            Self::Object(name) => of(name),
            Self::List(name) => json!({
                "type": "object",
                "properties": {"result": {"type": "array", "items": of(name)}},
                "required": ["result"],
            }),
        };
        match schema {
            Value::Object(schema) => schema,
            _ => JsonObject::new(),
        }
    }
}

fn all_schemas() -> JsonObject {
    let document = serde_json::to_value(ToolResults::openapi()).unwrap_or_default();
    document["components"]["schemas"].as_object().cloned().unwrap_or_default()
}

/// The keywords that say which values are valid. The others limit or describe them.
const KEYWORDS: [&str; 7] =
    ["type", "properties", "required", "items", "oneOf", "anyOf", "additionalProperties"];

/// A schema without descriptions and limits. Of the schemas that it refers to, only the type is kept.
fn short(schema: &Value, all: &JsonObject) -> Value {
    let Value::Object(object) = schema else { return schema.clone() };
    if let Some(name) = object.get("$ref").and_then(Value::as_str) {
        let referred = name.strip_prefix(PREFIX).and_then(|name| all.get(name));
        return match referred.and_then(|schema| schema.get("type")) {
            Some(kind) => json!({ "type": kind }),
            None => json!({}),
        };
    }
    let either = object.get("oneOf").or_else(|| object.get("anyOf"));
    if let Some(choices) = either.and_then(Value::as_array) {
        return either_type(choices.iter().map(|choice| short(choice, all)));
    }
    let kept = object.iter().filter(|(keyword, _)| KEYWORDS.contains(&keyword.as_str()));
    let kept = kept.map(|(keyword, value)| {
        let value = match (keyword.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                let short = |(name, schema): (&String, _)| (name.clone(), short(schema, all));
                Value::Object(properties.iter().map(short).collect())
            }
            ("items" | "additionalProperties", value) => short(value, all),
            (_, value) => value.clone(),
        };
        (keyword.clone(), value)
    });
    Value::Object(kept.collect())
}

/// The types of all choices. A choice without a type allows everything.
fn either_type(choices: impl Iterator<Item = Value>) -> Value {
    let mut types = Vec::new();
    for choice in choices {
        match choice.get("type") {
            Some(Value::Array(several)) => types.extend(several.clone()),
            Some(one) => types.push(one.clone()),
            None => return json!({}),
        }
    }
    json!({ "type": types })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_stands_alone() {
        for output in [
            Output::Object("App"),
            Output::Object("AppSources"),
            Output::Object("DriftResponse"),
            Output::Object("Categories"),
            Output::Object("CatalogSummary"),
            Output::Object("SearchResponse"),
            Output::Object("InventoryReport"),
            Output::Object("AppDetails"),
            Output::Object("AppHistory"),
            Output::Object("Provenance"),
            Output::Object("SourceStatusResponse"),
            Output::Object("VersionComparison"),
            Output::List("App"),
        ] {
            let schema = Value::Object(output.schema());
            assert_eq!(schema["type"], "object", "{output:?}");
            assert!(!schema.to_string().contains("$ref"), "{output:?}: {schema}");
            assert!(!schema["properties"].as_object().unwrap().is_empty(), "{output:?}");
        }
        let list = Value::Object(Output::List("App").schema());
        let app = &list["properties"]["result"]["items"]["properties"];
        assert_eq!(app["slug"], json!({"type": "string"}));
        assert_eq!(app["vendor"], json!({"type": ["string", "null"]}));
        assert_eq!(app["install_method"], json!({"type": ["string", "null"]}));
        let payloads = Value::Object(Output::Object("AppSources").schema());
        let label = &payloads["properties"]["label_tool"];
        assert_eq!(*label, json!({"type": ["object", "null"]}));
    }
}
