import { html } from "hono/html";
import {
  choice,
  count,
  type Html,
  options,
  orderButton,
  section,
  table,
  timeOfDay,
} from "./markup.ts";
import type { AccountOverview, Overview } from "./overview.ts";

const kinds = ["image", "video"] as const;

const pathOf = (key: string, more: string): string =>
  `/__mock/accounts/${encodeURIComponent(key)}/${more}`;

const signed = (amount: number): string => (amount > 0 ? `+${amount}` : String(amount));

const credits = ({ key, credits }: AccountOverview): Html =>
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

const ledger = ({ key, ledger: { total, items } }: AccountOverview): Html => html`
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
    ${total > items.length && html`<p class="quiet">${total - items.length} older</p>`}
  </details>`;

const grant = ({ key }: AccountOverview): Html => html`
  <details id="grant-${key}">
    <summary>Grant credits</summary>
    <form class="fields" action="${pathOf(key, "credits")}" data-order="grant" data-account="${key}" aria-label="Grant credits to ${key}">
      ${choice("Kind", "credit", `grant-kind-${key}`, options(`grant-kind-${key}`, kinds))}
      ${choice("Pot", "pot", `grant-pot-${key}`, options(`grant-pot-${key}`, ["monthly", "purchased"]))}
      <label>Amount<input id="grant-amount-${key}" name="amount" type="number" min="1" step="1" value="10" required></label>
      <button class="main">Grant</button>
    </form>
  </details>`;

const card = (account: AccountOverview): Html => html`
  <article id="account-${account.key}" class="panel account" tabindex="-1" aria-label="${account.key}">
    <div class="head">
      <h3><code>${account.key}</code></h3>
      ${orderButton({
        label: "Reset",
        name: `Reset ${account.key}`,
        path: pathOf(account.key, "reset"),
        done: `${account.key} is as new`,
        look: "plain",
      })}
    </div>
    ${account.aheadSeconds !== 0 && html`<p class="quiet">Its clock is ${account.aheadSeconds} s ahead.</p>`}
    ${credits(account)} ${ledger(account)} ${grant(account)}
  </article>`;

/** Shows the accounts with their credits and ledgers. */
export const accountsView = ({ accounts: { total, items } }: Overview): Html =>
  section(
    { id: "accounts", title: "Accounts", number: total },
    html`<div class="stack">${items.map(card)}</div>`,
  );
