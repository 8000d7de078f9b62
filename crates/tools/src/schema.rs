//! The output schemas of the tools, generated from the same types as the OpenAPI document.

use std::collections::BTreeSet;

use appstitch_snapshot::{CatalogSummary, Categories};
use appstitch_types::{
    App, AppSources, ChangesResponse, DriftResponse, GeneratedLabel, inventory::InventoryReport,
    search::SearchResponse,
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
    App,
    AppSources,
    CatalogSummary,
    Categories,
    ChangesResponse,
    DriftResponse,
    GeneratedLabel,
    InventoryReport,
    SearchResponse,
)))]
struct ToolResults;

const PREFIX: &str = "#/components/schemas/";

impl Output {
    /// A self-contained schema: everything it refers to is in its `$defs`.
    pub(crate) fn schema(self) -> JsonObject {
        let all = all_schemas();
        let (name, mut root) = match self {
            Self::Object(name) => (name, all.get(name).cloned().unwrap_or_default()),
            Self::List(name) => {
                let items = json!({"$ref": format!("{PREFIX}{name}")});
                let properties = json!({"result": {"type": "array", "items": items}});
                (name, json!({"type": "object", "properties": properties, "required": ["result"]}))
            }
        };
        let mut needed = BTreeSet::new();
        collect_references(&root, &mut needed, &all);
        if matches!(self, Self::Object(_)) {
            needed.remove(name);
        }
        let definitions: JsonObject = needed
            .into_iter()
            .filter_map(|name| Some((name.clone(), all.get(&name)?.clone())))
            .collect();
        if !definitions.is_empty() {
            root["$defs"] = Value::Object(definitions);
        }
        lead_inside(&mut root);
        match root {
            Value::Object(schema) => schema,
            _ => JsonObject::new(),
        }
    }
}

fn all_schemas() -> JsonObject {
    let document = serde_json::to_value(ToolResults::openapi()).unwrap_or_default();
    document["components"]["schemas"].as_object().cloned().unwrap_or_default()
}

/// Collects the names of all schemas that a schema refers to, directly or indirectly.
fn collect_references(schema: &Value, names: &mut BTreeSet<String>, all: &JsonObject) {
    match schema {
        Value::Object(object) => {
            let reference = object.get("$ref").and_then(Value::as_str);
            if let Some(name) = reference.and_then(|path| path.strip_prefix(PREFIX))
                && names.insert(name.to_owned())
                && let Some(schema) = all.get(name)
            {
                collect_references(schema, names, all);
            }
            object.values().for_each(|value| collect_references(value, names, all));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, names, all)),
        _ => {}
    }
}

/// Rewrites references to point to the schema's own `$defs`.
fn lead_inside(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if let Some(Value::String(path)) = object.get_mut("$ref") {
                *path = path.replace(PREFIX, "#/$defs/");
            }
            object.values_mut().for_each(lead_inside);
        }
        Value::Array(items) => items.iter_mut().for_each(lead_inside),
        _ => {}
    }
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
            Output::List("App"),
        ] {
            let schema = Value::Object(output.schema());
            assert_eq!(schema["type"], "object", "{output:?}");
            let text = schema.to_string();
            assert!(!text.contains(PREFIX), "{output:?} has an external reference: {text}");
            for reference in text.split("#/$defs/").skip(1) {
                let name = reference.split('"').next().unwrap();
                assert!(
                    schema["$defs"][name].is_object(),
                    "{output:?} has no definition of {name}"
                );
            }
        }
    }
}
