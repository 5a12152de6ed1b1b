import { html } from "hono/html";
import { endpoints } from "../../../../src/contract/endpoint.ts";
import { type FaultKind, faultKinds } from "../../../faults/fault.ts";
import { faultSchema } from "../../../faults/fault-schema.ts";
import { accountChoice, choice, type Html, options, orderButton, section } from "./markup.ts";
import type { Overview } from "./overview.ts";

type Planned = Overview["faults"][number];

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

const numberOf = (field: string, label: string, usual: number): Html => {
  const { is, hidden, disabled } = ofKinds(field);
  return html`<label data-when="kind" data-is="${is}" ${hidden}>
    ${label}<input id="fault-${field}" name="${field}" type="number" min="0" step="1" value="${usual}" ${disabled}>
  </label>`;
};

const times = (id: string): Html =>
  html`<label>Times<input id="${id}" name="times" type="number" min="1" step="1" value="1" placeholder="always"></label>`;

const playFault = (keys: readonly string[]): Html => html`
  <details id="play-fault">
    <summary>Play a fault</summary>
    <form id="new-fault" class="fields" action="/__mock/faults" data-order="newFault" aria-label="Play a fault">
      ${choice("Kind", "kind", "fault-kind", options("fault-kind", playable, firstKind))}
      ${numberOf("status", "Status", 503)}
      ${numberOf("ms", "Milliseconds", 2000)}
      ${numberOf("retryAfterMs", "Retry after, ms", 1000)}
      ${times("fault-times")}
      ${choice(
        "Call",
        "operation",
        "fault-operation",
        html`<option id="fault-operation-" value="">any</option>${options("fault-operation", Object.keys(endpoints))}`,
      )}
      ${accountChoice("fault-account", keys)}
      <label class="check" data-when="kind" data-is="${ofKinds("accepted").is}">
        <input id="fault-accepted" name="accepted" type="checkbox"> carried out first
      </label>
      <button class="main">Play fault</button>
    </form>
  </details>`;

const scriptNextJob = (keys: readonly string[]): Html => html`
  <details id="script-next-job">
    <summary>Script the next job</summary>
    <form id="next-job" class="fields" action="/__mock/jobs/next" data-order="nextJob" aria-label="Script the next job">
      ${choice("It", "outcome", "next-outcome", options("next-outcome", ["fails", "completes"]))}
      <label>Takes, seconds<input id="next-seconds" name="seconds" type="number" min="0" step="any" placeholder="as usual"></label>
      <label class="long" data-when="outcome" data-is="fails">
        Reason<input id="next-text" name="text" placeholder="Generation failed" autocomplete="off">
      </label>
      ${times("next-times")} ${accountChoice("next-account", keys)}
      <button class="main">Script it</button>
    </form>
  </details>`;

const describe = ({ operation, account, probability = 1 }: Planned): string =>
  [
    operation === undefined ? "any call" : [operation].flat().join(", "),
    ...(account === undefined ? [] : [account]),
    ...(probability < 1 ? [`${probability * 100} %`] : []),
  ].join(" · ");

const plannedView = (planned: Planned): Html => {
  const { fault, id, remaining } = planned;
  return html`<li id="fault-${id}">
    <div>
      <strong>${fault.kind} ${"status" in fault && fault.status}</strong>
      ${remaining === Number.POSITIVE_INFINITY ? "every time" : `${remaining} ×`}
      <p class="quiet">${describe(planned)}</p>
    </div>
    ${orderButton({
      label: "Take back",
      name: `Take back ${fault.kind}`,
      path: `/__mock/faults/${encodeURIComponent(id)}`,
      method: "DELETE",
      done: `${fault.kind} is taken back`,
      look: "plain",
    })}
  </li>`;
};

/** Shows the planned faults, a form to play one, and a form that decides how the next job ends. */
export const faultsView = ({ faults }: Overview, keys: readonly string[]): Html => {
  const takeAllBack = orderButton({
    label: "Take all back",
    path: "/__mock/faults",
    method: "DELETE",
    done: "No faults any more",
    look: "plain",
  });
  return section(
    {
      id: "faults",
      title: "Faults",
      number: faults.length,
      button: faults.length > 0 && takeAllBack,
    },
    html`<div class="panel">
      ${
        faults.length === 0
          ? html`<p class="quiet">None is planned: everything works.</p>`
          : html`<ul id="faults-list" class="things">${faults.map(plannedView)}</ul>`
      }
      ${playFault(keys)} ${scriptNextJob(keys)}
    </div>`,
  );
};
