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

const units = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "min", ms: 60_000 },
  { name: "s", ms: 1000 },
];

/** Writes a duration in the unit that reads best, with one digit behind the point. */
export const duration = (ms: number): string => {
  const { name, ms: unit } = units.find((one) => one.ms <= ms) ?? { name: "ms", ms: 1 };
  return `${Math.round((10 * ms) / unit) / 10} ${name}`;
};

/** Says how many things a list leaves out, if any, and where they are. */
export const leftOut = (number: number, rest: string): Html | false =>
  number > 0 && html`<p class="quiet">${inWords(number)} ${rest}</p>`;

/** Shows the number of items behind a title. */
export const count = (number: number): Html => html`<span class="count">${inWords(number)}</span>`;

/** Makes a link that narrows a list to one kind of its things, with their number. */
export const chip = (
  href: string,
  text: string,
  number: number,
  isChosen: boolean,
  tone: string | false = "",
): Html =>
  html`<a href="${href}" data-stay class="${tone}" aria-current="${String(isChosen)}">${text} ${count(number)}</a>`;

/** Groups the links that narrow one list. */
export const chips = (label: string, all: readonly Html[]): Html =>
  html`<div class="line chips" role="group" aria-label="${label}">${all}</div>`;

/** Makes a table, whose name only screen readers tell. */
export const table = (
  id: string,
  name: string,
  columns: readonly string[],
  rows: readonly Html[],
): Html => html`
  <table id="${id}" aria-label="${name}">
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table>`;

/** Shows a fact with its name; one that is not known is left out. */
export const fact = (
  name: string,
  value: Html | string | false | undefined,
  look = "",
): Html | string | false | undefined =>
  value && html`<div class="${look}"><dt>${name}</dt><dd>${value}</dd></div>`;

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
    <div class="bar">
      <h2 id="${id}-title">${title}${number !== undefined && html` <span id="${id}-count" class="count">${inWords(number)}</span>`}</h2>
      ${button}
    </div>
    ${content}
  </section>`;
