// Makes pages more comfortable. Every page works without it.
"use strict";

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Ages: "2 h ago" after every time. Pages hold absolute times, so that they can be kept.

function age(milliseconds) {
  const minutes = Math.round(milliseconds / 60000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return `${hours} h ago`;
  const days = Math.round(hours / 24);
  if (days < 60) return `${days} days ago`;
  const months = Math.round(days / 30.44);
  return months < 24 ? `${months} months ago` : `${Math.round(months / 12)} years ago`;
}

function showAges() {
  const now = Date.now();
  for (const time of all("time[datetime*='T']")) {
    const passed = now - Date.parse(time.dateTime);
    if (!(passed >= -60000)) continue;
    let shown = time.nextElementSibling;
    if (!shown || !shown.classList.contains("age")) {
      shown = element("span", { class: "age" });
      time.after(" ", shown);
    }
    shown.textContent = `(${age(passed)})`;
  }
}

// Search as you type: a combobox with a list of apps.

const FIELDS = {
  name: "name", slug: "slug", token: "cask", label_name: "label", former_token: "former cask",
  other_name: "other name", bundle_id: "bundle ID", team_id: "Team ID", vendor: "vendor",
};

function setUpSearch(form) {
  const input = form.querySelector("input[name=q]");
  const list = element("ul", { class: "suggestions", id: `${input.id}-list`, role: "listbox", "aria-label": "Apps", hidden: "" });
  const status = element("div", { class: "hidden", role: "status" });
  form.append(list, status);
  for (const [key, value] of Object.entries({
    role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false",
  })) input.setAttribute(key, value);
  let timer, request, active = -1;

  const options = () => all("[role=option]", list);
  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const open = () => {
    if (!list.childElementCount) return;
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  };
  const mark = (number) => {
    const found = options();
    active = found.length ? (number + found.length + 1) % (found.length + 1) : -1;
    // One step beyond the list is the input itself.
    if (active === found.length) active = -1;
    found.forEach((option, position) => option.setAttribute("aria-selected", position === active));
    if (active < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", found[active].id);
    found[active].scrollIntoView({ block: "nearest" });
  };
  const option = (hit, number) => {
    const { app } = hit;
    const made = element("li", { role: "option", id: `${list.id}-${number}`, "aria-selected": "false" },
      element("span", {}, app.name), element("span", { class: "version" }, app.current_version ?? ""));
    // Several apps can have the same name, but not the same slug.
    const found = hit.matches.find((match) => match.field !== "name" && match.value !== hit.slug);
    const facts = [app.vendor, hit.slug, found && `${FIELDS[found.field] ?? found.field} ${found.value}`];
    if (hit.deprecated) facts.push("deprecated");
    const text = facts.filter(Boolean).join(" · ");
    if (text) made.append(element("small", {}, text));
    made.dataset.path = `/a/${encodeURIComponent(hit.slug)}`;
    return made;
  };
  const show = (result) => {
    list.replaceChildren(...result.items.map(option));
    const count = result.total === 1 ? "1 app" : `${result.total} apps`;
    status.textContent = count;
    if (!result.items.length) list.append(element("li", { class: "status", role: "presentation" }, "Nothing found"));
    active = -1;
    input.removeAttribute("aria-activedescendant");
    open();
  };
  const remember = (query) => {
    if (location.pathname !== "/") return;
    const address = new URL(location.href);
    query ? address.searchParams.set("q", query) : address.searchParams.delete("q");
    address.searchParams.delete("page");
    history.replaceState(history.state, "", address);
  };
  const search = async () => {
    request?.abort();
    const query = input.value.trim();
    remember(query);
    if (!query) {
      list.replaceChildren();
      status.textContent = "";
      return close();
    }
    request = new AbortController();
    try {
      const answer = await fetch(`/search?limit=8&q=${encodeURIComponent(query)}`, { signal: request.signal });
      if (answer.ok) show(await answer.json());
    } catch (error) {
      // A newer request took its place, or the server is away: the form still works.
      if (error.name !== "AbortError") close();
    }
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 100);
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const isOpen = !list.hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!list.childElementCount) return;
      event.preventDefault();
      open();
      mark(active + (event.key === "ArrowDown" ? 1 : active < 0 ? options().length : -1));
    } else if (event.key === "Enter" && isOpen && active >= 0) {
      event.preventDefault();
      location.assign(options()[active].dataset.path);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      close();
    }
  });
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const chosen = event.target.closest("[role=option]");
    if (chosen) location.assign(chosen.dataset.path);
  });
  input.addEventListener("focus", open);
  input.addEventListener("blur", close);
}

function setUpKeys() {
  const input = document.getElementById("q");
  if (!input) return;
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
    const isSlash = event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isCommand = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isSlash && !isCommand) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

