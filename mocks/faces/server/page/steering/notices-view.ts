import { html } from "hono/html";
import type { MockService } from "../../../../service/mock-service.ts";
import type { Place } from "../choice.ts";
import { type Html, orderButton, plural, userText } from "../markup.ts";

/** Distance that two clocks of one computer may have. */
const sameMs = 2000;

/** Units of time, each with the next smaller one. */
const units = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
];

/** Writes a distance in time in one or two units: `1 h 30 min`. */
const distance = (ms: number): string => {
  let rest = Math.round(ms / 1000);
  const parts = units.map(({ name, seconds }) => {
    const number = Math.floor(rest / seconds);
    rest -= number * seconds;
    return { name, number };
  });
  const first = parts.findIndex(({ number }) => number > 0);
  return parts
    .slice(first, first + 2)
    .filter(({ number }) => number > 0)
    .map(({ name, number }) => `${number} ${name}`)
    .join(" ");
};

/** Says how far the mock's clock is from real time, and offers the way back. */
const offset = (ms: number): Html | false =>
  Math.abs(ms) >= sameMs &&
  html`<span class="notice moved">${distance(Math.abs(ms))} ${ms > 0 ? "ahead of" : "behind"} real time</span>
    ${orderButton({ label: "To real time", path: "/__mock/clock/real", done: "The clock shows real time" })}`;

/** Keys of the accounts whose clocks were moved on their own. */
const keysAhead = ({ accounts, clock }: MockService): string[] => {
  const now = clock.now();
  // Both clocks go on between the two readings.
  return accounts.filter((account) => account.clock.now() - now >= 1000).map(({ key }) => key);
};

/** Shows what is wrong, what is planned, and whose time was moved; each leads to its section. */
export const noticesView = (
  service: MockService,
  problems: readonly string[],
  { linkTo }: Place,
): Html => {
  const faults = service.faults.planned.length;
  const outcomes = service.jobs.planned.length;
  const ahead = keysAhead(service);
  return html`
  <div id="problems" role="alert" data-live>${problems.map(
    (problem) => html`<p class="problem">${userText(problem)}</p>`,
  )}</div>
  <section id="notices" class="notices" aria-label="Plans and time" data-live>
    ${faults > 0 && html`<a class="notice" href="#faults">${plural(faults, "fault")} planned</a>`}
    ${outcomes > 0 && html`<a class="notice" href="#outcomes">${plural(outcomes, "outcome")} planned</a>`}
    ${ahead.length > 0 && html`<a class="notice" href="${linkTo({ account: ahead[0] })}#accounts" data-go>${plural(ahead.length, "account clock")} ahead</a>`}
    ${offset(service.clock.now() - Date.now())}
  </section>`;
};
