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

/** Writes a number of things: `1 fault`, `1,200 faults`. */
export const plural = (number: number, thing: string): string =>
  `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;

/** Writes a duration in the unit that reads best. */
export const duration = (ms: number): string => {
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`;
  if (ms >= 1000) return `${Math.round(ms / 100) / 10} s`;
  return `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
};

/** Shows the number of items behind a title. */
export const count = (number: number): Html => html`<span class="count">${number}</span>`;

/** Lists options. The ids keep a choice with its option when others come and go. */
export const options = (id: string, values: readonly string[], chosen?: string): Html =>
  html`${values.map(
    (value) =>
      html`<option id="${id}-${value}" ${value === chosen ? "selected" : ""}>${value}</option>`,
  )}`;

/** Makes a labelled choice. */
export const choice = (label: string, name: string, id: string, content: Html): Html =>
  html`<label>${label}<select id="${id}" name="${name}" autocomplete="off">${content}</select></label>`;

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

/** An order to the admin that needs no more than a button. */
export interface Order {
  readonly label: string;
  readonly path: string;
  /** Sentence that the page says when the order is carried out. */
  readonly done: string;
  /** Name for screen readers, where the label alone does not tell it from its neighbours. */
  readonly name?: string;
  /** @default "POST" */
  readonly method?: "DELETE";
  readonly look?: "plain";
  /** Sentence that asks for a second press: every order that throws something away has one. */
  readonly twice?: string;
}

/** Makes a button that gives an order; `live.js` sends it. */
export const orderButton = ({
  label,
  path,
  done,
  name = label,
  method,
  look,
  twice,
}: Order): Html =>
  html`<form action="${path}" data-method="${method ?? "POST"}" data-done="${done}" data-twice="${twice ?? ""}">
    <button class="${look ?? ""}" aria-label="${name}">${label}</button>
  </form>`;

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
      <h2 id="${id}-title">${title}${number !== undefined && html` <span id="${id}-count" class="count">${number.toLocaleString("en")}</span>`}</h2>
      ${button}
    </div>
    ${content}
  </section>`;
