import { html } from "hono/html";
import type { LinkTo } from "../choice.ts";
import { type Html, plural, userText } from "../markup.ts";

/** Facts that a user should not have to look for. */
export interface Notices {
  /** Troubles of the server, such as a state file that cannot be written. */
  readonly problems: readonly string[];
  readonly faults: number;
  readonly outcomes: number;
  /** Keys of the accounts whose clocks are ahead of the service's. */
  readonly ahead: readonly string[];
}

/** Shows what is wrong, what is planned, and whose time was moved; each leads to its section. */
export const noticesView = (
  { problems, faults, outcomes, ahead }: Notices,
  linkTo: LinkTo,
): Html => html`
  <div id="problems" role="alert" data-live>${problems.map(
    (problem) => html`<p class="problem">${userText(problem)}</p>`,
  )}</div>
  <p id="notices" class="notices" data-live>
    ${faults > 0 && html`<a class="notice" href="#faults">${plural(faults, "fault")} planned</a>`}
    ${outcomes > 0 && html`<a class="notice" href="#outcomes">${plural(outcomes, "outcome")} planned</a>`}
    ${ahead.length > 0 && html`<a class="notice" href="${linkTo({ account: ahead[0] })}#accounts" data-go>${plural(ahead.length, "account clock")} ahead</a>`}
  </p>`;
