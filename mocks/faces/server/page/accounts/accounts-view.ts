import { html } from "hono/html";
import type { Place } from "../choice.ts";
import { filterForm } from "../forms.ts";
import {
  count,
  type Html,
  inWords,
  leftOut,
  section,
  table,
  timeOfDay,
  userText,
} from "../markup.ts";
import type { AccountsLook, OpenedAccount } from "./account-look.ts";

const kinds = ["image", "video"] as const;

type Entry = OpenedAccount["ledger"]["items"][number];

const signed = (amount: number): string => (amount > 0 ? `+${amount}` : String(amount));

const credits = ({ key, credits, spent }: OpenedAccount): Html => {
  const rows = kinds.map((kind) => {
    const { monthly, purchased } = credits[kind];
    return html`<tr>
      <th scope="row">${kind}</th><td>${monthly}</td><td>${purchased}</td>
      <td><strong>${monthly + purchased}</strong></td><td>${spent[kind]}</td>
    </tr>`;
  });
  const columns = ["Credits", "Monthly", "Purchased", "Left", "Spent"];
  return table(`credits-${key}`, `Credits of ${key}`, columns, rows);
};

/** Names the job of an entry, as long as the mock knows it. */
const jobOf = ({ jobId, action }: Entry, { linkTo }: Place): Html | undefined => {
  if (jobId === undefined || action === undefined) return undefined;
  return html`<br><a href="${linkTo({ job: jobId })}#jobs" aria-label="${action} ${jobId}">${action}</a>`;
};

const ledger = ({ key, ledger }: OpenedAccount, place: Place): Html => {
  const { total, newer, older, items } = ledger;
  const rows = items.map(
    (entry) => html`<tr>
      <td>${timeOfDay(entry.at)}</td><td>${entry.credit} ${entry.reason}${jobOf(entry, place)}</td>
      <td>${signed(entry.monthly)}</td><td>${signed(entry.purchased)}</td>
    </tr>`,
  );
  const hrefOf = (entry: number | undefined): string =>
    `${place.linkTo({ ledger: entry })}#ledger-${key}`;
  const columns = ["Time", "Why", "Monthly", "Purchased"];
  return html`<details id="ledger-${key}" ${newer > 0 ? "open" : ""}>
    <summary>Ledger ${count(total)}</summary>
    ${table(`entries-${key}`, `Ledger of ${key}, newest first`, columns, rows)}
    <p class="line">
      ${newer > 0 && html`<a href="${hrefOf(undefined)}" data-stay>Newest</a>`}
      ${older > 0 && html`<a href="${hrefOf(older)}" data-stay>Older</a> <span class="quiet">${inWords(older)} more</span>`}
    </p>
  </details>`;
};

const grant = ({ key }: OpenedAccount, path: string): Html => html`
  <details id="grant-${key}">
    <summary>Grant credits</summary>
    <form class="fields" action="${path}/grant" data-done="Credits are granted to ${key}" aria-label="Grant credits to ${key}">
      ${kinds.map(
        (kind) => html`
      <label>Monthly ${kind}<input name="credits.${kind}.monthly" type="number" min="0" step="1"></label>
      <label>Purchased ${kind}<input name="credits.${kind}.purchased" type="number" min="0" step="1"></label>`,
      )}
      <button class="main">Grant</button>
    </form>
  </details>`;

/** Shows one account: its credits, its ledger, and what can be done with it. */
const accountCard = (account: OpenedAccount, isRemovable: boolean, place: Place): Html => {
  const { key, aheadSeconds } = account;
  const path = `/__mock/accounts/${encodeURIComponent(key)}`;
  const remove = html`
    <form action="/__mock/removeAccount" data-done="${key} is removed" data-confirm="Remove ${key} with its jobs, brands and ads?">
      <button class="plain" name="key" value="${key}" aria-label="Remove ${key}">Remove</button></form>`;
  return html`
  <article id="account-${key}" class="panel" tabindex="-1" aria-label="${key}">
    <div class="bar">
      <h3><code>${userText(key)}</code></h3>
      <div class="line">
        <form action="${path}/reset" data-done="${key} is as new" data-confirm="Throw away the jobs, brands and ads of ${key}?">
          <button class="plain" aria-label="Reset ${key}">Reset</button></form>
        ${isRemovable && remove}
      </div>
    </div>
    ${aheadSeconds !== 0 && html`<p class="quiet">Its clock is ${aheadSeconds} s ahead.</p>`}
    ${credits(account)} ${ledger(account, place)} ${grant(account, path)}
  </article>`;
};

const list = ({ total, items, fitting }: AccountsLook, { choice, linkTo }: Place): Html => {
  const find = html`<label class="long">Find<input id="accounts-text" name="accounts" type="search" value="${choice.accounts}" dir="auto" autocomplete="off" spellcheck="false" placeholder="part of a key"></label>`;
  const rows = items.map(({ key, credits: { image, video }, spent, counts }) => {
    const isChosen = key === choice.account;
    const href = linkTo({ account: isChosen ? undefined : key, before: undefined });
    const jobs = Object.values(counts.jobs).reduce((sum, number) => sum + number, 0);
    return html`<tr id="account-row-${key}">
      <th scope="row"><a href="${href}#accounts" data-stay aria-current="${String(isChosen)}"><bdi>${key}</bdi></a></th>
      <td>${image.monthly + image.purchased}</td><td>${video.monthly + video.purchased}</td>
      <td>${spent.image}</td><td>${spent.video}</td><td>${jobs}</td>
    </tr>`;
  });
  const caption = "Accounts with the credits they have left, those that have spent most first";
  return html`
    ${total > items.length && filterForm("find-account", "Find an account", find)}
    ${table("accounts-table", caption, ["Key", "Image left", "Video left", "Image spent", "Video spent", "Jobs"], rows)}
    ${fitting === 0 && html`<p class="quiet">No key contains this.</p>`}
    ${leftOut(fitting - items.length, "more: type a part of the key.")}`;
};

const addAccount = html`
  <details id="add-account">
    <summary>Add an account</summary>
    <form class="fields" action="/__mock/addAccount" data-done="The account is added" aria-label="Add an account">
      <label class="long">Key<input name="key" required dir="auto" autocomplete="off" spellcheck="false"></label>
      <label>Image credits<input name="options.credits.image.monthly" type="number" min="0" step="1" placeholder="as usual"></label>
      <label>Video credits<input name="options.credits.video.monthly" type="number" min="0" step="1" placeholder="as usual"></label>
      <button class="main">Add account</button>
    </form>
  </details>`;

/** Shows the accounts in brief, and the one that is chosen in full. */
export const accountsView = (look: AccountsLook, place: Place): Html =>
  section(
    { id: "accounts", title: "Accounts", number: look.total },
    html`<div class="panel">${look.total > 1 && list(look, place)} ${addAccount}</div>
      ${look.opened && accountCard(look.opened, look.total > 1, place)}`,
  );
