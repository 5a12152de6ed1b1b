import { html } from "hono/html";

/** HTML in which every value that was put in is escaped. */
export type Html = ReturnType<typeof html>;

/**
 * Shows text that users wrote, such as a prompt, a name, a key or a path. It keeps its own
 * direction, and turns no text around it. For a whole block, give its element `dir="auto"` instead.
 */
export const userText = (text: string | undefined): Html => html`<bdi>${text}</bdi>`;

/** Shows a time of day in UTC, as the API writes it. */
export const timeOfDay = (at: number | string): Html => {
  const time = new Date(at).toISOString();
  return html`<time datetime="${time}">${time.slice(11, 19)}</time>`;
};

/** Writes a number as people read it: `1,200`. */
export const inWords = (number: number): string => number.toLocaleString("en");

/** Writes a number of things: `1 fault`, `1,200 faults`. */
export const plural = (number: number, thing: string): string =>
  `${inWords(number)} ${thing}${number === 1 ? "" : "s"}`;

/** Writes a duration in the unit that reads best. */
export const duration = (ms: number): string => {
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`;
  if (ms >= 1000) return `${Math.round(ms / 100) / 10} s`;
  return `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
};

/** Shows the number of items behind a title. */
export const count = (number: number): Html => html`<span class="count">${inWords(number)}</span>`;

/** Makes a labelled choice. A word for no choice at all, such as "any", comes first. */
export const choice = (
  label: string,
  { id, name = id, none }: { readonly id: string; readonly name?: string; readonly none?: string },
  values: readonly string[],
  chosen?: string,
): Html => html`
  <label>${label}<select id="${id}" name="${name}" autocomplete="off">
    ${none !== undefined && html`<option value="">${none}</option>`}
    ${values.map((value) => html`<option value="${value}" ${value === chosen ? "selected" : ""}>${value}</option>`)}
  </select></label>`;

const keyListId = "account-keys";

/** Keys that the browser suggests: a list of thousands would be sent with each change. */
const mostKeys = 300;

/** Lists the keys that every field for an account suggests. */
export const keyList = (keys: readonly string[]): Html =>
  html`<datalist id="${keyListId}">${keys.slice(0, mostKeys).map((key) => html`<option value="${key}"></option>`)}</datalist>`;

/** Makes a field for the key of an account, which may be any; `bearer` sends the request with it. */
export const keyField = (id: string, value = "", role: "" | "bearer" = ""): Html => html`
  <label>Account<input id="${id}" name="account" list="${keyListId}" value="${value}" ${role && "required data-bearer"} placeholder="any" dir="auto" autocomplete="off" spellcheck="false"></label>`;

/** Makes a form of filters, which the page's address keeps. */
export const filterForm = (id: string, label: string, fields: Html): Html => html`
  <form id="${id}" class="filters" method="get" action="/__mock/" role="search" aria-label="${label}">
    ${fields}<noscript><button>Filter</button></noscript>
  </form>`;

/** Makes a table whose caption only screen readers tell. */
export const table = (
  caption: string,
  columns: readonly string[],
  rows: readonly Html[],
): Html => html`
  <table>
    <caption class="unseen">${caption}</caption>
    <thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table>`;

/** Shows a fact with its name; one that is not known is left out. */
export const fact = (
  name: string,
  value: Html | string | false | undefined,
  look = "",
): Html | "" =>
  value === undefined || value === false || value === ""
    ? ""
    : html`<div class="${look}"><dt>${name}</dt><dd>${value}</dd></div>`;

/** Characters of a JSON text on the page; the admin gives all of it. */
const longestJson = 20_000;

/** Writes a value as JSON, its beginning if it is long. A text stays as it is. */
export const writeJson = (value: unknown, most = longestJson): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
  const rest = text.length - most;
  return rest > 0 ? `${text.slice(0, most)}…\n(${rest} more characters)` : text;
};

/** Shows a long text in a box of its own, which scrolls. */
export const textBox = (name: string, text: string | undefined): Html =>
  html`<pre dir="auto" tabindex="0" role="region" aria-label="${name}">${text}</pre>`;

/** An order to the admin that needs no more than a button. */
interface Order {
  readonly label: string;
  readonly path: string;
  /** Sentence that the page says when the order is carried out. */
  readonly done: string;
  /** Name for screen readers, where the label alone does not tell it from its neighbours. */
  readonly name?: string;
  /** @default "POST" */
  readonly method?: "DELETE";
  readonly look?: "plain" | "danger";
  /** Question before an order that throws something away. */
  readonly confirm?: string;
}

/** Makes a button that gives an order; `live.js` sends it. */
export const orderButton = (order: Order): Html => {
  const { label, path, done, name = label, method = "POST", look = "", confirm = "" } = order;
  return html`<form action="${path}" data-method="${method}" data-done="${done}" data-confirm="${confirm}">
    <button class="${look}" aria-label="${name}">${label}</button>
  </form>`;
};

/** Makes a section of the page. Its title may hold the focus when a button in it goes. */
export const section = (
  {
    id,
    title,
    number,
    button,
  }: { id: string; title: string; number?: number; button?: Html | false },
  content: Html,
): Html => html`
  <section id="${id}" tabindex="-1" aria-labelledby="${id}-title">
    <div class="head">
      <h2 id="${id}-title">${title}${number !== undefined && html` <span id="${id}-count" class="count">${inWords(number)}</span>`}</h2>
      ${button}
    </div>
    ${content}
  </section>`;
