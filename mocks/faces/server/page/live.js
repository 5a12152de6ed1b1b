// @ts-check
/** Script of the page: it renews the body once a second, and sends the forms as JSON. */
import { forgetGone, opened, query, takeOpened, watchChoices } from "./choices.js";
import { watchMotion } from "./motion.js";
import { showOffset } from "./offset.js";
import { orderOf } from "./orders.js";
import { isSure } from "./questions.js";
import { show } from "./show.js";

const pauseMs = 1_000;
const longestMs = 15_000;
const messageMs = 6_000;

const byId = (/** @type {string} */ id) => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element "${id}"`);
  return element;
};
const link = byId("link");
const now = byId("now");
const message = byId("message");
const root = document.documentElement;

let etag = document.querySelector("main")?.dataset["etag"] ?? "";
/** @type {number | undefined} */
let timer;
/** @type {number | undefined} */
let wipe;
/** @type {Promise<void> | undefined} */
let looking;

/** Says a sentence on the screen and to a screen reader. */
const say = (/** @type {string} */ text, kind = "done") => {
  message.textContent = text;
  message.dataset["kind"] = kind;
  clearTimeout(wipe);
  wipe = window.setTimeout(() => message.replaceChildren(), messageMs);
};

const setConnected = (/** @type {boolean} */ connected) => {
  const state = connected ? "live" : "gone";
  if (root.dataset["link"] === state) return;
  if (root.dataset["link"] === "gone") say("The server is back");
  root.dataset["link"] = state;
  link.textContent = connected ? "Live" : "Server is gone. Trying again…";
};

const showTime = (/** @type {number} */ ms) => {
  showOffset(ms - Date.now());
  const time = new Date(ms).toISOString();
  if (now.getAttribute("datetime") === time) return;
  now.setAttribute("datetime", time);
  const parts = [`${time.slice(0, 10)} UTC`, time.slice(11, 19)];
  for (const [index, part] of [...now.children].entries()) part.textContent = parts[index] ?? "";
};

/** Shows the fields of a form that belong to its choices, and switches the others off. */
const adapt = (/** @type {HTMLFormElement} */ form) => {
  for (const part of form.querySelectorAll("[data-when]")) {
    const { when = "", is = "" } = /** @type {HTMLElement} */ (part).dataset;
    const chosen = form.elements.namedItem(when);
    const isOn = chosen instanceof HTMLSelectElement && is.split(" ").includes(chosen.value);
    part.toggleAttribute("hidden", !isOn);
    part.querySelector("input")?.toggleAttribute("disabled", !isOn);
  }
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
    request.open("GET", `/__mock/body?${query()}`);
    request.responseType = "document";
    request.timeout = longestMs;
    if (etag !== "") request.setRequestHeader("if-none-match", etag);
    request.addEventListener("loadend", () => resolve(request));
    request.send();
  });

const look = async () => {
  const answer = await askForBody();
  const isThere = answer.status === 200 || answer.status === 304;
  setConnected(isThere);
  if (!isThere) return;
  showTime(Number(answer.getResponseHeader("x-mock-now")));
  if (answer.responseXML === null) return;
  etag = answer.getResponseHeader("etag") ?? "";
  show(answer.responseXML, opened);
  takeOpened();
  forgetGone();
};

/** Looks now, and again in a second; not while the page is hidden. */
const refresh = async () => {
  clearTimeout(timer);
  // A look that is under way may have missed the latest change.
  await looking;
  looking = look();
  await looking;
  clearTimeout(timer);
  if (document.visibilityState === "visible") timer = window.setTimeout(refresh, pauseMs);
};

/** Sends an order, says how it went, and shows the state after it. */
const send = async (/** @type {ReturnType<typeof orderOf>} */ order) => {
  const { path, method, done, body = {}, headers = {} } = order;
  try {
    const response = await fetch(path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      signal: AbortSignal.timeout(longestMs),
      ...(method !== "DELETE" && { body: JSON.stringify(await body) }),
    });
    const { error } = await response.json();
    if (!response.ok) throw new Error(error ?? `HTTP ${response.status}`);
    say(done);
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
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.hasAttribute("data-choose")) return;
  const { twice } = form.dataset;
  if (twice && event.submitter && !isSure(event.submitter, twice, say)) return;
  void send(orderOf(form, event.submitter));
});

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLSelectElement && target.form) adapt(target.form);
});

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  const { copy } = /** @type {HTMLElement | null} */ (target.closest("[data-copy]"))?.dataset ?? {};
  if (copy !== undefined) void copyText(copy);
  const picture = target.closest("a[target]")?.querySelector("img");
  // People who want no motion get the picture that stands still, in its own tab as well.
  if (picture?.currentSrc) picture.closest("a")?.setAttribute("href", picture.currentSrc);
});

document.addEventListener("visibilitychange", () => void refresh());
for (const form of document.forms) adapt(form);
takeOpened();
watchChoices(refresh);
watchMotion();
void refresh();
