// @ts-check
/**
 * Script of the page: it renews the parts that change once a second, follows links in place, and
 * sends forms as JSON. All that is shown stands in the page's address.
 */

const pauseMs = 1_000;
const longestMs = 15_000;
const messageMs = 6_000;

/** @type {typeof import("idiomorph").Idiomorph} */
const Idiomorph = Reflect.get(globalThis, "Idiomorph");
const root = document.documentElement;
const byId = (/** @type {string} */ id) => document.getElementById(id);

let etag = document.body.dataset["etag"] ?? "";
/** @type {number | undefined} */
let timer;
/** @type {number | undefined} */
let wipe;
/** @type {Promise<void> | undefined} */
let asking;

/** Says a sentence on the screen and to a screen reader. */
const say = (/** @type {string} */ text, kind = "done") => {
  const message = byId("message");
  if (message === null) return;
  message.textContent = text;
  message.dataset["kind"] = kind;
  clearTimeout(wipe);
  wipe = window.setTimeout(() => message.replaceChildren(), messageMs);
};

const setConnected = (/** @type {boolean} */ isConnected) => {
  const state = isConnected ? "live" : "gone";
  const link = byId("link");
  if (root.dataset["link"] === state || link === null) return;
  if (root.dataset["link"] === "gone") say("The server is back");
  root.dataset["link"] = state;
  link.textContent = isConnected ? "Live" : "Server is gone. Trying again…";
};

const showTime = (/** @type {number} */ ms) => {
  const now = byId("now");
  const time = new Date(ms).toISOString();
  if (now === null || now.getAttribute("datetime") === time) return;
  now.setAttribute("datetime", time);
  const parts = [`${time.slice(0, 10)} UTC`, time.slice(11, 19)];
  for (const [index, part] of [...now.children].entries()) part.textContent = parts[index] ?? "";
};

/** Attributes that belong to the user: what is open, what is typed, and forms that are no filters. */
const isOfUser = (/** @type {string} */ name, /** @type {Element} */ element) => {
  if (element.matches("details")) return name === "open";
  const isFilter = element.closest("form:not([method=get])") === null;
  return isFilter
    ? name === "value" && element === document.activeElement
    : ["value", "checked", "selected", "hidden", "disabled"].includes(name);
};

/**
 * Changes the parts of the document that the server renews; what is equal is not touched. When the
 * focused element goes, the focus goes to the nearest part around it that is still there.
 */
const show = (/** @type {Document} */ answer) => {
  const homes = [];
  for (let node = document.activeElement; node; node = node.parentElement) homes.push(node.id);
  for (const after of answer.querySelectorAll("[data-live]")) {
    const before = byId(after.id);
    if (before === null) continue;
    Idiomorph.morph(before, after, {
      callbacks: {
        beforeAttributeUpdated: (name, element) => !isOfUser(name, element),
        // The script writes the price itself.
        beforeNodeMorphed: (node) => !(node instanceof HTMLOutputElement),
      },
    });
  }
  for (const id of homes) {
    if (document.activeElement !== document.body) break;
    byId(id)?.focus({ preventScroll: true });
  }
  for (const form of document.forms) adapt(form);
};

/**
 * Asks for the body. `fetch` would give a text, and a text has to be parsed by a script: the
 * page's policy forbids that.
 *
 * @returns {Promise<XMLHttpRequest>}
 */
const askForBody = () =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", `/__mock/body${location.search}`);
    request.responseType = "document";
    request.timeout = longestMs;
    if (etag !== "") request.setRequestHeader("if-none-match", etag);
    request.addEventListener("loadend", () => resolve(request));
    request.send();
  });

const ask = async () => {
  const answer = await askForBody();
  const isThere = answer.status === 200 || answer.status === 304;
  setConnected(isThere);
  if (!isThere) return;
  showTime(Number(answer.getResponseHeader("x-mock-now")));
  if (answer.responseXML === null) return;
  etag = answer.getResponseHeader("etag") ?? "";
  show(answer.responseXML);
};

/** Polls now, and again in a second; not while the page is hidden. */
const refresh = async () => {
  clearTimeout(timer);
  // A poll that is under way may have missed the latest change.
  await asking;
  asking = ask();
  await asking;
  clearTimeout(timer);
  if (document.visibilityState === "visible") timer = window.setTimeout(refresh, pauseMs);
};

/** Follows a link within the page, without loading it anew. */
const follow = async (/** @type {HTMLAnchorElement} */ { href, hash, dataset }) => {
  history.pushState(null, "", href);
  await refresh();
  if (dataset["stay"] !== undefined) return;
  const target = byId(hash.slice(1));
  target?.scrollIntoView({ block: "start" });
  target?.focus({ preventScroll: true });
};

/** Writes the filters of a form into the page's address, and shows the first page of the new lists. */
const choose = (/** @type {HTMLFormElement} */ form) => {
  const url = new URL(location.href);
  for (const name of ["before", "until", "entry"]) url.searchParams.delete(name);
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && value.trim() !== "") url.searchParams.set(name, value.trim());
    else url.searchParams.delete(name);
  }
  history.replaceState(null, "", url);
  void refresh();
};

