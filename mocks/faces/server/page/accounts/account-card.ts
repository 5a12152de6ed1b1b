import { html } from "hono/html";
import {
  choice,
  count,
  type Html,
  inWords,
  orderButton,
  table,
  timeOfDay,
  userText,
} from "../markup.ts";
import type { OpenedAccount } from "./account-look.ts";

const kinds = ["image", "video"] as const;

const pathOf = (key: string, more: string): string =>
  `/__mock/accounts/${encodeURIComponent(key)}${more}`;

const signed = (amount: number): string => (amount > 0 ? `+${amount}` : String(amount));

const credits = ({ key, credits }: OpenedAccount): Html =>
  table(
    `Credits of ${key}`,
    ["Credits", "Monthly", "Purchased", "Left"],
    kinds.map((kind) => {
      const { monthly, purchased } = credits[kind];
      return html`<tr>
        <th scope="row">${kind}</th><td>${monthly}</td><td>${purchased}</td>
        <td class="left">${monthly + purchased}</td>
      </tr>`;
    }),
  );

const ledger = ({ key, ledger: { total, items } }: OpenedAccount): Html => html`
  <details id="ledger-${key}">
    <summary>Ledger ${count(total)}</summary>
    ${table(
      `Ledger of ${key}, newest first`,
      ["Time", "Why", "Monthly", "Purchased"],
      items.map(
        ({ at, credit, reason, monthly, purchased }) => html`<tr>
          <td>${timeOfDay(at)}</td><td>${credit} ${reason}</td>
          <td>${signed(monthly)}</td><td>${signed(purchased)}</td>
        </tr>`,
      ),
    )}
    ${total > items.length && html`<p class="quiet">${inWords(total - items.length)} older</p>`}
  </details>`;

const grant = ({ key }: OpenedAccount): Html => html`
  <details id="grant-${key}">
    <summary>Grant credits</summary>
    <form class="fields" action="${pathOf(key, "/credits")}" data-done="Credits are granted to ${key}" aria-label="Grant credits to ${key}">
      ${choice("Kind", { id: `grant-kind-${key}`, name: "credit" }, kinds)}
      <label>Monthly<input id="grant-monthly-${key}" name="monthly" type="number" min="0" step="1" value="10"></label>
      <label>Purchased<input id="grant-purchased-${key}" name="purchased" type="number" min="0" step="1"></label>
      <button class="main">Grant</button>
    </form>
  </details>`;

const newBrand = ({ key }: OpenedAccount): Html => html`
  <details id="new-brand-${key}">
    <summary>Create a brand</summary>
    <form class="fields" action="/v1/brands" data-done="The brand is created" aria-label="Create a brand of ${key}">
      <input type="hidden" name="account" value="${key}" data-bearer>
      <label class="long">Name<input id="brand-name-${key}" name="name" required dir="auto" autocomplete="off"></label>
      <label>First color<input id="brand-color-${key}" name="primary_color" type="color" value="#4a3fcf"></label>
      <label>Second color<input id="brand-second-${key}" name="secondary_color" type="color" value="#f4a259"></label>
      <button class="main">Create brand</button>
    </form>
  </details>`;

/** Shows one account: its credits, its ledger, and what can be done with it. */
export const accountCard = (account: OpenedAccount, isRemovable: boolean): Html => {
  const { key, aheadSeconds } = account;
  return html`
  <article id="account-${key}" class="panel account" tabindex="-1" aria-label="${key}">
    <div class="head">
      <h3><code>${userText(key)}</code></h3>
      <div class="buttons">
        ${orderButton({
          label: "Reset",
          name: `Reset ${key}`,
          path: pathOf(key, "/reset"),
          done: `${key} is as new`,
          confirm: `Throw away the jobs, brands and ads of ${key}?`,
          look: "plain",
        })}
        ${
          isRemovable &&
          orderButton({
            label: "Remove",
            name: `Remove ${key}`,
            path: pathOf(key, ""),
            method: "DELETE",
            done: `${key} is removed`,
            confirm: `Remove ${key} with its jobs, brands and ads?`,
            look: "plain",
          })
        }
      </div>
    </div>
    ${aheadSeconds !== 0 && html`<p class="quiet">Its clock is ${aheadSeconds} s ahead.</p>`}
    <div class="numbers">${credits(account)}</div> ${ledger(account)} ${grant(account)} ${newBrand(account)}
  </article>`;
};
