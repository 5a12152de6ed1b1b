import { html } from "hono/html";
import { type JobStatus, jobStatuses } from "../../../../../src/contract/jobs.ts";
import { actionGroups, type Place } from "../choice.ts";
import {
  choice as chooseFrom,
  count,
  filterForm,
  type Html,
  inWords,
  keyField,
  section,
} from "../markup.ts";
import { card, row } from "./card.ts";
import type { JobsLook, Lane } from "./job-look.ts";
import { newJob, noJobs } from "./new-job.ts";

const filters = ({ choice }: Place): Html =>
  filterForm(
    "job-filters",
    "Filter the jobs",
    html`
    <label class="long">Text
      <input id="filter-text" name="text" type="search" value="${choice.text}" dir="auto" autocomplete="off" placeholder="prompt, action, brand, id, error">
    </label>
    ${keyField("filter-account", choice.account)}
    ${chooseFrom("Action", { id: "filter-action", name: "action", none: "any" }, Object.keys(actionGroups), choice.action)}`,
  );

/** Leads to the list of the jobs of one state, or to all lanes. */
const ofState = ({ linkTo }: Place, status: JobStatus | undefined): string =>
  `${linkTo({ status, before: undefined })}#jobs`;

/** Shows how many jobs of each state fit; each count is a link that shows its state alone. */
const states = ({ total, counts }: JobsLook, place: Place): Html => {
  const link = (status: JobStatus | undefined, number: number): Html =>
    html`<a href="${ofState(place, status)}" data-go data-stay class="${number > 0 && status}" aria-current="${String(place.choice.status === status)}">${status ?? "All"} ${count(number)}</a>`;
  return html`<div class="classes" role="group" aria-label="State">
    ${link(undefined, total)} ${jobStatuses.map((name) => link(name, counts[name]))}
  </div>`;
};

const lane = ({ id, title, items, total, statuses }: Lane, look: JobsLook, place: Place): Html => {
  const rest = statuses.flatMap((status) => {
    const hidden = look.counts[status] - items.filter((job) => job.status === status).length;
    return hidden === 0
      ? []
      : [html`<a href="${ofState(place, status)}" data-go>${inWords(hidden)} more ${status}</a>`];
  });
  return html`
  <section class="lane" aria-labelledby="${id}-title">
    <h3 id="${id}-title"><span class="dot ${id}" aria-hidden="true"></span>${title} ${count(total)}</h3>
    <ul id="${id}" class="cards">${items.map((job) => card(job, place))}</ul>
    ${rest.length > 0 && html`<p class="rest">${rest}</p>`}
  </section>`;
};

/** Shows a page of the jobs of one state, and the ways to the other pages. */
const list = ({ id, items, title, total }: Lane, { isLater }: JobsLook, place: Place): Html => {
  const isPart = isLater || items.length < total;
  return html`
  <section id="job-list" aria-label="${title} jobs">
    <ul id="${id}" class="panel rows">${items.map((job) => row(job, place))}</ul>
    <p class="paging">
      ${isLater && html`<a href="${place.linkTo({ before: undefined })}#jobs" data-go>Newest</a>`}
      ${
        isPart &&
        items.length > 0 &&
        html`<span class="quiet">${inWords(items.length)} of ${inWords(total)}</span>
        <a href="${place.linkTo({ before: items.at(-1)?.job_id })}#jobs" data-go>Older</a>`
      }
    </p>
  </section>`;
};

/** Says why there is no job to show. */
const nothing = ({ isKnown }: JobsLook, { choice, linkTo }: Place): Html => {
  const none = undefined;
  const all = linkTo({ account: none, action: none, text: none, status: none, before: none });
  return html`<p class="panel none">
    ${isKnown ? "No job fits the filters." : html`No account has the key <bdi>${choice.account}</bdi>.`}
    <a href="${all}" data-go>Show all jobs</a>
  </p>`;
};

const content = (look: JobsLook, place: Place): Html => {
  const { status } = place.choice;
  if (look.lanes.every(({ total }) => total === 0)) return nothing(look, place);
  return status === undefined
    ? html`<div id="lanes">${look.lanes.map((one) => lane(one, look, place))}</div>`
    : html`${look.lanes.map((one) => list(one, look, place))}`;
};

/** Shows the jobs as cards that move through their states, and the form for a new one. */
export const jobsView = (look: JobsLook, keys: readonly string[], place: Place): Html => {
  const key = keys.find((one) => one === place.choice.account) ?? keys[0] ?? "test-key";
  return section(
    { id: "jobs", title: "Jobs", number: look.all },
    html`
      ${newJob(key, look.all === 0)}
      ${
        look.all === 0
          ? noJobs(place.origin, key)
          : html`<div class="panel search">${filters(place)} ${states(look, place)}</div>
            ${content(look, place)}`
      }`,
  );
};
