// An accessibility engine looks at every page, in light and dark, on a desktop and on a phone.

import assert from "node:assert/strict";
import { DESKTOP, PHONE, axe, finish, inWindow } from "./browser.mjs";
import { PAGES } from "./pages.mjs";

const engine = axe();
const findings = [];
const looked = { screens: 0 };

async function look(options) {
  await inWindow(options, async (page) => {
    for (const path of PAGES) {
      await page.goto(path);
      await page.evaluate(engine);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        // In the dark, only the colors are others.
        const rules = colorScheme === "dark" ? { runOnly: ["color-contrast"] } : {};
        const options = { resultTypes: ["violations"], ...rules };
        const results = await page.evaluate((given) => window.axe.run(document, given), options);
        looked.screens += 1;
        for (const { id, help, nodes } of results.violations) {
          const where = nodes.slice(0, 3).map((node) => `${node.html}: ${node.failureSummary}`);
          const screen = `${page.viewportSize().width} ${colorScheme}`;
          findings.push(`${path} (${screen}): ${id}, ${help}, ${nodes.length} times\n    ${where.join("\n    ")}`);
        }
      }
    }
  });
}

await Promise.all([look(DESKTOP), look(PHONE)]);
assert.equal(findings.length, 0, findings.join("\n"));
assert.equal(looked.screens, PAGES.length * 4);
await finish();
