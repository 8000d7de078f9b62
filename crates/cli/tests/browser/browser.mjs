// The browser and the server of a topic, and pages that are watched: whatever the browser complains
// about fails the topic.
// Arguments: the folder of the npm packages, the address of the browser, the address of the server. By
// hand, the program of a browser can be given instead of its address.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [packages, endpoint, server] = process.argv.slice(2);
const require = createRequire(resolve(packages, "package.json"));
const { chromium } = require("playwright-core");
const { parse } = require("parse5");

/** The address of the server, without a slash at its end. */
export const base = server;

/** The accessibility engine, as the text of a script. */
export const axe = () => readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const DESKTOP = { viewport: { width: 1280, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const browser = endpoint.startsWith("ws:")
  ? await chromium.connect(endpoint)
  : await chromium.launch({ executablePath: endpoint, chromiumSandbox: process.getuid?.() !== 0 });

/**
 * Opens a window without history or permissions of its own. `problems` collects what the browser
 * complains about; `expected` are patterns of complaints that are part of the topic.
 */
export async function openWindow({ expected = [], ...options } = {}) {
  // Colors in transition have no contrast of their own.
  const calm = { reducedMotion: "reduce" };
  const context = await browser.newContext({ baseURL: base, ...DESKTOP, ...calm, ...options });
  // Only prevents a topic from hanging.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const problems = [];
  const note = (text) => {
    if (!expected.some((pattern) => pattern.test(text))) problems.push(`${page.url()}: ${text}`);
  };
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) note(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => note(`error: ${error}`));
  page.on("dialog", (dialog) => {
    note(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    const isInside = url.origin === base || ["data:", "blob:", "about:"].includes(url.protocol);
    if (!isInside) note(`request to another host: ${url}`);
  });
  page.on("requestfailed", (request) => {
    // A search that is no longer wanted is canceled, and so is a navigation that is a download.
    const why = request.failure()?.errorText ?? "";
    if (why !== "net::ERR_ABORTED") note(`failed: ${request.url()} ${why}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) note(`status ${response.status()}: ${response.url()}`);
  });
  return { context, page, problems };
}

/** Fails if the browser complained, and closes the window. */
export async function closeWindow({ context, problems }) {
  await context.close();
  assert.deepEqual(problems, []);
}

/** Opens a window for the duration of a step. */
export async function inWindow(options, step) {
  const window = await openWindow(options);
  await step(window.page, window);
  await closeWindow(window);
}

/** Fails if a page is not the markup that it should be, which browsers hide as well as they can. */
export async function checkMarkup(response, path) {
  const html = await response.text();
  const errors = [];
  const note = ({ code, startLine }) => errors.push(`${code}: ${html.split("\n")[startLine - 1]}`);
  parse(html, { sourceCodeLocationInfo: true, onParseError: note });
  assert.deepEqual(errors, [], path);
}

/** The text of the file that a step downloads, and its name. */
export async function downloaded(page, step) {
  const [download] = await Promise.all([page.waitForEvent("download"), step()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString("utf8") };
}

/** Ends the topic. The browser itself goes on. */
export async function finish() {
  await browser.close();
}
