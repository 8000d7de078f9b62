// Uses the tools with the official TypeScript SDK over each transport, and compares the results.
// Arguments: the folder of the packages, the program, the URL of a store, the base URL of a server.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [packages, program, store, server] = process.argv.slice(2);
const require = createRequire(join(packages, "package.json"));
const load = (path) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${path}`)));
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");

async function use(name, transport) {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  const seen = { tools: (await client.listTools()).tools };
  for (const [tool, given] of Object.entries({
    get_catalog_summary: {},
    find_app: { query: "chrome", limit: 5 },
    search_apps: { query: "o", limit: 5 },
    get_app: { slug: "zoom" },
    list_drift: { limit: 2 },
    list_categories: {},
    generate_label_tool_label: { slug: "zoom" },
    get_app_sources: { slug: "zoom" },
    list_recent_changes: { limit: 3 },
    check_inventory: { inventory: "name,version\nZoom,1.0\n", verdicts: ["all"] },
    get_app_details: { slug: "zoom" },
    get_app_history: { slug: "zoom" },
    get_app_provenance: { slug: "zoom" },
    compare_versions: { a: "1.0", b: "1.0.0" },
    get_source_status: {},
  })) {
    // The SDK validates the structured content against the tool's output schema.
    const result = await client.callTool({ name: tool, arguments: given });
    assert.equal(result.isError ?? false, false, `${name} ${tool}`);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    seen[tool] = result.structuredContent;
  }
  const unknown = await client.callTool({ name: "get_app", arguments: { slug: "nobody" } });
  assert.equal(unknown.isError, true);
  assert.equal(unknown.content[0].text, "App with slug 'nobody' not found");
  const reference = { type: "ref/resource", uri: "catalog://apps/{slug}" };
  const argument = { name: "slug", value: "zo" };
  const completed = await client.complete({ ref: reference, argument });
  assert.deepEqual(completed.completion.values, ["zoom"]);
  seen.prompts = (await client.listPrompts()).prompts;
  seen.resources = (await client.listResources()).resources;
  await client.close();
  console.log(`${name}: ${seen.tools.length} tools`);
  return seen;
}

const command = (...args) => new StdioClientTransport({ command: program, args });
const first = await use("stdio on a store", command("mcp", "--store", store));
const second = await use("stdio to a server", command("mcp", "--server", server));
const third = await use("http", new StreamableHTTPClientTransport(new URL(`${server}/mcp`)));
assert.deepEqual(second, first);
assert.deepEqual(third, first);
