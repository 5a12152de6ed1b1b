import { html } from "hono/html";
import { actions } from "../../../../../src/contract/actions.ts";
import { type JobStatus, jobStatuses } from "../../../../../src/contract/jobs.ts";
import { keyField } from "../accounts/key-field.ts";
import type { Choice, LinkTo } from "../choice.ts";
import { choice as chooseFrom, type Html, section } from "../markup.ts";
import { card } from "./card.ts";
import type { JobsLook, Lane } from "./job-look.ts";
import { newJob, noJobs } from "./new-job.ts";

const inWords = (number: number): string => number.toLocaleString("en");

const filters = ({ account, action, text }: Choice): Html => html`
  <form id="job-filters" class="filters" role="search" aria-label="Filter the jobs" data-choose>
    <label class="long">Text
      <input id="filter-text" name="text" type="search" value="${text ?? ""}" dir="auto" autocomplete="off" placeholder="prompt, brand, id, error">
    </label>
    ${keyField({ id: "filter-account", name: "account", value: account ?? "" })}
    ${chooseFrom(
      "Action",
      "action",
      "filter-action",
      html`<option id="filter-action-" value="">any</option>${actions.map(
        (name) =>
          html`<option id="filter-action-${name}" ${name === action ? "selected" : ""}>${name}</option>`,
      )}`,
    )}
  </form>`;

/** Shows how many jobs of each state fit; each count is a button that shows its state alone. */
const states = ({ total, counts }: JobsLook, { status }: Choice): Html => {
  const button = (value: string, label: string, number: number): Html =>
    html`<button type="button" id="status-${value}" data-set="status" value="${value}" class="${number > 0 ? value : ""}" aria-pressed="${String((status ?? "") === value)}">${label} <span class="count">${inWords(number)}</span></button>`;
  return html`<div class="classes" role="group" aria-label="State">
    ${button("", "All", total)}
    ${jobStatuses.map((name) => button(name, name, counts[name]))}
  </div>`;
};

/** Says how many jobs of a state a lane has no room for, and leads to them. */
const restOf = (status: JobStatus, total: number, [wide, narrow]: readonly [number, number]) =>
  total > Math.min(wide, narrow) &&
  html`<button type="button" class="plain ${total > wide ? "" : "narrow"}" data-set="status" value="${status}">${
    total > wide && html`<span class="wide">${inWords(total - wide)}</span>`
  } <span class="narrow">${inWords(total - narrow)}</span> more ${status}</button>`;

/** Leads to the jobs of a lane that it has no room for. */
const rest = ({ items, narrow, statuses }: Lane, { counts }: JobsLook): Html => {
  const shown = (status: JobStatus, limit: number): number =>
    items.slice(0, limit).filter((job) => job.status === status).length;
  return html`<p class="rest">${statuses.map((status) =>
    restOf(status, counts[status], [shown(status, items.length), shown(status, narrow)]),
  )}</p>`;
};

const lane = (shown: Lane, look: JobsLook, linkTo: LinkTo): Html => {
  const { id, title, items, statuses } = shown;
  const total = statuses.reduce((sum, status) => sum + look.counts[status], 0);
  return html`
  <section class="lane" aria-labelledby="${id}-title">
    <h3 id="${id}-title"><span class="dot ${id}" aria-hidden="true"></span>${title} <span class="count">${inWords(total)}</span></h3>
    <ul id="${id}" class="cards">${items.map((job) => card(job, linkTo))}</ul>
    ${rest(shown, look)}
  </section>`;
};

/** Shows a page of the jobs of one state, and the ways to the other pages. */
const list = (shown: Lane, look: JobsLook, linkTo: LinkTo): Html => {
  const { items, title, statuses } = shown;
  const total = statuses.reduce((sum, status) => sum + look.counts[status], 0);
  const isWhole = !look.isLater && items.length === total;
  return html`
  <section id="job-list" aria-label="${title} jobs">
    <ul id="${shown.id}" class="cards">${items.map((job) => card(job, linkTo))}</ul>
    <p class="paging">
      ${look.isLater && html`<a href="${linkTo({ before: undefined })}#jobs" data-go>Newest</a>`}
      ${!isWhole && items.length > 0 && html`<span class="quiet">${inWords(items.length)} of ${inWords(total)}</span>`}
      ${!isWhole && items.length > 0 && html`<a href="${linkTo({ before: items.at(-1)?.job_id })}#jobs" data-go>Older</a>`}
    </p>
  </section>`;
};

/** Says why there is no job to show. */
const nothing = ({ isKnown }: JobsLook, { account }: Choice, linkTo: LinkTo): Html => {
  const all = linkTo({
    account: undefined,
    action: undefined,
    text: undefined,
    status: undefined,
    before: undefined,
  });
  return html`<p class="panel none">
    ${isKnown ? "No job fits the filters." : html`No account has the key <bdi>${account}</bdi>.`}
    <a href="${all}" data-go>Show all jobs</a>
  </p>`;
};

const content = (look: JobsLook, choice: Choice, linkTo: LinkTo): Html => {
  const { lanes } = look;
  const hasFew = choice.status === undefined ? look.total > 0 : look.counts[choice.status] > 0;
  if (!hasFew) return nothing(look, choice, linkTo);
  return choice.status === undefined
    ? html`<div id="lanes">${lanes.map((one) => lane(one, look, linkTo))}</div>`
    : html`${lanes.map((one) => list(one, look, linkTo))}`;
};

/** Shows the jobs as cards that move through their states, and the form for a new one. */
export const jobsView = (
  look: JobsLook,
  {
    choice,
    keys,
    linkTo,
    origin,
  }: {
    readonly choice: Choice;
    readonly keys: readonly string[];
    readonly linkTo: LinkTo;
    readonly origin: string;
  },
): Html => {
  const key = keys.find((one) => one === choice.account) ?? keys[0] ?? "test-key";
  return section(
    { id: "jobs", title: "Jobs", number: look.all },
    html`
      ${newJob(key, look.all === 0)}
      ${
        look.all === 0
          ? noJobs(origin, key)
          : html`<div class="panel search">${filters(choice)} ${states(look, choice)}</div>
            ${content(look, choice, linkTo)}`
      }`,
  );
};
