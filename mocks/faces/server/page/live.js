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
const byId = (/** @type {string} */ id) => document.getElementById(id);

let etag = "";
/** @type {number | undefined} */
let timer;
/** @type {number | undefined} */
let wipe;
/** @type {Promise<void> | undefined} */
let asking;

const setText = (/** @type {string} */ id, /** @type {string} */ text) => {
  const element = byId(id);
  if (element && element.textContent !== text) element.textContent = text;
};

/** Says a sentence on the screen and to a screen reader. */
const say = (/** @type {string} */ text, kind = "done") => {
  setText("message", text);
  document.body.dataset["message"] = kind;
  clearTimeout(wipe);
  wipe = window.setTimeout(() => setText("message", ""), messageMs);
};

const setConnected = (/** @type {boolean} */ isConnected) => {
  const { dataset } = document.body;
  const link = isConnected ? "live" : "gone";
  if (dataset["link"] === link) return;
  if (dataset["link"] === "gone") say("The server is back");
  dataset["link"] = link;
  setText("link", isConnected ? "Live" : "Server is gone. Trying again…");
};

/** Forms whose fields belong to the user; the others are filters, and show the page's address. */
const ofUser = "form:not([role=search])";

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
        beforeNodeMorphed: (node) => !(node instanceof Element && node.matches(`${ofUser}.fields`)),
        // What is open, and what is being typed, stays.
        beforeAttributeUpdated: (name, element) =>
          name !== "open" && (name !== "value" || element !== document.activeElement),
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
 * page's policy forbids that. The new job goes with it, so that the answer has its price.
 *
 * @returns {Promise<XMLHttpRequest>}
 */
const askForBody = () =>
  new Promise((resolve) => {
    const url = new URL(`/__mock/body${location.search}`, location.href);
    const draft = byId("new-job-form");
    if (draft instanceof HTMLFormElement) {
      const fields = new FormData(draft);
      // It changes no price, and a long one has no room in an address.
      fields.delete("prompt");
      // @ts-expect-error A form without files has texts only.
      url.searchParams.set("draft", String(new URLSearchParams(fields)));
    }
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.responseType = "document";
    // A 304 has no type: Firefox would parse it as XML, and complain.
    request.overrideMimeType("text/html");
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
  const now = new Date(Number(answer.getResponseHeader("x-mock-now"))).toISOString();
  setText("now", now.slice(0, 19).replace("T", " "));
  if (answer.status === 304 || answer.responseXML === null) return;
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
  for (const name of ["before", "until"]) url.searchParams.delete(name);
  for (const [name, value] of new FormData(form)) {
    if (value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, String(value));
  }
  history.replaceState(null, "", url);
  void refresh();
};

/** Shows the fields of a form that belong to its choices, and switches the others off. */
const adapt = (/** @type {HTMLFormElement} */ form) => {
  for (const part of form.querySelectorAll("fieldset")) {
    const { when = "", is = "" } = part.dataset;
    const choice = /** @type {HTMLSelectElement} */ (form.elements.namedItem(when));
    part.disabled = !is.split(" ").includes(choice.value);
  }
};

/**
 * Makes a request of a form: `fault.status` is a field of an object, `ms:json` has a value in JSON,
 * and `bearer` is the API key. An empty field is left out.
 */
const requestOf = async (
  /** @type {HTMLFormElement} */ form,
  /** @type {HTMLElement | null} */ submitter = null,
) => {
  /** @type {Record<string, any>} */
  const body = {};
  const headers = new Headers({ "content-type": "application/json" });
  for (const [name, value] of new FormData(form, submitter)) {
    const text = (typeof value === "string" ? value : await value.text()).trim();
    const [path = "", isJson] = name.split(":");
    const parts = path.split(".");
    const last = parts.pop() ?? "";
    if (name === "bearer") headers.set("authorization", `Bearer ${text}`);
    else if (text !== "")
      parts.reduce((part, key) => (part[key] ??= {}), body)[last] = isJson
        ? JSON.parse(text)
        : text;
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
    say(`Done: ${submitter?.ariaLabel ?? submitter?.textContent}`);
  } catch (error) {
    say(String(Object(error).message), "failed");
  }
  await refresh();
};

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const question = form.dataset["confirm"];
  if (!form.matches(ofUser)) choose(form);
  else if (!question || confirm(question)) void send(form, event.submitter);
});

document.addEventListener("input", ({ target }) => {
  const { form } = /** @type {HTMLInputElement} */ (target);
  if (!form) return;
  adapt(form);
  if (!form.matches(ofUser)) choose(form);
  else if (form.id === "new-job-form") void refresh();
});

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest("a");
  if (link?.pathname !== location.pathname || link.search === location.search) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void follow(link);
});

addEventListener("popstate", () => void refresh());
document.addEventListener("visibilitychange", () => void refresh());
for (const form of document.forms) adapt(form);
void refresh();
