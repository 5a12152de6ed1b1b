import { html } from "hono/html";
import type { Html } from "./markup.ts";

/** Makes a labelled choice of values. A word for no choice at all, such as "any", comes first. */
export const select = (
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
export const keyField = (
  id: string,
  value = "",
  role: "" | "bearer" = "",
  name = "account",
): Html => html`
  <label>Account<input id="${id}" name="${name}" list="${keyListId}" value="${value}" ${role && "required data-bearer"} placeholder="any" dir="auto" autocomplete="off" spellcheck="false"></label>`;

/** Makes a form of filters, which the page's address keeps. */
export const filterForm = (id: string, label: string, fields: Html): Html => html`
  <form id="${id}" class="fields" method="get" action="/__mock/" role="search" aria-label="${label}">
    ${fields}<noscript><button>Filter</button></noscript>
  </form>`;
