import { html } from "hono/html";
import type { Html } from "../markup.ts";

/** Keys that the browser suggests: a list of thousands would be sent with each change. */
const mostKeys = 300;

const listId = "account-keys";

/** Lists the keys that every field for an account suggests. */
export const keyList = (keys: readonly string[]): Html =>
  html`<datalist id="${listId}">${keys.slice(0, mostKeys).map((key) => html`<option value="${key}"></option>`)}</datalist>`;

/** Makes a field for the key of an account, which may be any. */
export const keyField = ({
  id,
  name,
  value = "",
  isRequired = false,
}: {
  readonly id: string;
  readonly name: string;
  readonly value?: string;
  readonly isRequired?: boolean;
}): Html => html`
  <label>Account<input id="${id}" name="${name}" list="${listId}" value="${value}" ${isRequired ? "required" : ""} placeholder="any" dir="auto" autocomplete="off" spellcheck="false"></label>`;
