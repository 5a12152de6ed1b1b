import { html } from "hono/html";
import type { Place } from "./place.ts";

/** HTML in which every value that was put in is escaped. */
export type Html = ReturnType<typeof html>;

/** What a template leaves out. */
export type Nothing = false | undefined;

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

/** Writes a duration with one digit behind the point. */
export const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(10 * ms) / 10} ms` : `${inWords(Math.round(ms / 100) / 10)} s`;

/** Characters of a value that a line has room for. */
const mostInBrief = 200;

/** Writes the fields of an object on one line: `status: 503 · times: 2`. */
export const inBrief = (fields: object): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const text = typeof value === "object" ? JSON.stringify(value) : String(value);
      return `${name}: ${text.slice(0, mostInBrief)}`;
    })
    .join(" · ");

/** Characters of a text on the page; the admin gives all of it. */
const mostInBox = 20_000;

/** Shows a text, or a value as JSON, in a box of its own, which scrolls. */
export const textBox = (name: string, value: unknown): Html => {
  const text = typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
  const rest = text.length - mostInBox;
  const shown = rest > 0 ? `${text.slice(0, mostInBox)}…\n(${rest} more characters)` : text;
  return html`<pre dir="auto" tabindex="0" role="region" aria-label="${name}">${shown}</pre>`;
};

/** Shows a text or a value below a title that opens it. */
export const opening = (id: string, title: string, value: unknown): Html =>
  html`<details id="${id}"><summary>${title}</summary>${textBox(title, value)}</details>`;

/** Shows the number of items behind a title. */
export const count = (number: number): Html => html`<span class="count">${inWords(number)}</span>`;

/** Links that narrow a list to one kind of its things, for each kind that is there. */
export const chips = (
  label: string,
  counts: Readonly<Record<string, number>>,
  chosen: string | undefined,
  hrefOf: (kind: string | undefined) => string,
): Html => {
  const sum = Object.values(counts).reduce((one, other) => one + other, 0);
  const chip = (kind: string | undefined, number: number): Html | Nothing =>
    (number > 0 || kind === chosen) &&
    html`<a href="${hrefOf(kind)}" data-stay class="${kind}" aria-current="${String(kind === chosen)}">${kind ?? "all"} ${count(number)}</a>`;
  const kinds = Object.entries(counts).map(([kind, number]) => chip(kind, number));
  return html`<div class="line chips" role="group" aria-label="${label}">${chip(undefined, sum)} ${kinds}</div>`;
};

/** Links to other pages of a list that does not show everything; `name` is the address's word for a page. */
export const paging = (
  [shown, total]: readonly [number, number],
  name: string,
  older: Readonly<Record<string, string | number | undefined>> | Nothing,
  { fieldOf, linkTo }: Place,
  section: string,
): Html | Nothing =>
  shown < total &&
  html`<p class="line">
    ${fieldOf(name) !== "" && html`<a href="${linkTo(section, { [name]: undefined })}">Newest</a>`}
    ${older && html`<a href="${linkTo(section, older)}">Older</a>`}
    <span class="quiet">${inWords(shown)} of ${inWords(total)}</span>
  </p>`;

/** A table, whose name only screen readers tell. */
export const table = (
  look: string,
  id: string,
  name: string,
  columns: readonly string[],
  rows: readonly Html[],
): Html => html`
  <table id="${id}" class="${look}" aria-label="${name}">
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table>`;

/** A section of the page. Its title may hold the focus when a button in it goes. */
export const section = (
  id: string,
  title: string,
  number: number | undefined,
  content: Html,
  button?: Html | Nothing,
): Html => html`
  <section id="${id}" tabindex="-1" aria-labelledby="${id}-title">
    <div class="bar"><h2 id="${id}-title">${title} ${number !== undefined && count(number)}</h2>${button}</div>
    ${content}
  </section>`;
