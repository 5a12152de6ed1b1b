/**
 * Forms of the page. Its script sends them as JSON: the name `fault.status:json` is a field of an
 * object, whose value is JSON itself.
 */
import { html } from "hono/html";
import type { MockAccount } from "../../../service/account.ts";
import type { Html, Nothing } from "./markup.ts";
import { actionGroups } from "./place.ts";

type Attributes = Readonly<Record<string, string | number | Nothing>>;

/** A labelled field, with attributes of `<input>`. */
export const field = (label: string, name: string, attributes: Attributes = {}): Html => html`
  <label>${label}<input name="${name}" dir="auto" autocomplete="off" spellcheck="false"${Object.entries(
    attributes,
  ).map(
    ([key, value]) => value !== undefined && value !== false && html` ${key}="${value}"`,
  )}></label>`;

/** A labelled field of a whole number, which is sent as JSON. */
export const numberField = (label: string, name: string, attributes: Attributes = {}): Html =>
  field(label, `${name}:json`, { type: "number", min: 0, ...attributes });

/** A labelled choice of values, some with a text of their own. */
export const select = (
  label: string,
  name: string,
  values: readonly (string | readonly [text: string, value: string])[],
  chosen?: string,
): Html => html`
  <label>${label}<select name="${name}" autocomplete="off">${values.map((one) => {
    const [text = "", value = text] = [one].flat();
    return html`<option value="${value}" ${value === chosen && "selected"}>${text}</option>`;
  })}</select></label>`;

/** Choice of nothing in particular. */
export const any = ["any", ""] as const;

/** A labelled choice of actions, of which some are named together. */
export const actionSelect = (name: string): Html => {
  const groups = Object.entries(actionGroups);
  const values = groups.map(([text, group]) => [text, JSON.stringify(group)] as const);
  return select("Action", `${name}:json`, [any, ...values]);
};

/** A field for the key of an account. */
export const keyField = (name: string, value = "", required: "" | Nothing = false): Html =>
  field("Account", name, { list: "account-keys", value, required, placeholder: "any" });

/** Keys that the browser suggests: a list of thousands would be sent with each change. */
const mostKeys = 300;

/** Lists the keys that every field for an account suggests. */
export const keyList = (accounts: readonly MockAccount[]): Html =>
  html`<datalist id="account-keys">${accounts.slice(0, mostKeys).map(({ key }) => html`<option value="${key}"></option>`)}</datalist>`;

/** Fields that belong to some values of another field. The script switches them off for the others. */
export const fieldsFor = (name: string, values: readonly string[], fields: Html): Html =>
  html`<fieldset data-when="${name}" data-is="${values.join(" ")}">${fields}</fieldset>`;

/** Filters, which the page's address keeps. */
export const filterForm = (label: string, fields: Html): Html => html`
  <form class="fields" method="get" action="/__mock/" role="search" aria-label="${label}">
    ${fields}<noscript><button>Filter</button></noscript>
  </form>`;

/** A form that opens below its title, and what follows it. */
export const form = (
  id: string,
  title: string,
  action: string,
  fields: Html,
  { confirm, isOpen, after }: Readonly<{ confirm?: string; isOpen?: boolean; after?: Html }> = {},
): Html => html`
  <details id="${id}" ${isOpen && "open"}>
    <summary>${title}</summary>
    <form id="${id}-form" class="fields" action="${action}" ${confirm && html`data-confirm="${confirm}"`} aria-label="${title}">${fields}</form>
    ${after}
  </details>`;

/** A button that runs a command of the mock on a thing, which its argument names. */
export const command = (
  label: string,
  path: string,
  {
    of = "",
    confirm,
    look = "plain",
    ...argument
  }: Readonly<Partial<Record<"of" | "confirm" | "look" | "id" | "key", string>>> = {},
): Html => {
  const [[name, value] = []] = Object.entries(argument);
  return html`
  <form action="/__mock/${path}" ${confirm && html`data-confirm="${confirm}"`}>
    <button class="${look}" name="${name}" value="${value}" aria-label="${`${label} ${of}`.trim()}">${label}</button>
  </form>`;
};
