import { html } from "hono/html";
import { endpoints } from "../../../../../src/contract/endpoint.ts";
import { jobExpiryMs } from "../../../../../src/contract/jobs.ts";
import { faultKinds, isCarriedOut, type PlannedFault } from "../../../../faults/fault.ts";
import { faultSchema } from "../../../../faults/fault-schema.ts";
import type { PlannedOutcome } from "../../../../outcomes/outcome.ts";
import type { MockService } from "../../../../service/mock-service.ts";
import { actionSelect, keyField, select } from "../forms.ts";
import { duration, type Html, inWords, plural, section, userText } from "../markup.ts";
import { describeFault } from "./fault-words.ts";

/** Plans that a list shows; a test may plan thousands. */
const mostPlans = 50;

/** Characters of the fields of a body by which a plan is chosen. */
const longestBody = 100;

/** Words for one plan. */
interface Words {
  /** Name that tells it from the others. */
  readonly name: string;
  /** Its effect, with its own numbers. */
  readonly title: string | Html;
  /** Requests or jobs that it waits for. */
  readonly waitsFor: readonly string[];
  /** Its past, such as "played 3 times". */
  readonly soFar: string;
}

const timesSoFar = (verb: string, count: number): string =>
  count === 0 ? `not ${verb} yet` : `${verb} ${plural(count, "time")}`;

/** Shows what is planned of one kind, how many more there are, and the form that plans one. */
const plansSection = <Planned extends PlannedFault | PlannedOutcome>(
  {
    id,
    title,
    none,
    clear,
    remove,
  }: Readonly<Record<"id" | "title" | "none" | "clear" | "remove", string>>,
  planned: readonly Planned[],
  describe: (plan: Planned) => Words,
  form: Html,
): Html => {
  const number = planned.length;
  const button = html`<form action="/__mock/${clear}" data-done="No ${id} any more" data-confirm="Cancel all ${id}?">
    <button class="plain" aria-label="Cancel all: ${id}">Cancel all</button></form>`;
  const item = (plan: Planned): Html => {
    const { name, title, waitsFor, soFar } = describe(plan);
    const { id, remaining, account } = plan;
    const whose = account === undefined ? "" : html` · ${userText(account)}`;
    return html`<li id="plan-${id}">
      <div>
        <strong>${title}</strong>
        <span class="status warn">${remaining === Number.POSITIVE_INFINITY ? "every time" : `${inWords(remaining)} left`}</span>
        <p class="quiet">waits for ${userText(waitsFor.join(" · "))}${whose}</p>
        <p class="quiet">${soFar}</p>
      </div>
      <form action="/__mock/${remove}" data-done="${name} is cancelled">
        <button class="plain" name="id" value="${id}" aria-label="Cancel ${name}">Cancel</button></form>
    </li>`;
  };
  return section(
    { id, title, number, button: number > 0 && button },
    html`<div class="panel ${number > 0 && "waiting"}">
      ${number === 0 && html`<p class="quiet">${none}</p>`}
      <ul id="${id}-list" class="things">${planned.slice(0, mostPlans).map(item)}</ul>
      ${number > mostPlans && html`<p class="quiet">${plural(number - mostPlans, "more plan")}</p>`}
      ${form}
    </div>`,
  );
};

/** Says which requests or jobs a plan waits for. */
const choiceOf = (
  { action = [], after = 0, body }: PlannedFault | PlannedOutcome,
  calls: string | readonly string[],
): string[] => [
  [calls, action].flat(2).join(" or "),
  ...(body === undefined ? [] : [`with ${JSON.stringify(body).slice(0, longestBody)}`]),
  ...(after === 0 ? [] : [`after ${after}`]),
];

const describePlannedFault = (planned: PlannedFault): Words => {
  const { fault, operation, action, played, probability = 1 } = planned;
  const calls = operation ?? (action === undefined ? "any call" : []);
  const effect = `requests are ${isCarriedOut(fault) ? "carried out first" : "not carried out"}`;
  const soFar = timesSoFar("played", played);
  return {
    name: fault.kind,
    title: describeFault(fault),
    waitsFor: [
      ...choiceOf(planned, calls),
      ...(probability < 1 ? [`${probability * 100} % of them`] : []),
    ],
    soFar: fault.kind === "latency" ? soFar : `${soFar}; ${effect}`,
  };
};

/** Says how a job ends, and when. */
const describeEnd = ({ fail, takesMs, ...rest }: PlannedOutcome): Html => {
  if (takesMs !== undefined && takesMs > jobExpiryMs) return html`expires`;
  const completes = "result" in rest ? "completes with a result of its own" : "completes";
  const end = fail === undefined ? completes : html`fails: ${userText(fail)}`;
  return takesMs === undefined ? html`${end}` : html`${end}, after ${duration(takesMs)}`;
};

