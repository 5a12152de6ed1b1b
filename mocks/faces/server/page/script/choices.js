// @ts-check
/**
 * Choices of what the page shows. Filters stand in the page's address, so that a reload and a link
 * keep them. What is opened or paused in the journal stays in this tab.
 */

/** Names of the journal's entries that are opened. @type {Set<string>} */
export const opened = new Set();

/** Number of the latest entry that the list shows; empty while the list goes on. */
let until = "";

/** Reason why the list stands still. @type {"pause" | "opened" | "page" | undefined} */
let reason;

const address = () => new URL(location.href);

/** Writes a choice into the page's address. An empty value chooses everything. */
const choose = (/** @type {string} */ name, /** @type {string} */ value) => {
  const url = address();
  if (value === "") url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  // The user wants to see the first page of the new lists.
  if (name !== "entry") url.searchParams.delete("before");
  if (reason === "page") hold("");
  history.replaceState(null, "", url);
};

/** Fills the filters in from the page's address, but for the one that the user is writing in. */
const fillIn = () => {
  const { searchParams } = address();
  for (const form of document.querySelectorAll("form[data-choose]")) {
    for (const field of form.querySelectorAll("input, select")) {
      const { name, value } = /** @type {HTMLInputElement} */ (field);
      const chosen = searchParams.get(name) ?? "";
      if (field !== document.activeElement && value !== chosen) Reflect.set(field, "value", chosen);
    }
  }
};

/** Follows a link within the page, without loading it anew. */
const follow = async (
  /** @type {HTMLAnchorElement} */ { href, hash, dataset },
  /** @type {() => Promise<void>} */ refresh,
) => {
  history.pushState(null, "", href);
  fillIn();
  await refresh();
  if (dataset["stay"] !== undefined) return;
  const target = document.getElementById(hash.slice(1));
  target?.scrollIntoView({ block: "start" });
  target?.focus({ preventScroll: true });
};

/** Stops the list at an entry, or lets it go on. */
const hold = (/** @type {string} */ number, /** @type {typeof reason} */ why = undefined) => {
  until = number;
  reason = number === "" ? undefined : why;
};

/** Opens an entry of the journal, or closes it. The list stands still while one is open. */
const toggle = (/** @type {string} */ name) => {
  if (!opened.delete(name)) {
    opened.add(name);
    const newest = document.getElementById("journal-table")?.dataset["newest"] ?? "";
    if (reason === undefined) hold(newest, "opened");
  } else if (opened.size === 0 && reason === "opened") hold("");
};

/** The query with which the page asks for what the user has chosen. */
export const query = () => {
  const { searchParams } = address();
  if (opened.size > 0) searchParams.set("open", [...opened].join(","));
  if (until !== "") searchParams.set("until", until);
  return searchParams.toString();
};

/** Forgets what has gone: opened entries, and a pause in a journal that has begun anew since. */
export const forgetGone = () => {
  for (const name of opened) if (!document.getElementById(`entry-${name}`)) opened.delete(name);
  const { newest, oldest, forgotten } = document.getElementById("journal-table")?.dataset ?? {};
  const isAnew =
    Number(until) > Number(newest ?? 0) ||
    (Number(until) < Number(oldest ?? 0) && Number(forgotten) === 0);
  if (isAnew || (opened.size === 0 && reason === "opened")) hold("");
};

/** Takes over what the address itself opens, `?entry=12`, so that the user can close it. */
export const takeOpened = () => {
  if (!address().searchParams.has("entry")) return;
  const buttons = document.querySelectorAll(".entry[aria-expanded=true]");
  // The page says that there is no such entry as long as the address names it.
  if (buttons.length === 0) return;
  for (const button of buttons) {
    opened.add(/** @type {HTMLElement} */ (button).dataset["entry"] ?? "");
  }
  choose("entry", "");
};

/** Moves the focus between the entries with the keys that move through a list. */
const moveFocus = (/** @type {KeyboardEvent} */ event, /** @type {Element} */ entry) => {
  const entries = [...document.querySelectorAll(".entry")];
  const place = entries.indexOf(entry);
  const places = new Map([
    ["ArrowDown", place + 1],
    ["ArrowUp", place - 1],
    ["Home", 0],
    ["End", entries.length - 1],
  ]);
  const next = entries[places.get(event.key) ?? -1];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
};

/** Watches the filters, the entries and the buttons that stop the list. */
export const watchChoices = (/** @type {() => Promise<void>} */ refresh) => {
  document.addEventListener("input", ({ target }) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (!isField || !target.form?.hasAttribute("data-choose")) return;
    choose(target.name, target.value.trim());
    fillIn();
    void refresh();
  });
  addEventListener("popstate", () => {
    fillIn();
    void refresh();
  });
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const link = event.target.closest("a");
    if (link?.hasAttribute("data-go") && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      void follow(link, refresh);
    }
    const button = event.target.closest("button");
    if (button === null) return;
    const { entry, set, until: number, page } = button.dataset;
    if (entry !== undefined) toggle(entry);
    else if (set !== undefined) choose(set, button.value);
    else if (number !== undefined) hold(number, page === undefined ? "pause" : "page");
    else return;
    void refresh();
  });
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (target instanceof Element && target.matches(".entry")) moveFocus(event, target);
  });
};
