import { html } from "hono/html";
import { actions, creditOfAction } from "../../../../src/contract/actions.ts";
import { type JobStatus, jobStatuses, maxVariations } from "../../../../src/contract/jobs.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { asCurl } from "./curl.ts";
import { any, field, fieldsFor, filterForm, form, keyField, numberField, select } from "./forms.ts";
import { card } from "./job-card.ts";
import { chips, count, type Html, paging, plural, section, textBox } from "./markup.ts";
import { actionGroups, type Place } from "./place.ts";

/** Jobs of each state beside the others, and of one state that is chosen. */
const most = { each: 8, page: 40 };

const firstJob = { action: "generate-ad", prompt: "Summer sale" };

const videoActions = actions.filter((action) => creditOfAction[action] === "video");

/** Says what the job of a form would cost, and whether its account can pay it; nothing for a wrong one. */
const priceIn = (service: MockService, draft: URLSearchParams): string => {
  const counts: Record<string, number> = {};
  for (const name of ["variations", "duration"]) {
    const text = draft.get(`${name}:json`) ?? "";
    if (text !== "") counts[name] = Number(text);
  }
  const action = actions.find((name) => name === draft.get("action"));
  if (action === undefined) return "";
  try {
    const price = service.priceOf({ action, ...counts });
    if (price === undefined) return "It is free.";
    const cost = `It costs ${plural(price.amount, `${price.credit} credit`)}`;
    const account = service.accounts.find(({ key }) => key === draft.get("bearer"));
    if (account === undefined) return `${cost}.`;
    const { monthly, purchased } = account.credits[price.credit];
    const left = monthly + purchased;
    return `${cost}; ${account.key} has ${left}${left < price.amount ? ": a 402" : ""}.`;
  } catch {
    return "";
  }
};

const newJob = (service: MockService, key: string, isOpen: boolean, { draft }: Place): Html => {
  const price = priceIn(
    service,
    draft ?? new URLSearchParams({ ...firstJob, bearer: key, "variations:json": "2" }),
  );
  const fields = html`
    ${keyField("bearer", key, "")} ${select("Action", "action", actions, firstJob.action)}
    ${field("Prompt", "prompt", { value: firstJob.prompt })}
    ${numberField("Variations", "variations", { min: 1, max: maxVariations, value: 2 })}
    ${fieldsFor("action", videoActions, numberField("Seconds", "duration", { min: 1, max: 60, placeholder: "5" }))}
    <button class="main">Submit job</button>`;
  const look = price.endsWith(": a 402.") ? "error bad" : "quiet";
  const after = html`<output id="new-job-price" form="new-job-form" class="${look}">${price}</output>`;
  return html`<div class="panel">${form("new-job", "New job", "/v1/jobs", fields, { isOpen, after })}</div>`;
};

/** Shows how to submit the first job. */
const noJobs = ({ origin }: Place, key: string): Html => html`
  <div class="panel">
    <h3>No jobs yet</h3>
    <p>Submit the first one with the form above, or from a terminal:</p>
    ${textBox("curl command", asCurl(`${origin}/v1/jobs`, "POST", key, firstJob))}
    <p class="quiet">It appears here, and moves from queued to finished as clients ask for it or as the clock moves.</p>
  </div>`;

/** Shows the jobs as cards that move through their states, and the form for a new one. */
export const jobsView = (service: MockService, place: Place): Html => {
  const { account, jobs: search, fieldOf, linkTo } = place;
  const { counts } = service.jobs.search({ ...search, limit: 0 });
  const all = service.jobs.search({ limit: 0 }).total;
  const key = account ?? service.accounts[0]?.key ?? "test-key";

  const lane = (status: JobStatus): Html | false => {
    const limit = search.status === undefined ? most.each : most.page;
    const { jobs, total } = service.jobs.search({ ...search, status, limit, results: false });
    const cards = jobs
      .flatMap(({ job_id }) => service.jobs.inspect(job_id) ?? [])
      .map((detail) => card(detail, place));
    const older = cards.length === limit && { status, before: jobs.at(-1)?.job_id };
    return (
      cards.length > 0 &&
      html`
      <section class="lane ${status}" aria-labelledby="${status}-title">
        <h3 id="${status}-title" class="dot">${status} ${count(total)}</h3>
        <ul id="${status}" class="cards">${cards}</ul>
        ${paging([cards.length, total], "before", older, place, "jobs")}
      </section>`
    );
  };
  const lanes = jobStatuses.filter((name) => name === (search.status ?? name)).map(lane);
  const filters = html`<div class="panel">
    ${filterForm(
      "Filter the jobs",
      html`
      ${field("Text", "text", { type: "search", value: fieldOf("text"), placeholder: "prompt, action, brand, id, error" })}
      ${select("Action", "action", [any, ...Object.keys(actionGroups)], fieldOf("action"))}`,
    )}
    ${chips("State", counts, search.status, (name) => linkTo("jobs", { status: name, before: undefined }))}
  </div>`;
  const none = html`<p class="panel">No job fits the filters. <a href="/__mock/#jobs">Show all jobs</a></p>`;
  return section(
    "jobs",
    "Jobs",
    all,
    html`${newJob(service, key, all === 0, place)}
      ${all === 0 ? noJobs(place, key) : html`${filters} ${lanes.some(Boolean) ? html`<div class="lanes">${lanes}</div>` : none}`}`,
  );
};
