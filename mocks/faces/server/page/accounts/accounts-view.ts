import { html } from "hono/html";
import type { Place } from "../choice.ts";
import { filterForm, type Html, inWords, section } from "../markup.ts";
import { accountCard } from "./account-card.ts";
import type { AccountRow, AccountsLook } from "./account-look.ts";

const leftOf = ({ credits }: AccountRow, kind: "image" | "video"): number =>
  credits[kind].monthly + credits[kind].purchased;

const jobsOf = ({ counts }: AccountRow): number =>
  Object.values(counts.jobs).reduce((sum, count) => sum + count, 0);

const row = (account: AccountRow, { choice, linkTo }: Place): Html => {
  const { key } = account;
  const isChosen = key === choice.account;
  const href = linkTo({ account: isChosen ? undefined : key, before: undefined });
  return html`<tr id="account-row-${key}" class="${isChosen ? "chosen" : ""}">
    <th scope="row"><a href="${href}#accounts" data-go data-stay aria-current="${String(isChosen)}"><bdi>${key}</bdi></a></th>
    <td>${leftOf(account, "image")}</td><td>${leftOf(account, "video")}</td><td class="left">${account.spent}</td><td>${jobsOf(account)}</td>
  </tr>`;
};

const find = ({ choice }: Place): Html =>
  filterForm(
    "find-account",
    "Find an account",
    html`<label class="long">Find<input id="accounts-text" name="accounts" type="search" value="${choice.accounts}" dir="auto" autocomplete="off" spellcheck="false" placeholder="part of a key"></label>`,
  );

const list = (look: AccountsLook, place: Place): Html => {
  const hidden = look.fitting - look.items.length;
  return html`
    ${look.total > look.items.length && find(place)}
    <table id="accounts-table" class="numbers">
      <caption class="unseen">Accounts with the credits they have left, those that have spent most first</caption>
      <thead><tr><th scope="col">Key</th><th scope="col">Image</th><th scope="col">Video</th><th scope="col">Spent</th><th scope="col">Jobs</th></tr></thead>
      <tbody>${look.items.map((account) => row(account, place))}</tbody>
    </table>
    ${look.fitting === 0 && html`<p class="quiet">No key contains this.</p>`}
    ${hidden > 0 && html`<p class="quiet">${inWords(hidden)} more: type a part of the key.</p>`}`;
};

const addAccount = html`
  <details id="add-account">
    <summary>Add an account</summary>
    <form id="new-account" class="fields" action="/__mock/accounts" data-done="The account is added" aria-label="Add an account">
      <label class="long">Key<input id="new-account-key" name="key" required dir="auto" autocomplete="off" spellcheck="false"></label>
      <label>Image credits<input id="new-account-image" name="credits.image.monthly" type="number" min="0" step="1" placeholder="as usual"></label>
      <label>Video credits<input id="new-account-video" name="credits.video.monthly" type="number" min="0" step="1" placeholder="as usual"></label>
      <button class="main">Add account</button>
    </form>
  </details>`;

/** Shows the accounts in brief, and the one that is chosen in full. */
export const accountsView = (look: AccountsLook, place: Place): Html =>
  section(
    { id: "accounts", title: "Accounts", number: look.total },
    html`<div class="stack">
      <div class="panel">${look.total > 1 && list(look, place)} ${addAccount}</div>
      ${look.opened && accountCard(look.opened, look.total > 1)}
    </div>`,
  );
