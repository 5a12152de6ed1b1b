import { html } from "hono/html";
import { actions, creditOfAction } from "../../../../src/contract/actions.ts";
import { isFinished, maxVariations } from "../../../../src/contract/jobs.ts";
import type { Made, Picture } from "./made.ts";
import { choice, count, type Html, options, orderButton, section, timeOfDay } from "./markup.ts";
import type { JobOverview, Overview } from "./overview.ts";

const videoActions = actions.filter((action) => creditOfAction[action] === "video");

const newJob = (keys: readonly string[], isOpen: boolean): Html => html`
  <details id="compose" class="panel" ${isOpen ? "open" : ""}>
    <summary>New job</summary>
    <form id="new-job" class="fields" action="/v1/jobs" data-order="newJob" aria-label="Submit a job">
      ${choice("Account", "account", "new-job-account", options("new-job-account", keys))}
      ${choice("Action", "action", "new-job-action", options("new-job-action", actions, "generate-ad"))}
      <label class="long">Prompt<input id="new-job-prompt" name="prompt" value="Summer sale" autocomplete="off"></label>
      <label>Variations<input id="new-job-variations" name="variations" type="number" min="1" max="${maxVariations}" value="2"></label>
      <label data-when="action" data-is="${videoActions.join(" ")}" hidden>
        Seconds<input id="new-job-duration" name="duration" type="number" min="1" max="60" placeholder="5" disabled>
      </label>
      <button class="main">Submit job</button>
    </form>
  </details>`;

const noJobs = (origin: string, key: string): Html => html`
  <div id="no-jobs" class="panel empty">
    <h3>No jobs yet</h3>
    <p>Submit the first one with the form above, or from a terminal:</p>
    <pre tabindex="0" role="region" aria-label="curl command">curl ${origin}/v1/jobs \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"action":"generate-ad","prompt":"Summer sale"}'</pre>
    <p>or with the SDK:</p>
    <pre tabindex="0" role="region" aria-label="TypeScript">import { createClient } from "adgen-sdk";

const client = createClient({
  baseUrl: "${origin}",
  apiKey: "${key}",
});
await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });</pre>
    <p class="quiet">It appears here, and moves from queued to finished as clients ask for it or as the clock moves.</p>
  </div>`;

/** A picture moves by itself, and no style sheet of the page can stop it: hence `&still`. */
const picture = (job: JobOverview, { src, elsewhere, seconds }: Picture, index: number): Html => {
  if (src === undefined) return html`<span class="elsewhere">${elsewhere}</span>`;
  const name = `${seconds === undefined ? "Picture" : "Video"} ${index + 1} of ${job.job_id}`;
  const url = `${src}?at=${encodeURIComponent(job.created_at)}`;
  return html`<a href="${url}" target="_blank" rel="noopener"><picture>
    <source media="(prefers-reduced-motion: reduce)" srcset="${url}&still">
    <img src="${url}" alt="${name}" loading="lazy">
  </picture>${seconds !== undefined && html`<span class="length">${seconds} s</span>`}</a>`;
};

const copyText = ({
  headline,
  primary_text,
  description,
  call_to_action: call,
}: Readonly<Record<string, string>>): Html => html`
  <li>
    <strong>${headline}</strong>
    <p>${primary_text}</p>
    <p class="quiet">${description}</p>
    ${call !== undefined && html`<span class="call">${call}</span>`}
  </li>`;

const madeView = (job: JobOverview, { images, videos, copy, other }: Made): Html => {
  const pictures = images ?? videos;
  if (pictures !== undefined) {
    const columns = Math.ceil(Math.sqrt(pictures.length));
    return html`<div class="made ${videos ? "videos" : "images"} columns-${columns}">
      ${pictures.map((piece, index) => picture(job, piece, index))}
    </div>`;
  }
  const name = `Result of ${job.job_id}`;
  return copy === undefined
    ? html`<pre class="made" tabindex="0" role="region" aria-label="${name}">${other}</pre>`
    : html`<ul class="made copy" tabindex="0" aria-label="${name}">${copy.map(copyText)}</ul>`;
};

const endings = [
  { label: "Complete", path: "complete", done: "has completed" },
  { label: "Fail", path: "fail", done: "has failed" },
  { label: "Expire", path: "expire", done: "has expired" },
];

const endButtons = ({ job_id: id }: JobOverview): Html => html`
  <div class="buttons">${endings.map(({ label, path, done }) =>
    orderButton({
      label,
      name: `${label} ${id}`,
      path: `/__mock/jobs/${encodeURIComponent(id)}/${path}`,
      done: `${id} ${done}`,
    }),
  )}</div>`;

const card = (job: JobOverview): Html => html`
  <li id="job-${job.job_id}" class="card ${job.status}" tabindex="-1">
    <div class="head"><strong>${job.action}</strong>${timeOfDay(job.created_at)}</div>
    ${job.made && madeView(job, job.made)}
    ${job.error !== undefined && html`<p class="reason made">${job.error}</p>`}
    <p class="quiet foot"><code>${job.job_id}</code> <span>${job.account}</span></p>
    ${!isFinished(job.status) && endButtons(job)}
  </li>`;

const titles = { queued: "Queued", processing: "Processing", finished: "Finished" };

const laneOf = ({ status }: JobOverview): string => (isFinished(status) ? "finished" : status);

const lane = (id: string, title: string, jobs: readonly JobOverview[]): Html => html`
  <section class="lane" aria-labelledby="${id}-title">
    <h3 id="${id}-title"><span class="dot ${id}" aria-hidden="true"></span>${title} ${count(jobs.length)}</h3>
    <ul id="${id}" tabindex="0" aria-label="${title} jobs">${jobs.map(card)}</ul>
  </section>`;

const lanes = (jobs: readonly JobOverview[]): Html => html`
  <div id="lanes">${Object.entries(titles).map(([id, title]) =>
    lane(
      id,
      title,
      jobs.filter((job) => laneOf(job) === id),
    ),
  )}</div>`;

/** Shows the jobs as cards that move through their states, and the form for a new one. */
export const jobsView = ({ jobs: { total, items }, accounts }: Overview, origin: string): Html => {
  const keys = accounts.items.map(({ key }) => key);
  const hidden = total - items.length;
  return section(
    { id: "jobs", title: "Jobs", number: total },
    html`
      ${newJob(keys, total === 0)}
      ${total === 0 ? noJobs(origin, keys[0] ?? "test-key") : lanes(items)}
      ${hidden > 0 && html`<p class="quiet">The newest ${items.length}; ${hidden} older ones are not shown.</p>`}`,
  );
};
