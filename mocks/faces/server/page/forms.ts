import { html } from "hono/html";
import type { MockAccount } from "../../../service/account.ts";
import { actionGroups } from "./choice.ts";
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

/** Lists the keys that every field for an account suggests, with the credits that are left. */
export const keyList = (accounts: readonly MockAccount[]): Html => {
  const options = accounts.slice(0, mostKeys).map(({ key, credits: { image, video } }) => {
    const left = { image: image.monthly + image.purchased, video: video.monthly + video.purchased };
    return html`<option value="${key}" data-image="${left.image}" data-video="${left.video}"></option>`;
  });
  return html`<datalist id="${keyListId}">${options}</datalist>`;
};

/** Makes a labelled choice of actions, of which some are named together. */
export const actionSelect = (id: string): Html => html`
  <label>Action<select id="${id}" name="options.action" autocomplete="off" data-list>
    <option value="">any</option>
    ${Object.entries(actionGroups).map(([name, group]) => html`<option value="${[group].flat().join(" ")}">${name}</option>`)}
  </select></label>`;

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
