import { html } from "hono/html";
import { type Html, orderButton, plural, userText } from "../markup.ts";

/** Plans that a list shows; a test may plan thousands. */
export const mostPlans = 50;

/** Field of a form: to how many requests or jobs a plan applies. */
export const times = (id: string): Html =>
  html`<label>Times<input id="${id}" name="times" type="number" min="1" step="1" value="1" placeholder="always"></label>`;

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

/** Shows one plan, with the button that takes it back. */
export const planView = ({ path, id, name, title, remaining, soFar, waitsFor }: Plan): Html => html`
  <li id="plan-${id}">
    <div>
      <strong>${title}</strong>
      <span class="left-over">${remaining === Number.POSITIVE_INFINITY ? "every time" : `${remaining.toLocaleString("en")} left`}</span>
      <p class="quiet">waits for ${waitsFor.map((part, index) => html`${index > 0 && " · "}${userText(part)}`)}</p>
      <p class="quiet">${soFar}</p>
    </div>
    ${orderButton({
      label: "Take back",
      name: `Take back ${name}`,
      path: `${path}/${encodeURIComponent(id)}`,
      method: "DELETE",
      done: `${name} is taken back`,
      look: "plain",
    })}
  </li>`;

/** Lists plans, and says how many more there are. */
export const planList = (id: string, plans: readonly Html[], total: number): Html => html`
  <ul id="${id}" class="things">${plans}</ul>
  ${total > plans.length && html`<p class="quiet">${plural(total - plans.length, "more plan")}</p>`}`;

/** Writes how often something has happened. */
export const timesSoFar = (verb: string, count: number): string =>
  count === 0 ? `not ${verb} yet` : `${verb} ${plural(count, "time")}`;