const describePlannedOutcome = (planned: PlannedOutcome): Words => ({
  name: planned.fail === undefined ? "completes" : "fails",
  title: describeEnd(planned),
  waitsFor: choiceOf(planned, planned.action === undefined ? "any job" : []),
  soFar: timesSoFar("taken", planned.taken),
});

/** Fields of a form: to how many requests or jobs a plan applies, and how many pass before. */
const howOften = (id: string): Html => html`
  ${select("How often", { id, name: "" }, ["counted", "always"])}
  <label data-when="${id}" data-is="counted">Times<input name="options.times" type="number" min="1" step="1" value="1" required></label>
  <span data-when="${id}" data-is="always"><input name="options.times" type="hidden" data-empty="null"></span>
  <label>Let pass first<input name="options.after" type="number" min="0" step="1" placeholder="none"></label>`;

/** Ties a field of the form to the kinds of faults that have it. */
const ofKinds = (field: string): Html =>
  html`data-when="fault-kind" data-is="${faultSchema.def.options
    .flatMap(({ shape }) => (field in shape ? [...shape.kind.def.values] : []))
    .join(" ")}"`;

/** Makes the field of one number; a text in place of its usual value says what an empty field means. */
const numberOf = (field: string, label: string, usual: number | string): Html =>
  html`<label ${ofKinds(field)}>${label}<input name="fault.${field}" type="number" min="0" step="1" ${typeof usual === "number" ? "value" : "placeholder"}="${usual}"></label>`;

/** An HTTP server cannot refuse a connection that is made. */
const playable = faultKinds.filter((kind) => kind !== "refuse");

const faultForm = html`
  <details id="plan-fault">
    <summary>Plan a fault</summary>
    <p class="quiet">It waits here until a request that fits meets it.</p>
    <form class="fields" action="/__mock/faults.play" data-done="The fault is planned" aria-label="Plan a fault">
      ${select("Kind", { id: "fault-kind", name: "fault.kind" }, playable, "status")}
      ${numberOf("status", "Status", 503)}
      ${numberOf("ms", "Milliseconds", 2000)}
      ${numberOf("retryAfterMs", "Retry after, ms", 1000)}
      ${numberOf("afterBytes", "After bytes", "half of the body")}
      ${numberOf("bytes", "Bytes a piece", 1)}
      ${numberOf("everyMs", "Every, ms", 100)}
      ${howOften("fault-often")}
      ${select("Call", { id: "fault-operation", name: "options.operation", none: "any" }, Object.keys(endpoints))}
      ${actionSelect("fault-action")}
      ${keyField("fault-account", "", "", "options.account")}
      <label ${ofKinds("accepted")}><input name="fault.accepted" type="checkbox"> carried out first</label>
      <button class="main">Plan fault</button>
    </form>
  </details>`;

const outcomeForm = html`
  <details id="script-next-job">
    <summary>Script the next job</summary>
    <p class="quiet">The next job that fits ends so.</p>
    <form class="fields" action="/__mock/jobs.next" data-done="Planned for the next job" aria-label="Script the next job">
      ${select("The job", { id: "next-outcome", name: "" }, ["fails", "completes"])}
      <label>Takes, seconds<input name="outcome.takesMs" type="number" min="0" step="any" placeholder="as usual" data-scale="1000"></label>
      <label class="long" data-when="next-outcome" data-is="fails">
        Reason<input name="outcome.fail" value="Generation failed" required autocomplete="off">
      </label>
      ${actionSelect("next-action")} ${howOften("next-often")}
      ${keyField("next-account", "", "", "options.account")}
      <button class="main">Script it</button>
    </form>
  </details>`;

/** Shows the faults and the ends of jobs that are planned, and the forms that plan one. */
export const plansView = ({ faults, jobs }: MockService): Html => {
  const noFault = "None is planned: everything works.";
  const noOutcome = "Nothing is scripted: jobs end as usual.";
  const ofFaults = { id: "faults", title: "Faults", none: noFault };
  const ofJobs = { id: "outcomes", title: "Outcomes", none: noOutcome };
  return html`
    ${plansSection({ ...ofFaults, clear: "faults.clear", remove: "faults.remove" }, faults.planned, describePlannedFault, faultForm)}
    ${plansSection({ ...ofJobs, clear: "jobs.clearPlanned", remove: "jobs.removePlanned" }, jobs.planned, describePlannedOutcome, outcomeForm)}`;
};
