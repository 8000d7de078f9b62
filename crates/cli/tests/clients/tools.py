"""Uses the tools with the official Python SDK over each transport, and compares the results.

Arguments: the program, the URL of a store, the base URL of a server.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

program, store, server = sys.argv[1:]


async def use(name: str, transport) -> dict:
    """Returns the results of everything a client can do, as plain data."""
    seen: dict = {}
    async with Client(transport) as client:
        tools = await client.list_tools()
        seen["tools"] = [tool.model_dump(mode="json", by_alias=True) for tool in tools.tools]
        calls = {
            "get_catalog_summary": {},
            "find_app": {"query": "chrome", "limit": 5},
            "search_apps": {"query": "o", "limit": 5},
            "get_app": {"slug": "zoom"},
            "list_drift": {"limit": 2},
            "list_categories": {},
            "generate_label_tool_label": {"slug": "zoom"},
            "get_app_sources": {"slug": "zoom"},
            "list_recent_changes": {"limit": 3},
            "list_changes": {"limit": 3},
            "check_inventory": {"inventory": "name,version\nZoom,1.0\n", "verdicts": ["all"]},
            "get_app_details": {"slug": "zoom"},
            "get_app_history": {"slug": "zoom"},
            "get_app_provenance": {"slug": "zoom"},
            "compare_versions": {"a": "1.0", "b": "1.0.0"},
            "get_source_status": {},
        }
        for tool, arguments in calls.items():
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, (name, tool, result)
            assert json.loads(result.content[0].text) == result.structured_content, (name, tool)
            seen[tool] = result.structured_content
        unknown = await client.call_tool("get_app", {"slug": "nobody"})
        assert unknown.is_error, unknown
        assert unknown.content[0].text == "App with slug 'nobody' not found", unknown
        again = await client.call_tool("get_app", {"slug": "zoom"})
        assert not again.is_error, "the connection stays usable"
        seen["resources"] = [str(r.uri) for r in (await client.list_resources()).resources]
        read = await client.read_resource("catalog://apps/zoom")
        seen["app"] = json.loads(read.contents[0].text)
        assert seen["app"] == seen["get_app"]
        seen["prompts"] = [prompt.name for prompt in (await client.list_prompts()).prompts]
        prompt = await client.get_prompt("find_label_for_app", {"app_name": "Zoom"})
        assert "Zoom" in prompt.messages[0].content.text
    print(f"{name}: {len(seen['tools'])} tools, {len(calls)} calls")
    return seen


async def main() -> None:
    on_store = StdioServerParameters(command=program, args=["mcp", "--store", store])
    relayed = StdioServerParameters(command=program, args=["mcp", "--server", server])
    first = await use("stdio on a store", stdio_client(on_store))
    second = await use("stdio to a server", stdio_client(relayed))
    third = await use("http", streamable_http_client(f"{server}/mcp"))
    assert first == second == third, "the results differ between transports"


asyncio.run(main())
