import { html } from "hono/html";
import { isFinished } from "../../../../../src/contract/jobs.ts";
import type { Place } from "../choice.ts";
import { type Html, orderButton, plural, timeOfDay, userText } from "../markup.ts";
import { madeInRow, madeOnCard } from "./made-view.ts";
import type { JobOverview } from "./show-job.ts";

const endings = [
  { label: "Complete", path: "complete", done: "has completed" },
  { label: "Fail", path: "fail", done: "has failed" },
  { label: "Expire", path: "expire", done: "has expired" },
];

/** Makes the buttons that end an unfinished job. */
export const endButtons = ({ job_id: id }: JobOverview): Html => html`
  <div class="buttons ends">${endings.map(({ label, path, done }) =>
    orderButton({
      label,
      name: `${label} ${id}`,
      path: `/__mock/jobs/${encodeURIComponent(id)}/${path}`,
      done: `${id} ${done}`,
    }),
  )}</div>`;

/** Says what a job cost. */
export const costOf = ({ cost }: JobOverview): string =>
  cost === undefined
    ? "free"
    : `${plural(cost.amount, `${cost.credit} credit`)}${cost.refunded ? ", paid back" : ""}`;

/** Says what was sent beside the prompt, and what that cost. */
const factsOf = (job: JobOverview): Html => html`
  <p class="quiet sent">${costOf(job)}${[
    ...job.parameters,
    ...(job.brand === undefined ? [] : [job.brand]),
  ].map((text) => html` · ${userText(text)}`)}</p>`;

/** Shows a job in brief; its name leads to all about it. */
export const card = (job: JobOverview, { linkTo }: Place): Html => {
  const { job_id: id, action, status, prompt, error, made } = job;
  const href = `${linkTo({ job: id })}#jobs`;
  return html`
  <li id="job-${id}" class="card ${status}" tabindex="-1">
    <div class="head"><a href="${href}" data-go aria-label="${action} ${id}"><strong>${action}</strong></a> ${timeOfDay(job.created_at)}</div>
    ${made && html`<a class="look" href="${href}" data-go tabindex="-1">${madeOnCard(job, made)}</a>`}
    ${error !== undefined && html`<div class="reason made"><strong>Failed</strong><p dir="auto">${error}</p></div>`}
    <p class="prompt" dir="auto">${prompt ?? html`<span class="quiet">no prompt</span>`}</p>
    ${factsOf(job)}
    <p class="quiet foot"><code>${id}</code> ${userText(job.account)}</p>
    ${!isFinished(status) && endButtons(job)}
  </li>`;
};

/** Shows a job as a row of a list. */
export const row = (job: JobOverview, { linkTo }: Place): Html => {
  const { job_id: id, action, status, prompt, error, made } = job;
  return html`
  <li id="job-${id}" class="row ${status}" tabindex="-1">
    ${made && madeInRow(job, made)}
    <div>
      <a href="${linkTo({ job: id })}#jobs" data-go aria-label="${action} ${id}"><strong>${action}</strong></a> ${timeOfDay(job.created_at)}
      <p class="prompt" dir="auto">${prompt ?? html`<span class="quiet">no prompt</span>`}</p>
      ${error !== undefined && html`<p class="error" dir="auto">${error}</p>`}
    </div>
    <div>
      <p class="quiet foot"><code>${id}</code> ${userText(job.account)}</p>
      ${factsOf(job)} ${!isFinished(status) && endButtons(job)}
    </div>
  </li>`;
};
