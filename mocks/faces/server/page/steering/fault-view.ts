import { html } from "hono/html";
import { endpoints } from "../../../../../src/contract/endpoint.ts";
import {
  type FaultKind,
  faultKinds,
  isCarriedOut,
  type PlannedFault as Planned,
} from "../../../../faults/fault.ts";
import { faultSchema } from "../../../../faults/fault-schema.ts";
import { choice, type Html, keyField } from "../markup.ts";
import { describeFault } from "./fault-words.ts";
import { plansSection, planView, times, timesSoFar } from "./plan-parts.ts";

const firstKind: FaultKind = "status";

/** An HTTP server cannot refuse a connection that is made. */
const playable = faultKinds.filter((kind) => kind !== "refuse");

/** Ties a field of the form to the kinds of faults that have it. */
const ofKinds = (field: string) => {
  const kinds: readonly FaultKind[] = faultSchema.def.options.flatMap(({ shape }) =>
    field in shape ? [...shape.kind.def.values] : [],
  );
  const isOff = !kinds.includes(firstKind);
  return { is: kinds.join(" "), hidden: isOff ? "hidden" : "", disabled: isOff ? "disabled" : "" };
};

/** Makes the field of one number; a text in place of its usual value says what an empty field means. */
const numberOf = (field: string, label: string, usual: number | string): Html => {
  const { is, hidden, disabled } = ofKinds(field);
  const [value, placeholder] = typeof usual === "number" ? [usual, ""] : ["", usual];
  return html`<label data-when="fault-kind" data-is="${is}" ${hidden}>
    ${label}<input id="fault-${field}" name="fault.${field}" type="number" min="0" step="1" value="${value}" placeholder="${placeholder}" ${disabled}>
  </label>`;
};

const planFault = (): Html => html`
  <details id="plan-fault">
    <summary>Plan a fault</summary>
    <p class="quiet">It waits here until a request that fits meets it.</p>
    <form id="new-fault" class="fields" action="/__mock/faults" data-done="The fault is planned" aria-label="Plan a fault">
      ${choice("Kind", { id: "fault-kind", name: "fault.kind" }, playable, firstKind)}
      ${numberOf("status", "Status", 503)}
      ${numberOf("ms", "Milliseconds", 2000)}
      ${numberOf("retryAfterMs", "Retry after, ms", 1000)}
      ${numberOf("afterBytes", "After bytes", "half of the body")}
      ${numberOf("bytes", "Bytes a piece", 1)}
      ${numberOf("everyMs", "Every, ms", 100)}
      ${times("fault-times")}
      ${choice("Call", { id: "fault-operation", name: "operation", none: "any" }, Object.keys(endpoints))}
      ${keyField("fault-account")}
      <label class="check" data-when="fault-kind" data-is="${ofKinds("accepted").is}">
        <input id="fault-accepted" name="fault.accepted" type="checkbox"> carried out first
      </label>
      <button class="main">Plan fault</button>
    </form>
  </details>`;

/** Requests that a fault waits for. */
const waitsFor = ({ operation, account, probability = 1 }: Planned): string[] => [
  operation === undefined ? "any call" : [operation].flat().join(" or "),
  ...(account === undefined ? [] : [account]),
  ...(probability < 1 ? [`${probability * 100} % of them`] : []),
];

const plannedView = (planned: Planned): Html => {
  const { fault, id, remaining, played } = planned;
  return planView({
    path: "/__mock/faults",
    id,
    name: fault.kind,
    title: describeFault(fault),
    remaining,
    soFar: `${timesSoFar("played", played)}${fault.kind === "latency" ? "" : `; requests are ${isCarriedOut(fault) ? "carried out first" : "not carried out"}`}`,
    waitsFor: waitsFor(planned),
  });
};

/** Shows the planned faults, and the form that plans one. */
export const faultsView = (faults: readonly Planned[]): Html =>
  plansSection({
    id: "faults",
    title: "Faults",
    path: "/__mock/faults",
    planned: faults,
    view: plannedView,
    none: "None is planned: everything works.",
    form: planFault(),
  });
