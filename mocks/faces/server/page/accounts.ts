import { html } from "hono/html";
import type { MockAccount } from "../../../service/account.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { command, field, filterForm, form, keyField, numberField } from "./forms.ts";
import {
  count,
  type Html,
  inWords,
  paging,
  section,
  table,
  timeOfDay,
  userText,
} from "./markup.ts";
import type { Place } from "./place.ts";

const kinds = ["image", "video"] as const;

/** Accounts in the list, and entries of the ledger. */
const most = { accounts: 8, ledger: 15 };

/** Adds up the credits of each kind that an account has spent and has not got back. */
const spentBy = ({ charges }: MockAccount) => {
  const spent = { image: 0, video: 0 };
  for (const { credit, amount, refunded } of charges) if (!refunded) spent[credit] += amount;
  return spent;
};

const creditsOf = (account: MockAccount): Html => {
  const spent = spentBy(account);
  const rows = kinds.map((kind) => {
    const { monthly, purchased } = account.credits[kind];
    return html`<tr>
      <th scope="row">${kind}</th><td>${monthly}</td><td>${purchased}</td>
      <td><strong>${monthly + purchased}</strong></td><td>${spent[kind]}</td>
    </tr>`;
  });
  const columns = ["Credits", "Monthly", "Purchased", "Left", "Spent"];
  return table("sums", `credits-${account.key}`, `Credits of ${account.key}`, columns, rows);
};

/** Shows a part of the ledger, newest first: each entry names its job, as long as the mock knows it. */
const ledgerOf = ({ key, ledger }: MockAccount, { jobs }: MockService, place: Place): Html => {
  const { ledger: chosen, linkTo } = place;
  const end = Math.min(chosen ?? ledger.length, ledger.length);
  const older = Math.max(0, end - most.ledger);
  const signed = (amount: number): string => (amount > 0 ? `+${amount}` : String(amount));
  const rows = ledger.slice(older, end).map(({ at, credit, reason, jobId, monthly, purchased }) => {
    const action = jobId && jobs.inspect(jobId)?.job.action;
    return html`<tr>
      <td>${timeOfDay(at)}</td>
      <td>${credit} ${reason}${action && html`<br><a href="${linkTo("jobs", { job: jobId })}" aria-label="${action} ${jobId}">${action}</a>`}</td>
      <td>${signed(monthly)}</td><td>${signed(purchased)}</td>
    </tr>`;
  });
  const columns = ["Time", "Why", "Monthly", "Purchased"];
  return html`<details id="ledger-${key}" ${chosen !== undefined && "open"}>
    <summary>Ledger ${count(ledger.length)}</summary>
    ${table("", `entries-${key}`, `Ledger of ${key}, newest first`, columns, rows.reverse())}
    ${paging([rows.length, ledger.length], "ledger", older > 0 && { ledger: older }, place, `ledger-${key}`)}
  </details>`;
};

/** Shows one account: its credits, its ledger, and what can be done with it. */
const accountCard = (account: MockAccount, service: MockService, place: Place): Html => {
  const { key, clock } = account;
  const path = `accounts/${encodeURIComponent(key)}`;
  // Whole seconds, because a real clock moves on between the two readings.
  const ahead = Math.round((clock.now() - service.clock.now()) / 1000);
  const reset = { of: key, confirm: `Throw away the jobs, brands and ads of ${key}?` };
  const remove = { of: key, key, confirm: `Remove ${key} with its jobs, brands and ads?` };
  return html`
  <article id="account-${key}" class="panel" tabindex="-1" aria-label="${key}">
    <div class="bar">
      <h3><code>${userText(key)}</code></h3>
      ${command("Reset", `${path}/reset`, reset)}
      ${service.accounts.length > 1 && command("Remove", "removeAccount", remove)}
    </div>
    ${ahead !== 0 && html`<p class="quiet">Its clock is ${ahead} s ahead.</p>`}
    ${creditsOf(account)} ${ledgerOf(account, service, place)}
    ${form(
      `grant-${key}`,
      "Grant credits",
      `/__mock/${path}/grant`,
      html`${kinds.map(
        (kind) => html`
        ${numberField(`Monthly ${kind}`, `credits.${kind}.monthly`)}
        ${numberField(`Purchased ${kind}`, `credits.${kind}.purchased`)}`,
      )}<button class="main">Grant</button>`,
    )}
  </article>`;
};

/** Lists the accounts that have spent most; a choice narrows the page to one. */
const list = (accounts: readonly MockAccount[], { account: chosen, linkTo }: Place): Html => {
  const rows = accounts
    .map((account) => ({ account, spent: spentBy(account) }))
    .sort(({ spent: one }, { spent: other }) => other.image + other.video - one.image - one.video)
    .slice(0, most.accounts)
    .map(({ account: { key, credits }, spent }) => {
      const { image, video } = credits;
      const isChosen = key === chosen;
      const href = linkTo("accounts", { account: isChosen ? undefined : key, before: undefined });
      return html`<tr id="account-row-${key}">
        <th scope="row"><a href="${href}" data-stay aria-current="${String(isChosen)}"><bdi>${key}</bdi></a></th>
        <td>${image.monthly + image.purchased}</td><td>${video.monthly + video.purchased}</td>
        <td>${spent.image}</td><td>${spent.video}</td>
      </tr>`;
    });
  const caption = "Accounts with the credits they have left, those that have spent most first";
  const columns = ["Key", "Image left", "Video left", "Image spent", "Video spent"];
  return html`
    ${filterForm("Narrow the page to one account", keyField("account", chosen))}
    ${table("sums", "accounts-table", caption, columns, rows)}
    ${accounts.length > rows.length && html`<p class="quiet">${inWords(accounts.length - rows.length)} more</p>`}`;
};

/** Shows the accounts in brief, and the one that is chosen in full. */
export const accountsView = (service: MockService, place: Place): Html => {
  const { accounts } = service;
  const isOne = accounts.length === 1;
  const opened = accounts.find(({ key }) => isOne || key === place.account);
  const credits = { placeholder: "as usual" };
  return section(
    "accounts",
    "Accounts",
    accounts.length,
    html`<div class="panel">
      ${!isOne && list(accounts, place)}
      ${form(
        "add-account",
        "Add an account",
        "/__mock/addAccount",
        html`${field("Key", "key", { required: "" })}
        ${numberField("Image credits", "options.credits.image.monthly", credits)}
        ${numberField("Video credits", "options.credits.video.monthly", credits)}
        <button class="main">Add account</button>`,
      )}
    </div>
    ${opened && accountCard(opened, service, place)}`,
  );
};
