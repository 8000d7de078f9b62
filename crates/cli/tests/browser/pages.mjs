// The pages of the sample catalog: one of each kind, and those with something missing.

export const PAGES = [
  "/",
  "/?q=fire",
  "/?q=no+such+app",
  "/a/firefoxpkg",
  // Sources that disagree.
  "/a/zoom",
  // Without a version, and without a vendor.
  "/a/bravepkg",
  "/a/quicksilver",
  "/drift",
  "/vendors",
  "/vendors/Mozilla",
  "/changes",
  "/compare",
  "/compare?slugs=firefoxpkg,zoom,bravepkg",
  "/compare?sources=label_tool,cask_catalog",
  "/about",
  "/check",
];

/** The name of a page's picture. */
export function fileName(path) {
  const name = path.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "");
  return name || "home";
}
