//! Implements the protocol with the official SDK, on the current snapshot.

use std::sync::Arc;

use appstitch_publish::Publisher;
use appstitch_snapshot::Snapshot;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
        CompleteResult, CompletionInfo, ContentBlock, CustomRequest, CustomResult, ErrorCode,
        GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
        PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
        ReadResourceResult, Reference, ServerCapabilities, ServerConfig,
    },
    service::RequestContext,
};
use serde_json::Value;

use crate::{
    arguments::ToolArguments,
    call,
    definition::{CatalogTool, ToolOutput, descriptions},
    prompts, resources,
};

const INSTRUCTIONS: &str = "\
A read-only catalog of macOS applications. Each app has one record, combined from five sources: \
label_tool (Installomator labels), cask_catalog (Homebrew casks), recipe_index (AutoPkg recipes), \
mdm_installer (Jamf App Installers) and store_listing (Mac App Store). Start with find_app to find \
an app; the other tools identify apps by slug, or by another name that only one app has, such as \
its Installomator label or Homebrew token. A null field means that no source provides the value: \
do not guess it.";

#[derive(Clone)]
pub struct ToolServer {
    publisher: Arc<Publisher>,
    result_bytes: usize,
}

/// The default limit for the JSON of a tool result, in bytes. Models cannot use longer results.
pub const RESULT_BYTES: usize = 512 << 10;

impl ToolServer {
    /// A tool server that reads the publisher's current snapshot on each call and returns at most
    /// `result_bytes` bytes of JSON.
    pub fn new(publisher: Arc<Publisher>, result_bytes: usize) -> Self {
        Self { publisher, result_bytes }
    }

    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.publisher.current()
    }

    /// Runs a tool; the error is a message for the caller.
    pub fn run(
        &self,
        tool: CatalogTool,
        arguments: Option<&rmcp::model::JsonObject>,
    ) -> Result<ToolOutput, String> {
        ToolArguments::read(tool, arguments)
            .and_then(|arguments| call::call(&self.publisher, tool, arguments, self.result_bytes))
            .map_err(|why| shortened(&why))
    }

    /// Runs a tool, on a blocking thread if it takes long.
    async fn run_unblocking(
        &self,
        tool: CatalogTool,
        arguments: Option<rmcp::model::JsonObject>,
    ) -> Result<ToolOutput, String> {
        if !tool.takes_long() {
            return self.run(tool, arguments.as_ref());
        }
        let server = self.clone();
        let work = move || server.run(tool, arguments.as_ref());
        // Somebody waits for the answer, so this is not background work, which only uses idle CPU
        // time.
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err("the check failed; try again".to_owned()))
    }
}

/// The maximum length of an error message in characters; messages can quote the request.
const LONGEST_SENTENCE: usize = 2000;

fn shortened(sentence: &str) -> String {
    match sentence.char_indices().nth(LONGEST_SENTENCE) {
        Some((end, _)) => format!("{}…", &sentence[..end]),
        None => sentence.to_owned(),
    }
}

/// The supported methods. If the SDK does not recognize a request for one of them, the request
/// has invalid parameters.
const METHODS: [&str; 11] = [
    "completion/complete",
    "initialize",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "tools/call",
    "tools/list",
];

/// The structured content, the same JSON as text, and the notes.
fn success(output: ToolOutput) -> CallToolResult {
    let text = String::from_utf8_lossy(&output.json).into_owned();
    let structured: Value = serde_json::from_slice(&output.json).unwrap_or_default();
    let mut result = CallToolResult::structured(structured);
    result.content = std::iter::once(text).chain(output.notes).map(ContentBlock::text).collect();
    result
}

impl ServerHandler for ToolServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_completions()
            .build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info =
            Implementation::new("appstitch", env!("CARGO_PKG_VERSION")).with_title("appstitch");
        info.instructions = Some(INSTRUCTIONS.to_owned());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(descriptions().to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = CatalogTool::of_name(&request.name).ok_or_else(|| {
            let name = shortened(&request.name);
            ErrorData::invalid_params(format!("unknown tool: {name}"), None)
        })?;
        let result = match self.run_unblocking(tool, request.arguments).await {
            Ok(output) => success(output),
            Err(why) => CallToolResult::error(vec![ContentBlock::text(why)]),
        };
        Ok(result.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = shortened(&request.method);
        Err(if METHODS.contains(&method.as_str()) {
            let why = format!("invalid params for {method}");
            ErrorData::invalid_params(why, None)
        } else {
            let why = format!("unknown method '{method}'");
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, None)
        })
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::all()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = resources::read(&self.snapshot(), &request.uri)
            .map_err(|why| ErrorData::resource_not_found(shortened(&why), None))?;
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::all()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let messages = prompts::get(&request.name, request.arguments.as_ref())
            .map_err(|why| ErrorData::invalid_params(why, None))?;
        Ok(GetPromptResult::new(messages).into())
    }

    /// Completes slugs in the URI of an app and in prompts that take one.
    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let argument = &request.argument;
        let takes_slug = match &request.r#ref {
            Reference::Resource(template) => {
                template.uri == resources::APP_TEMPLATE && argument.name == "slug"
            }
            Reference::Prompt(prompt) => prompts::takes_slug(&prompt.name, &argument.name),
            _ => false,
        };
        if !takes_slug {
            return Ok(CompleteResult::default());
        }
        let snapshot = self.snapshot();
        let (values, count) =
            snapshot.slugs_starting_with(&argument.value, CompletionInfo::MAX_VALUES);
        let has_more = count > values.len();
        let mut completion =
            CompletionInfo::new(values).map_err(|why| ErrorData::internal_error(why, None))?;
        completion.total = u32::try_from(count).ok();
        completion.has_more = Some(has_more);
        Ok(CompleteResult::new(completion))
    }
}