// Copy buttons beside every code block, and beside elements that name what to copy.

async function copy(source) {
  if (navigator.clipboard) return navigator.clipboard.writeText(source.textContent);
  // Browsers have no clipboard for pages without TLS, except on the same machine.
  getSelection().selectAllChildren(source);
  if (!document.execCommand("copy")) throw new Error("cannot copy");
  getSelection().removeAllRanges();
}

function setUpCopying() {
  for (const box of all(".code:has(> pre)")) {
    const button = element("button", { type: "button", class: "copy quiet" }, "Copy");
    let reset;
    button.addEventListener("click", async () => {
      try {
        await copy(box.querySelector("pre"));
        button.textContent = "Copied";
      } catch {
        button.textContent = "Press Ctrl+C";
        getSelection().selectAllChildren(box.querySelector("pre"));
      }
      // The end of an earlier notice must not cut this one short.
      clearTimeout(reset);
      reset = setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    box.append(button);
  }
}

// Tabs: the sections of .tabs, one at a time. Their headings name them.

function setUpTabs(box) {
  const panels = all(":scope > section", box);
  if (panels.length < 2) return;
  const list = element("div", { class: "tab-list", role: "tablist", "aria-label": box.dataset.label ?? "Variants" });
  const tabs = panels.map((panel, number) => {
    panel.id ||= `${box.id || "tabs"}-${number}`;
    const tab = element("button", { type: "button", role: "tab", id: `${panel.id}-tab`, "aria-controls": panel.id },
      panel.querySelector("h3").textContent);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    return tab;
  });
  const choose = (chosen, focus) => {
    tabs.forEach((tab, number) => {
      tab.setAttribute("aria-selected", number === chosen);
      tab.tabIndex = number === chosen ? 0 : -1;
      panels[number].hidden = number !== chosen;
    });
    if (focus) tabs[chosen].focus();
  };
  list.addEventListener("click", (event) => {
    const number = tabs.indexOf(event.target.closest("[role=tab]"));
    if (number >= 0) choose(number);
  });
  list.addEventListener("keydown", (event) => {
    const current = tabs.indexOf(document.activeElement);
    const last = tabs.length - 1;
    const next = { ArrowRight: current === last ? 0 : current + 1, ArrowLeft: current === 0 ? last : current - 1, Home: 0, End: last }[event.key];
    if (current < 0 || next === undefined) return;
    event.preventDefault();
    choose(next, true);
  });
  list.append(...tabs);
  box.prepend(list);
  box.classList.add("ready");
  choose(Math.max(0, panels.findIndex((panel) => `#${panel.id}` === location.hash)));
}

// Tables marked data-sortable are sorted by their headings without asking the server.

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function setUpSorting(table) {
  const [head, body] = [table.tHead, table.tBodies[0]];
  if (!head || !body) return;
  all("th", head).forEach((cell, column) => {
    if (cell.hasAttribute("data-unsorted")) return;
    const button = element("button", { type: "button", class: "sort" });
    button.append(...cell.childNodes);
    cell.append(button);
    button.addEventListener("click", () => {
      const down = cell.getAttribute("aria-sort") === "ascending";
      all("th", head).forEach((other) => other.removeAttribute("aria-sort"));
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column]?.dataset.value ?? row.cells[column]?.textContent.trim() ?? "";
      const rows = [...body.rows].sort((a, b) => collator.compare(key(a), key(b)));
      body.append(...(down ? rows.reverse() : rows));
    });
  });
}

// A form marked data-auto is sent when a choice changes; its button is for everybody else.

function setUpFilters(form) {
  form.addEventListener("change", (event) => {
    if (event.target.matches("select, input[type=checkbox], input[type=radio]")) form.requestSubmit();
  });
}

showAges();
setInterval(showAges, 60000);
all("form.search").forEach(setUpSearch);
setUpKeys();
setUpCopying();
all(".tabs").forEach(setUpTabs);
all("table[data-sortable]").forEach(setUpSorting);
all("form[data-auto]").forEach(setUpFilters);

// The check of a list: files can be dropped, and verdicts are filtered without asking the server.

function setUpCheck(form) {
  const { file, list, suggest, verdict, order, q } = form.elements;
  const result = document.getElementById("result");
  const filters = document.getElementById("check-filters");
  const known = new Map([...verdict.options].map((option, number) =>
    [option.value, { title: option.text, kind: option.dataset.class, rank: number, alerts: "attention" in option.dataset }]));
  const words = new Map(all("#check-words option").map((option) => [option.value, option.text]));
  // The names of apps of the catalog, by slug.
  const names = new Map();
  const number = (count) => count.toLocaleString("en");
  const chip = (word, kind = known.get(word)?.kind) => element("span", { class: `badge-${kind ?? "neutral"}` }, known.get(word)?.title ?? word);
  const version = (text) => (text ? [element("span", { class: "version" }, text)] : []);
  const STEP = 100;
  let [apps, limit, hosts, deprecated] = [[], STEP, false, false];
  filters.hidden = !result.childElementCount;

  const tell = (text, kind) => result.replaceChildren(element("p", { class: `notice ${kind}`, role: "alert" }, text));
  const link = (slug) => element("a", { href: `/a/${encodeURIComponent(slug)}` }, names.get(slug) ?? slug);
  const cell = (label, ...children) => element("td", children.length ? { "data-label": label } : {}, ...children);
  const row = (app) => {
    const slugs = app.slug ? [app.slug] : app.slugs.length ? app.slugs : app.did_you_mean;
    // Without the word joiner, a line could begin with the comma after a link, which is a block of its own.
    const links = slugs.slice(0, 3).flatMap((slug, at) => (at ? ["\u2060, ", link(slug)] : [link(slug)]));
    const guess = !app.slug && !app.slugs.length && links.length ? ["similar: "] : [];
    const by = app.matched_by ? `; found by ${words.get(app.matched_by) ?? app.matched_by}` : "";
    const isOutdated = app.verdict === "outdated" && app.slug;
    const deploy = isOutdated ? [" · ", element("a", { href: `/a/${encodeURIComponent(app.slug)}#install` }, "Deploy")] : [];
    // A deprecated app is not fine, even if it is current.
    const kind = app.deprecated && known.get(app.verdict)?.kind === "ok" ? "neutral" : undefined;
    const why = cell("Why", (words.get(app.rule) ?? app.rule) + by);
    why.className = "muted";
    return element("tr", {}, ...(hosts ? [cell("Mac", app.host ?? "")] : []),
      element("th", { scope: "row" }, app.name ?? app.bundle_id ?? app.path ?? "without a name"),
      cell("Verdict", chip(app.verdict, kind)),
      ...(deprecated ? [cell("Deprecation", ...(app.deprecated ? [element("span", { class: "badge-bad" }, "deprecated")] : []))] : []),
      cell("Installed", ...version(app.installed_version)), cell("Newest", ...version(app.newest_version)),
      cell("In the catalog", ...guess, ...links, ...deploy), why);
  };
  const group = (host, own) => element("tr", { class: "group" }, element("th", { colspan: 8, scope: "rowgroup" },
    host ?? "without a Mac", " ", element("span", { class: "muted" },
      `${number(own.length)} ${own.length === 1 ? "app" : "apps"}, ${number(own.filter((app) => known.get(app.verdict)?.alerts).length)} to look at`)));
  // The rows that are shown, each Mac under its name if they are ordered by Mac.
  const rowsOf = (found) => found.slice(0, limit).flatMap((app, at) => {
    const isFirst = order.value === "mac" && (at === 0 || found[at - 1].host !== app.host);
    return isFirst ? [group(app.host, found.filter((other) => other.host === app.host)), row(app)] : [row(app)];
  });
  const rank = (app) => known.get(app.verdict)?.rank ?? 99;
  const BEFORE = {
    attention: (a, b) => rank(a) - rank(b),
    name: (a, b) => collator.compare(a.name ?? a.bundle_id ?? "\uffff", b.name ?? b.bundle_id ?? "\uffff") || rank(a) - rank(b),
    mac: (a, b) => collator.compare(a.host ?? "\uffff", b.host ?? "\uffff") || rank(a) - rank(b),
  };
  // The answer has slugs; people know names.
  const learnNames = async (shown) => {
    const slugs = new Set(shown.flatMap((app) => (app.slug ? [app.slug] : [...app.slugs, ...app.did_you_mean].slice(0, 3))));
    const unknown = [...slugs].filter((slug) => !names.has(slug)).slice(0, 200);
    if (!unknown.length) return;
    unknown.forEach((slug) => names.set(slug, slug));
    try {
      const answer = await fetch(`/apps?limit=${unknown.length}&slugs=${unknown.map(encodeURIComponent).join(",")}`, { headers: { accept: "application/json" } });
      for (const { slug, name } of await answer.json()) names.set(slug, name);
      for (const shown of all("tbody[data-live] a", result)) {
        const slug = decodeURIComponent(new URL(shown.href).pathname.slice(3));
        if (shown.textContent === slug) shown.textContent = names.get(slug) ?? slug;
      }
    } catch { /* Slugs stay. */ }
  };
  const wanted = (app) => {
    const text = q.value.trim().toLowerCase();
    const isShown = !verdict.value || verdict.value === app.verdict ||
      (verdict.value === "attention" && known.get(app.verdict)?.alerts);
    return isShown && (!text || [app.name, app.bundle_id, app.host, app.slug].some((own) => own?.toLowerCase().includes(text)));
  };
  const refresh = () => {
    const body = result.querySelector("tbody[data-live]");
    if (!body) return;
    const found = apps.filter(wanted);
    body.replaceChildren(...rowsOf(found));
    learnNames(found.slice(0, limit));
    const [count, more] = [result.querySelector("[data-count]"), result.querySelector("[data-more]")];
    count.textContent = `${number(Math.min(limit, found.length))} of ${number(found.length)} ${found.length === 1 ? "app is" : "apps are"} shown.`;
    more.hidden = found.length <= limit;
  };
  const present = (report) => {
    apps = report.apps.sort(BEFORE[order.value]);
    limit = STEP;
    hosts = apps.some((app) => app.host);
    deprecated = apps.some((app) => app.deprecated);
    const totals = [...known.keys()].filter((word) => report.totals[word])
      .map((word) => element("li", {}, chip(word), ` ${number(report.totals[word])}`));
    const heads = [...(hosts ? ["Mac"] : []), "App", "Verdict", ...(deprecated ? ["Deprecation"] : []), "Installed", "Newest", "In the catalog", "Why"];
    const more = element("button", { type: "button", class: "quiet", "data-more": "" }, "Show more");
    more.addEventListener("click", () => { limit += STEP * 5; refresh(); });
    const title = element("h2", { tabindex: "-1" }, "Result");
    filters.hidden = false;
    result.replaceChildren(title,
      element("p", {}, `Read ${number(report.totals.rows)} installed ${report.totals.rows === 1 ? "app" : "apps"} (${report.formats.map((format) => words.get(format) ?? format).join(", ")}). ${number(report.totals.matched)} ${report.totals.matched === 1 ? "is" : "are"} in the catalog.`),
      element("ul", { class: "totals" }, ...totals), filters,
      element("p", {}, element("span", { "data-count": "", role: "status" }), " ",
        element("button", { class: "quiet", form: form.id, name: "format", value: "csv" }, "Save as CSV")),
      element("div", { class: "table-box", role: "region", "aria-label": "Verdicts", tabindex: "0" },
        element("table", { class: "data verdicts calm stacked" },
          element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
          element("tbody", { "data-live": "" }))), more);
    refresh();
    title.focus();
  };
  form.addEventListener("submit", async (event) => {
    // The file for spreadsheets is a download: the browser stays on this page.
    if (event.submitter?.value === "csv") return;
    event.preventDefault();
    const body = file.files[0] ?? list.value;
    if (typeof body === "string" && !body.trim()) return tell("The list is empty. Choose a file, or paste a list.", "notice-bad");
    filters.hidden = true;
    form.after(filters);
    tell("Checking…", "");
    try {
      const answer = await fetch(`/inventory/check?format=json${suggest.checked ? "&suggest=1" : ""}`, { method: "POST", body });
      const found = await answer.json();
      if (answer.ok) present(found);
      else tell(`The list was not checked. ${typeof found.detail === "string" ? found.detail : "The server refused it."}`, "notice-bad");
    } catch {
      tell("The server cannot be reached. Try again.", "notice-bad");
    }
  });
  verdict.addEventListener("change", refresh);
  order.addEventListener("change", () => { apps.sort(BEFORE[order.value]); refresh(); });
  q.addEventListener("input", refresh);
  q.addEventListener("keydown", (event) => { if (event.key === "Enter" && apps.length) event.preventDefault(); });
  file.addEventListener("change", () => { if (file.files.length) list.value = ""; });
  list.addEventListener("input", () => { file.value = ""; });
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    form.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) form.classList.remove("dropping"); });
  document.addEventListener("drop", (event) => {
    form.classList.remove("dropping");
    if (!carriesFiles(event)) return;
    event.preventDefault();
    file.files = event.dataTransfer.files;
    list.value = "";
    form.requestSubmit();
  });
}

all("form.check").forEach(setUpCheck);

// Snippets that leave the service hold a placeholder if it does not know its own address.

function fillInAddress() {
  const placeholder = "https://your-server";
  for (const text of all(".code pre, .prose code")) {
    if (!text.textContent.includes("your-server")) continue;
    text.textContent = text.textContent
      .replaceAll(placeholder, location.origin)
      .replaceAll(encodeURIComponent(placeholder), encodeURIComponent(location.origin));
  }
}

// A link to a tab chooses it.

addEventListener("hashchange", () => {
  const panel = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const tab = panel && document.getElementById(`${panel.id}-tab`);
  if (!tab) return;
  tab.click();
  panel.parentElement.scrollIntoView();
});

fillInAddress();
