import { html } from "hono/html";
import type { Choice, LinkTo } from "../choice.ts";
import { type Html, section } from "../markup.ts";
import { accountCard } from "./account-card.ts";
import type { AccountRow, AccountsLook } from "./account-look.ts";

const leftOf = ({ credits }: AccountRow, kind: "image" | "video"): number =>
  credits[kind].monthly + credits[kind].purchased;

const jobsOf = ({ counts }: AccountRow): number =>
  Object.values(counts.jobs).reduce((sum, count) => sum + count, 0);

const row = (account: AccountRow, chosen: string | undefined, linkTo: LinkTo): Html => {
  const { key } = account;
  const isChosen = key === chosen;
  const href = linkTo({ account: isChosen ? undefined : key, before: undefined });
  return html`<tr id="account-row-${key}" class="${isChosen ? "chosen" : ""}">
    <th scope="row"><a href="${href}#accounts" data-go data-stay aria-current="${String(isChosen)}"><bdi>${key}</bdi></a></th>
    <td>${leftOf(account, "image")}</td><td>${leftOf(account, "video")}</td><td>${jobsOf(account)}</td>
  </tr>`;
};

const find = ({ accounts = "" }: Choice): Html => html`
  <form id="find-account" class="filters" role="search" aria-label="Find an account" data-choose>
    <label class="long">Find<input id="accounts-text" name="accounts" type="search" value="${accounts}" dir="auto" autocomplete="off" spellcheck="false" placeholder="part of a key"></label>
  </form>`;

const list = (look: AccountsLook, choice: Choice, linkTo: LinkTo): Html => {
  const hidden = look.fitting - look.items.length;
  return html`
    ${look.total > look.items.length && find(choice)}
    <table id="accounts-table" class="numbers">
      <caption class="unseen">Accounts with the credits they have left</caption>
      <thead><tr><th scope="col">Key</th><th scope="col">Image</th><th scope="col">Video</th><th scope="col">Jobs</th></tr></thead>
      <tbody>${look.items.map((account) => row(account, choice.account, linkTo))}</tbody>
    </table>
    ${look.fitting === 0 && html`<p class="quiet">No key contains this.</p>`}
    ${hidden > 0 && html`<p class="quiet">${hidden.toLocaleString("en")} more: type a part of the key.</p>`}`;
};

const addAccount = html`
  <details id="add-account">
    <summary>Add an account</summary>
    <form id="new-account" class="fields" action="/__mock/accounts" data-order="newAccount" aria-label="Add an account">
      <label class="long">Key<input id="new-account-key" name="key" required dir="auto" autocomplete="off" spellcheck="false"></label>
      <label>Image credits<input id="new-account-image" name="image" type="number" min="0" step="1" placeholder="as usual"></label>
      <label>Video credits<input id="new-account-video" name="video" type="number" min="0" step="1" placeholder="as usual"></label>
      <button class="main">Add account</button>
    </form>
  </details>`;

/** Shows the accounts in brief, and the one that is chosen in full. */
export const accountsView = (look: AccountsLook, choice: Choice, linkTo: LinkTo): Html =>
  section(
    { id: "accounts", title: "Accounts", number: look.total },
    html`<div class="stack">
      <div class="panel">${look.total > 1 && list(look, choice, linkTo)} ${addAccount}</div>
      ${look.opened && accountCard(look.opened, look.total > 1)}
    </div>`,
  );
