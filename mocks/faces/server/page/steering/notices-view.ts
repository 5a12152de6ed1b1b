import { html } from "hono/html";
import type { MockService } from "../../../../service/mock-service.ts";
import type { Place } from "../choice.ts";
import { duration, type Html, plural, userText } from "../markup.ts";

/** Distance that two clocks of one computer may have. */
const sameMs = 2000;

/** Shows what is wrong, what is planned, and whose time was moved; each leads to its section. */
export const noticesView = (
  { accounts, clock, faults, jobs }: MockService,
  problems: readonly string[],
  { linkTo }: Place,
): Html => {
  const now = clock.now();
  const offset = now - Date.now();
  // Both clocks go on between the two readings.
  const ahead = accounts.filter((account) => account.clock.now() - now >= 1000);
  const notice = (number: number, thing: string, state: string, href: string): Html | false =>
    number > 0 && html`<a class="status warn" href="${href}">${plural(number, thing)} ${state}</a>`;
  return html`
  <div id="problems" role="alert" data-live>${problems.map(
    (problem) => html`<p class="problem">${userText(problem)}</p>`,
  )}</div>
  <section id="notices" class="line" aria-label="Plans and time" data-live>
    ${notice(faults.planned.length, "fault", "planned", "#faults")}
    ${notice(jobs.planned.length, "outcome", "planned", "#outcomes")}
    ${notice(ahead.length, "account clock", "ahead", `${linkTo({ account: ahead[0]?.key })}#accounts`)}
    ${
      Math.abs(offset) >= sameMs &&
      html`<span class="status warn moved">${duration(Math.abs(offset))} ${offset > 0 ? "ahead of" : "behind"} real time</span>`
    }
  </section>`;
};
