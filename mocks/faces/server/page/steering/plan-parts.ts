import { html } from "hono/html";
import { type Html, inWords, orderButton, plural, section, userText } from "../markup.ts";

/** Plans that a list shows; a test may plan thousands. */
const mostPlans = 50;

/** Field of a form: to how many requests or jobs a plan applies. */
export const times = (id: string): Html =>
  html`<label>Times<input id="${id}" name="times" type="number" min="1" step="1" value="1" placeholder="always" data-empty="null"></label>`;

/** A plan that waits, as its list shows it. */
interface Plan {
  /** Path of the list in the admin, below which the plan has its own. */
  readonly path: string;
  readonly id: string;
  /** Name that tells it from the others. */
  readonly name: string;
  /** Words for its effect, with its own numbers. */
  readonly title: string | Html;
  readonly remaining: number;
  /** Words for its past, such as "played 3 times". */
  readonly soFar: string;
  /** Requests or jobs that it waits for. */
  readonly waitsFor: readonly string[];
}

/** Shows one plan, with the button that cancels it. */
export const planView = ({ path, id, name, title, remaining, soFar, waitsFor }: Plan): Html => html`
  <li id="plan-${id}">
    <div>
      <strong>${title}</strong>
      <span class="left-over">${remaining === Number.POSITIVE_INFINITY ? "every time" : `${inWords(remaining)} left`}</span>
      <p class="quiet">waits for ${waitsFor.map((part, index) => html`${index > 0 && " · "}${userText(part)}`)}</p>
      <p class="quiet">${soFar}</p>
    </div>
    ${orderButton({
      label: "Cancel",
      name: `Cancel ${name}`,
      path: `${path}/${encodeURIComponent(id)}`,
      method: "DELETE",
      done: `${name} is cancelled`,
      look: "plain",
    })}
  </li>`;

/** A section of plans. */
interface Plans<Planned> {
  /** Identifier of the section, which is also the word for the plans: "faults". */
  readonly id: string;
  readonly title: string;
  /** Path of the list in the admin. */
  readonly path: string;
  readonly planned: readonly Planned[];
  /** Shows one plan. */
  readonly view: (planned: Planned) => Html;
  /** Words for no plan at all. */
  readonly none: string;
  /** Form that plans one. */
  readonly form: Html;
}

const planList = (id: string, plans: readonly Html[], total: number): Html => html`
  <ul id="${id}-list" class="things">${plans}</ul>
  ${total > plans.length && html`<p class="quiet">${plural(total - plans.length, "more plan")}</p>`}`;

/** Shows what is planned, how many more there are, and the form that plans one. */
export const plansSection = <Planned>(plans: Plans<Planned>): Html => {
  const { id, title, path, planned, view, none, form } = plans;
  const number = planned.length;
  const cancelAll = orderButton({
    label: "Cancel all",
    name: `Cancel all: ${id}`,
    path,
    method: "DELETE",
    done: `No ${id} any more`,
    confirm: `Cancel all ${id}?`,
    look: "plain",
  });
  return section(
    { id, title, number, button: number > 0 && cancelAll },
    html`<div class="panel ${number > 0 ? "waiting" : ""}">
      ${
        number === 0
          ? html`<p class="quiet">${none}</p>`
          : planList(id, planned.slice(0, mostPlans).map(view), number)
      }
      ${form}
    </div>`,
  );
};

/** Writes how often something has happened. */
export const timesSoFar = (verb: string, count: number): string =>
  count === 0 ? `not ${verb} yet` : `${verb} ${plural(count, "time")}`;
