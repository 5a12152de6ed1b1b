import { html } from "hono/html";
import { actions } from "../../../../../src/contract/actions.ts";
import { jobExpiryMs } from "../../../../../src/contract/jobs.ts";
import type { PlannedOutcome } from "../../../../outcomes/outcome.ts";
import { choice, duration, type Html, keyField, userText } from "../markup.ts";
import { plansSection, planView, times, timesSoFar } from "./plan-parts.ts";

const scriptNextJob = (): Html => html`
  <details id="script-next-job">
    <summary>Script the next job</summary>
    <p class="quiet">The next job that fits ends so.</p>
    <form id="next-job" class="fields" action="/__mock/jobs/next" data-done="Planned for the next job" aria-label="Script the next job">
      ${choice("The job", { id: "next-outcome", name: "" }, ["fails", "completes"])}
      <label>Takes, seconds<input id="next-seconds" name="takesMs" type="number" min="0" step="any" placeholder="as usual" data-scale="1000"></label>
      <label class="long" data-when="next-outcome" data-is="fails">
        Reason<input id="next-text" name="fail" value="Generation failed" required autocomplete="off">
      </label>
      ${choice("Action", { id: "next-action", name: "action", none: "any" }, actions)}
      ${times("next-times")} ${keyField("next-account")}
      <button class="main">Script it</button>
    </form>
  </details>`;

/** Says how a job ends, and when. */
const describe = ({ fail, takesMs, ...rest }: PlannedOutcome): Html => {
  const end =
    fail === undefined
      ? html`${"result" in rest ? "completes with a result of its own" : "completes"}`
      : html`fails: ${userText(fail)}`;
  if (takesMs === undefined) return end;
  return takesMs > jobExpiryMs ? html`expires` : html`${end}, after ${duration(takesMs)}`;
};

const plannedView = (planned: PlannedOutcome): Html => {
  const { id, action, account, fail, taken, remaining } = planned;
  return planView({
    path: "/__mock/jobs/next",
    id,
    name: fail === undefined ? "completes" : "fails",
    title: describe(planned),
    remaining,
    soFar: timesSoFar("taken", taken),
    waitsFor: [action ?? "any job", ...(account === undefined ? [] : [account])],
  });
};

/** Shows the outcomes that wait for jobs, and the form that plans one. */
export const outcomesView = (outcomes: readonly PlannedOutcome[]): Html =>
  plansSection({
    id: "outcomes",
    title: "Outcomes",
    path: "/__mock/jobs/next",
    planned: outcomes,
    view: plannedView,
    none: "Nothing is scripted: jobs end as usual.",
    form: scriptNextJob(),
  });
