//! A tool server that forwards everything to a running server.

use std::{error::Error, time::Duration};

use anyhow::anyhow;
use appstitch_types::without_credentials;
use reqwest::Url;
use rmcp::{
    ErrorData, Peer, RoleClient, RoleServer, ServerHandler, ServiceError, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig,
        CompleteRequestParams, CompleteResult, ContentBlock, GetPromptRequestParams,
        GetPromptResponse, Implementation, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
        ReadResourceResponse, ResultType, ServerConfig,
    },
    service::{RequestContext, RunningService},
    transport::{
        StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
    },
};

use crate::exit::{Failure, root_cause};

/// The client and the server may use different protocol versions. Newer versions mark a result as
/// complete; the SDK omits the mark for older clients.
const COMPLETE: Option<ResultType> = Some(ResultType::COMPLETE);

/// The timeouts for connecting and for a whole request.
const CONNECT_TIME: Duration = Duration::from_secs(10);
const ANSWER_TIME: Duration = Duration::from_mins(1);

const UNAVAILABLE_HINT: &str = "start one with `appstitch serve`, name another with --server or \
                                APPSTITCH_SERVER, or pass --store";

/// The connection to the server, and the server's description for the client.
pub(super) struct Relay {
    client: RunningService<RoleClient, ClientConfig>,
    info: ServerConfig,
    server: String,
}

impl Relay {
    pub(super) async fn connect(server: &str) -> Result<Self, Failure> {
        let server = server.trim_end_matches('/');
        if !Url::parse(server).is_ok_and(|url| matches!(url.scheme(), "http" | "https")) {
            return Err(Failure::invalid_server(server));
        }
        let http = appstitch_network::client_builder()
            .connect_timeout(CONNECT_TIME)
            .timeout(ANSWER_TIME)
            .build()
            .map_err(Failure::unreachable)?;
        let unavailable = |error: &dyn Error| {
            Failure::server_unavailable(server, root_cause(error)).hint(UNAVAILABLE_HINT)
        };
        // The errors of a plain request are clearer than those of the protocol.
        let health = http.get(format!("{server}/health")).send().await;
        let health = health.map_err(|error| unavailable(&error))?;
        if let Err(error) = health.error_for_status() {
            return Err(unavailable(&error.without_url()));
        }
        let config = StreamableHttpClientTransportConfig::with_uri(format!("{server}/mcp"));
        let transport = StreamableHttpClientTransport::with_client(http, config);
        let implementation = Implementation::new("appstitch", env!("CARGO_PKG_VERSION"));
        let config = ClientConfig::new(ClientCapabilities::default(), implementation);
        let client = config.serve(transport).await.map_err(|error| {
            let error = anyhow!(error)
                .context(format!("cannot use the tools of {}", without_credentials(server)));
            Failure::unreachable(error)
        })?;
        // From here on, the address is only printed.
        let server = without_credentials(server);
        let peer = client.peer_info().ok_or_else(|| {
            Failure::unreachable(anyhow!("{server} did not respond to the `initialize` request"))
        })?;
        let mut info = ServerConfig::new(peer.capabilities.clone());
        info.instructions.clone_from(&peer.instructions);
        if let Some(implementation) = &peer.server_info {
            info.server_info = implementation.clone();
        }
        Ok(Self { client, info, server: server.clone() })
    }

    fn peer(&self) -> &Peer<RoleClient> {
        &self.client
    }

    /// Forwards an error from the server; an unavailable server becomes an internal error.
    fn forward(&self, error: ServiceError) -> ErrorData {
        match error {
            ServiceError::McpError(error) => error,
            other => ErrorData::internal_error(self.no_answer(&other), None),
        }
    }

    /// A message for a person or a model; the details are in the log.
    fn no_answer(&self, error: &ServiceError) -> String {
        tracing::warn!(%error, server = self.server, "no usable response from the server");
        format!("no usable response from {}; it may be unavailable, try again", self.server)
    }
}

/// Forwards requests to the server's method of the same name.
macro_rules! forward {
    ($($method:ident($request:ty) -> $response:ty;)*) => {$(
        async fn $method(
            &self,
            request: $request,
            _: RequestContext<RoleServer>,
        ) -> Result<$response, ErrorData> {
            let mut result =
                self.peer().$method(request).await.map_err(|error| self.forward(error))?;
            result.result_type = COMPLETE;
            Ok(result.into())
        }
    )*};
}

impl ServerHandler for Relay {
    fn get_info(&self) -> ServerConfig {
        self.info.clone()
    }

    forward! {
        list_tools(Option<PaginatedRequestParams>) -> ListToolsResult;
        list_resources(Option<PaginatedRequestParams>) -> ListResourcesResult;
        list_resource_templates(Option<PaginatedRequestParams>) -> ListResourceTemplatesResult;
        read_resource(ReadResourceRequestParams) -> ReadResourceResponse;
        list_prompts(Option<PaginatedRequestParams>) -> ListPromptsResult;
        get_prompt(GetPromptRequestParams) -> GetPromptResponse;
        complete(CompleteRequestParams) -> CompleteResult;
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match self.peer().call_tool(request).await {
            Ok(mut result) => {
                result.result_type = COMPLETE;
                Ok(result.into())
            }
            Err(ServiceError::McpError(error)) => Err(error),
            // A tool error, so that the model sees it and can try again.
            Err(error) => {
                let text = ContentBlock::text(self.no_answer(&error));
                Ok(CallToolResult::error(vec![text]).into())
            }
        }
    }
}
