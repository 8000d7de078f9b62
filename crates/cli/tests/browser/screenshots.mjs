// Takes pictures of every page, in light and dark, on a phone and on a desktop.
// Arguments: the folder of the npm packages, the program of the browser, the address of a server, the
// folder of the pictures, paths of pages (default: those that a sample or a real catalog has).

import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { PAGES, fileName } from "./pages.mjs";

const [packages, executablePath, server, folder, ...paths] = process.argv.slice(2);
const { chromium } = createRequire(resolve(packages, "package.json"))("playwright-core");
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
mkdirSync(folder, { recursive: true });

const SCREENS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

for (const [screen, options] of Object.entries(SCREENS)) {
  const context = await browser.newContext({ baseURL: server, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  for (const path of paths.length > 0 ? paths : PAGES) {
    const response = await page.goto(path);
    if (response.status() === 404) {
      console.error(`not in this catalog: ${path}`);
      continue;
    }
    // Pictures further down are loaded when they come near.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => scrollTo(0, 0));
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      const file = `${fileName(path)}-${screen}-${colorScheme}.png`;
      await page.screenshot({ path: join(folder, file), fullPage: true });
      console.log(file);
    }
  }
  await context.close();
}
await browser.close();