/** Says what the job of a form costs, and whether its account can pay it. */
const showPrice = (/** @type {HTMLFormElement} */ form) => {
  const output = form.querySelector("[data-price]");
  if (output === null) return;
  const fieldOf = (/** @type {string} */ name) =>
    /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  const [account, seconds, variations] = ["account", "duration", "variations"].map(fieldOf);
  const actions = /** @type {HTMLSelectElement} */ (form.elements.namedItem("action"));
  const { credit = "", prices = "" } = actions.selectedOptions[0]?.dataset ?? {};
  const price = prices.split(" ")[seconds?.disabled ? 0 : Math.ceil(Number(seconds?.value))];
  const amount = Number(price) * Number(variations?.value || 1);
  const keys = /** @type {HTMLDataListElement | null} */ (byId("account-keys"))?.options ?? [];
  const left = [...keys].find(({ value }) => value === account?.value)?.dataset[credit];
  const costs = `It costs ${amount} ${credit} ${amount === 1 ? "credit" : "credits"}`;
  const has = left === undefined ? "" : `; ${account?.value} has ${left}`;
  const isTooMuch = Number(left) < amount;
  const words = credit === "" ? "It is free" : `${costs}${has}${isTooMuch ? ": a 402" : ""}`;
  for (const look of ["bad", "error"]) output.classList.toggle(look, isTooMuch);
  const text = Number.isNaN(amount) ? "" : `${words}.`;
  if (output.textContent !== text) output.textContent = text;
};

/** Shows the fields of a form that belong to its choices, and switches the others off. */
const adapt = (/** @type {HTMLFormElement} */ form) => {
  for (const part of form.querySelectorAll("[data-when]")) {
    const { when = "", is = "" } = /** @type {HTMLElement} */ (part).dataset;
    const isOn = is.split(" ").includes(/** @type {HTMLSelectElement} */ (byId(when)).value);
    part.toggleAttribute("hidden", !isOn);
    part.querySelector("input")?.toggleAttribute("disabled", !isOn);
  }
  showPrice(form);
};

/** Reads one field. An empty one is left out, or `null` where that means something. */
const fieldValue = (/** @type {HTMLInputElement} */ { type, checked, value, dataset }) => {
  const { scale, empty, list } = dataset;
  if (type === "checkbox") return checked || undefined;
  if (value.trim() === "") return empty === "null" ? null : undefined;
  if (list !== undefined && value.includes(" ")) return value.split(" ");
  if (scale) return Math.round(Number(value) * Number(scale));
  return type === "number" ? Number(value) : value.trim();
};

/** Reads the chosen file. The server says what is wrong with a snapshot that is JSON. */
const readFile = async (/** @type {File} */ file) => {
  try {
    return JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is no snapshot: it is not JSON. Export one to see how it looks.`);
  }
};

/** Makes a request of a form: `name="fault.status"` is a field of an object. */
const requestOf = async (
  /** @type {HTMLFormElement} */ form,
  /** @type {HTMLElement | null} */ submitter,
) => {
  /** @type {Record<string, any>} */
  const body = {};
  const headers = new Headers({ "content-type": "application/json" });
  const elements = /** @type {Iterable<HTMLInputElement>} */ (form.elements);
  for (const field of elements) {
    const isChosen = field.type === "submit" ? field === submitter : !field.disabled;
    if (!field.name || !isChosen) continue;
    const [file] = field.files ?? [];
    const value = file === undefined ? fieldValue(field) : await readFile(file);
    if (field.dataset["bearer"] !== undefined) headers.set("authorization", `Bearer ${value}`);
    else if (value !== undefined) {
      const path = field.name.split(".");
      const last = path.pop() ?? "";
      path.reduce((part, name) => (part[name] ??= {}), body)[last] = value;
    }
  }
  return { method: "POST", headers, body: JSON.stringify(body) };
};

/** Sends a form, says how it went, and shows the state after it. */
const send = async (
  /** @type {HTMLFormElement} */ form,
  /** @type {HTMLElement | null} */ submitter,
) => {
  try {
    const request = await requestOf(form, submitter);
    const signal = AbortSignal.timeout(longestMs);
    const response = await fetch(form.getAttribute("action") ?? "", { ...request, signal });
    const { error } = await response.json();
    const price = response.status === 402 ? `. ${byId("new-job-price")?.textContent}` : "";
    if (!response.ok) throw new Error(`${error ?? `HTTP ${response.status}`}${price}`);
    say(form.dataset["done"] ?? "");
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), "failed");
  }
  await refresh();
};

/** Browsers let a page copy at `localhost` and over HTTPS only. */
const copyText = async (/** @type {string} */ text) => {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied");
  } catch {
    say("This browser lets no page copy here. Open the page at 127.0.0.1.", "failed");
  }
};

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const question = form.dataset["confirm"];
  if (form.matches("[method=get]")) choose(form);
  else if (!question || confirm(question)) void send(form, event.submitter);
});

document.addEventListener("input", ({ target }) => {
  const { form } = /** @type {HTMLInputElement} */ (target);
  if (form?.matches("[method=get]")) choose(form);
  else if (form) adapt(form);
});

/** Finds the link of a click. A row of a table belongs to its first link, unless its text is selected. */
const linkOf = (/** @type {Element} */ target) => {
  const row = getSelection()?.isCollapsed ? target.closest("tr:not(.details)") : null;
  return target.closest("a") ?? row?.querySelector("a");
};

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  const { copy } =
    /** @type {HTMLElement | null} */ (event.target.closest("[data-copy]"))?.dataset ?? {};
  if (copy !== undefined) void copyText(copy);
  const link = linkOf(event.target);
  if (link?.pathname !== location.pathname || link.search === location.search) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void follow(link);
});

addEventListener("popstate", () => void refresh());
document.addEventListener("visibilitychange", () => void refresh());
for (const form of document.forms) adapt(form);
void refresh();
