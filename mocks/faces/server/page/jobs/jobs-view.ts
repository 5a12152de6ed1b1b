import { html } from "hono/html";
import { actions, creditOfAction } from "../../../../../src/contract/actions.ts";
import { type JobStatus, jobStatuses, maxVariations } from "../../../../../src/contract/jobs.ts";
import type { MockService } from "../../../../service/mock-service.ts";
import { asCurl } from "../as-curl.ts";
import { actionGroups, type Place } from "../choice.ts";
import { filterForm, keyField, select } from "../forms.ts";
import { chip, chips, count, type Html, inWords, section, textBox } from "../markup.ts";
import { card, row } from "./card.ts";
import type { JobsLook, Lane } from "./job-look.ts";

/** Seconds of the longest video. */
const maxSeconds = 60;

const firstJob = { action: "generate-ad", prompt: "Summer sale" };

const videoActions = actions.filter((action) => creditOfAction[action] === "video");

/** Action options of the form, each with its price for so many seconds: 0, 1, 2 and so on. */
export const pricedActions = ({ priceOf }: MockService): Html[] =>
  actions.map((action) => {
    const isVideo = creditOfAction[action] === "video";
    const prices = Array.from({ length: isVideo ? maxSeconds + 1 : 1 }, (_, seconds) =>
      priceOf(seconds === 0 ? { action } : { action, duration: seconds }),
    );
    const amounts = prices.map((price) => price?.amount ?? 0).join(" ");
    const chosen = action === firstJob.action ? "selected" : "";
    return html`<option value="${action}" data-credit="${prices[0]?.credit ?? ""}" data-prices="${amounts}" ${chosen}>${action}</option>`;
  });

const newJob = (options: readonly Html[], key: string, isOpen: boolean): Html => html`
  <details id="compose" class="panel" ${isOpen ? "open" : ""}>
    <summary>New job</summary>
    <form id="new-job" class="fields" action="/v1/jobs" data-done="The job is submitted" aria-label="Submit a job">
      ${keyField("new-job-account", key, "bearer")}
      <label>Action<select id="new-job-action" name="action" autocomplete="off">${options}</select></label>
      <label class="long">Prompt<input id="new-job-prompt" name="prompt" value="Summer sale" dir="auto" autocomplete="off"></label>
      <label>Variations<input name="variations" type="number" min="1" max="${maxVariations}" value="2"></label>
      <label data-when="new-job-action" data-is="${videoActions.join(" ")}">Seconds<input name="duration" type="number" min="1" max="${maxSeconds}" placeholder="5"></label>
      <p class="long"><output id="new-job-price" for="new-job-action" class="quiet" data-price></output></p>
      <button class="main">Submit job</button>
    </form>
  </details>`;

const sdkOf = (origin: string, key: string): string => `import { createClient } from "adgen-sdk";

const client = createClient({
  baseUrl: "${origin}",
  apiKey: "${key}",
});
await client.jobs.submit({ action: "${firstJob.action}", prompt: "${firstJob.prompt}" });`;

/** Shows how to submit the first job. */
const noJobs = (origin: string, key: string): Html => html`
  <div id="no-jobs" class="panel">
    <h3>No jobs yet</h3>
    <p>Submit the first one with the form above, or from a terminal:</p>
    ${textBox("curl command", asCurl({ origin, method: "POST", path: "/v1/jobs", key, body: firstJob }))}
    <p>or with the SDK:</p>
    ${textBox("TypeScript", sdkOf(origin, key))}
    <p class="quiet">It appears here, and moves from queued to finished as clients ask for it or as the clock moves.</p>
  </div>`;

/** Leads to the list of the jobs of one state, or to all lanes. */
const ofState = ({ linkTo }: Place, status: JobStatus | undefined): string =>
  `${linkTo({ status, before: undefined })}#jobs`;

/** Shows the filters, and how many jobs of each state fit. */
const search = ({ total, counts }: JobsLook, place: Place): Html => {
  const { text, account, action, status } = place.choice;
  const fields = html`
    <label class="long">Text<input id="filter-text" name="text" type="search" value="${text}" dir="auto" autocomplete="off" placeholder="prompt, action, brand, id, error"></label>
    ${keyField("filter-account", account)}
    ${select("Action", { id: "filter-action", name: "action", none: "any" }, Object.keys(actionGroups), action)}`;
  const ofName = (name: JobStatus): Html =>
    chip(ofState(place, name), name, counts[name], name === status, counts[name] > 0 && name);
  return html`<div class="panel">
    ${filterForm("job-filters", "Filter the jobs", fields)}
    ${chips("State", [
      chip(ofState(place, undefined), "All", total, status === undefined),
      ...jobStatuses.map(ofName),
    ])}
  </div>`;
};

const lane = ({ id, title, items, total, statuses }: Lane, look: JobsLook, place: Place): Html => {
  const more = (status: JobStatus): Html | false => {
    const hidden = look.counts[status] - items.filter((job) => job.status === status).length;
    const href = ofState(place, status);
    return hidden > 0 && html`<a href="${href}">${inWords(hidden)} more ${status}</a>`;
  };
  return html`
  <section class="lane" aria-labelledby="${id}-title">
    <h3 id="${id}-title" class="dot ${id}">${title} ${count(total)}</h3>
    <ul id="${id}" class="cards">${items.map((job) => card(job, place))}</ul>
    <p class="line">${statuses.map(more)}</p>
  </section>`;
};

/** Shows a page of the jobs of one state, and the ways to the other pages. */
const list = ({ items, title, total }: Lane, { isLater }: JobsLook, place: Place): Html => {
  const oldest = items.at(-1)?.job_id;
  const older = html`<span class="quiet">${inWords(items.length)} of ${inWords(total)}</span>
    <a href="${place.linkTo({ before: oldest })}#jobs">Older</a>`;
  return html`
  <section aria-label="${title} jobs">
    <ul class="panel things">${items.map((job) => row(job, place))}</ul>
    <p class="line">
      ${isLater && html`<a href="${place.linkTo({ before: undefined })}#jobs">Newest</a>`}
      ${oldest !== undefined && (isLater || items.length < total) && older}
    </p>
  </section>`;
};

/** Says why there is no job to show. */
const nothing = ({ isKnown }: JobsLook, { choice }: Place): Html => html`<p class="panel">
    <span>${isKnown ? "No job fits the filters." : html`No account has the key <bdi>${choice.account}</bdi>.`}</span>
    <a href="/__mock/#jobs">Show all jobs</a>
  </p>`;

/** Shows the jobs as cards that move through their states, and the form for a new one. */
export const jobsView = (
  look: JobsLook,
  keys: readonly string[],
  options: readonly Html[],
  place: Place,
): Html => {
  const { account, status } = place.choice;
  const key = keys.find((one) => one === account) ?? keys[0] ?? "test-key";
  const lists = look.lanes.map((one) => (status === undefined ? lane : list)(one, look, place));
  const isEmpty = look.lanes.every(({ total }) => total === 0);
  const all = html`${search(look, place)} ${isEmpty ? nothing(look, place) : html`<div class="lanes">${lists}</div>`}`;
  return section(
    { id: "jobs", title: "Jobs", number: look.all },
    html`${newJob(options, key, look.all === 0)} ${look.all === 0 ? noJobs(place.origin, key) : all}`,
  );
};
