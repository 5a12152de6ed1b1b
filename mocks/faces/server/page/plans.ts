import { html } from "hono/html";
import { endpoints } from "../../../../src/contract/endpoint.ts";
import { type FaultKind, faultKinds, type PlannedFault } from "../../../faults/fault.ts";
import type { PlannedOutcome } from "../../../outcomes/outcome.ts";
import type { MockService } from "../../../service/mock-service.ts";
import {
  actionSelect,
  any,
  command,
  field,
  fieldsFor,
  form,
  keyField,
  numberField,
  select,
} from "./forms.ts";
import { type Html, inBrief, inWords, plural, section } from "./markup.ts";

/** Plans that a list shows; a test may plan thousands. */
const mostPlans = 50;

/** Shows one plan, with a button that takes it back. */
const planItem = (plan: PlannedFault | PlannedOutcome, remove: string): Html => {
  const { id, remaining, times: _, ...rest } = plan;
  const { kind, ...effect } =
    "fault" in rest ? rest.fault : { kind: rest.fail === undefined ? "completes" : "fails" };
  return html`<li id="plan-${id}" class="bar">
    <div>
      <strong>${kind}</strong>
      <span class="status">${remaining === Number.POSITIVE_INFINITY ? "every time" : `${inWords(remaining)} left`}</span>
      <p class="quiet" dir="auto">${inBrief({ ...effect, ...rest, fault: undefined })}</p>
    </div>
    ${command("Cancel", remove, { of: kind, id })}
  </li>`;
};

/** Fields of a form: the requests or jobs to which a plan applies. */
const choice = (actionOf: Html | false): Html => html`
  ${select("Times", "options.times:json", [...["1", "2", "3", "5", "10", "100"], ["always", "null"]])}
  ${numberField("Let pass first", "options.after", { placeholder: "none" })}
  ${actionOf} ${actionSelect("options.action")} ${keyField("options.account")}`;

/** An HTTP server cannot refuse a connection that is made. */
const playable = faultKinds.filter((kind) => kind !== "refuse");

/** Numbers of faults, each with the kinds that have it, and its usual value. */
const numbers: readonly (readonly [string, string, readonly FaultKind[], object])[] = [
  ["Status", "status", ["status", "html"], { value: 503 }],
  ["Milliseconds", "ms", ["latency"], { value: 2000 }],
  ["Retry after, ms", "retryAfterMs", ["rate-limit"], { value: 1000 }],
  ["After bytes", "afterBytes", ["stall-body", "cut-body"], { placeholder: "half of the body" }],
  ["Every, ms", "everyMs", ["drip-body"], { value: 100 }],
];

const faultForm = form(
  "plan-fault",
  "Plan a fault",
  "/__mock/faults.play",
  html`
    ${select("Kind", "fault.kind", playable, "status")}
    ${numbers.map(([label, name, kinds, usual]) =>
      fieldsFor("fault.kind", kinds, numberField(label, `fault.${name}`, { ...usual })),
    )}
    ${choice(select("Call", "options.operation", [any, ...Object.keys(endpoints)]))}
    ${fieldsFor(
      "fault.kind",
      ["reset", "stall", "status"],
      html`<label><input name="fault.accepted:json" type="checkbox" value="true"> carried out first</label>`,
    )}
    <button class="main">Plan fault</button>`,
);

const outcomeForm = form(
  "script-next-job",
  "Script the next job",
  "/__mock/jobs.next",
  html`
    ${field("Fails with", "outcome.fail", { value: "Generation failed", placeholder: "nothing: it completes" })}
    ${numberField("Takes, ms", "outcome.takesMs", { placeholder: "as usual" })} ${choice(false)}
    <button class="main">Script it</button>`,
);

/** Shows the faults and the ends of jobs that are planned, and the forms that plan one. */
export const plansView = ({ faults, jobs }: MockService): Html => {
  const plans = (
    [id, title, none, clear, remove]: readonly [string, string, string, string, string],
    planned: readonly (PlannedFault | PlannedOutcome)[],
    fields: Html,
  ): Html =>
    section(
      id,
      title,
      planned.length,
      html`<div class="panel ${planned.length > 0 && "warn"}">
        ${planned.length === 0 ? html`<p class="quiet">${none}</p>` : html`<ul id="${id}-list" class="things">${planned.slice(0, mostPlans).map((plan) => planItem(plan, remove))}</ul>`}
        ${planned.length > mostPlans && html`<p class="quiet">${plural(planned.length - mostPlans, "more plan")}</p>`}
        ${fields}
      </div>`,
      planned.length > 0 && command("Cancel all", clear, { of: id, confirm: `Cancel all ${id}?` }),
    );
  const noFault = "None is planned: everything works.";
  const noOutcome = "Nothing is scripted: jobs end as usual.";
  return html`
    ${plans(["faults", "Faults", noFault, "faults.clear", "faults.remove"], faults.planned, faultForm)}
    ${plans(["outcomes", "Outcomes", noOutcome, "jobs.clearPlanned", "jobs.removePlanned"], jobs.planned, outcomeForm)}`;
};
