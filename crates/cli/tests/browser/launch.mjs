// Starts the browser, prints where to connect to, and ends with its standard input.
// Arguments: the folder of the npm packages, the program of the browser.

import { createRequire } from "node:module";
import { resolve } from "node:path";

const [packages, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(resolve(packages, "package.json"))("playwright-core");
// Chromium refuses to run as root inside its sandbox.
const chromiumSandbox = process.getuid?.() !== 0;
// A busy machine may need long for it.
const timeout = 180_000;
const server = await chromium.launchServer({ executablePath, chromiumSandbox, host: "127.0.0.1", timeout });
console.log(server.wsEndpoint());
process.stdin.resume();
process.stdin.on("end", async () => {
  await server.close();
  process.exit();
});
