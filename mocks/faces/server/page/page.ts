import type { Hono } from "hono";
import { html } from "hono/html";
import type { MockService } from "../../../service/mock-service.ts";
import { lookAtAccounts } from "./accounts/account-look.ts";
import { accountsView } from "./accounts/accounts-view.ts";
import { keyList } from "./accounts/key-field.ts";
import { libraryView } from "./accounts/library-view.ts";
import { answerUnlessKnown, etagOf } from "./answer-unless-known.ts";
import {
  choicesJs,
  idiomorphJs,
  liveJs,
  motionJs,
  offsetJs,
  ordersJs,
  pageCss,
  questionsJs,
  showJs,
} from "./assets.ts";
import { createLinks, readChoice } from "./choice.ts";
import { lookAtJobsPart } from "./jobs/jobs-part.ts";
import { lookAtJournal, readJournalChoice } from "./journal/journal-look.ts";
import { journalView } from "./journal/journal-view.ts";
import type { Html } from "./markup.ts";
import { type HelpLine, shell } from "./shell.ts";
import { faultsView } from "./steering/fault-view.ts";
import { type Notices, noticesView } from "./steering/notices-view.ts";
import { outcomesView } from "./steering/outcome-view.ts";
import { snapshotView } from "./steering/snapshot-view.ts";

/** The page loads this server's files and nothing else, and no text can become a script. */
const policy = [
  "default-src 'none'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The browser itself parses the answers of `XMLHttpRequest`, so that no policy is needed.
  "trusted-types 'none'",
].join("; ");

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const script = "text/javascript; charset=utf-8";

const files = [
  { name: "page.css", type: "text/css; charset=utf-8", text: pageCss },
  { name: "live.js", type: script, text: liveJs },
  { name: "choices.js", type: script, text: choicesJs },
  { name: "motion.js", type: script, text: motionJs },
  { name: "offset.js", type: script, text: offsetJs },
  { name: "questions.js", type: script, text: questionsJs },
  { name: "orders.js", type: script, text: ordersJs },
  { name: "show.js", type: script, text: showJs },
  { name: "idiomorph.js", type: script, text: idiomorphJs },
];

/** Keys of the accounts whose clocks were moved on their own. */
const keysAhead = ({ accounts, clock }: MockService): string[] => {
  const now = clock.now();
  // Both clocks go on between the two readings.
  return accounts.filter((account) => account.clock.now() - now >= 1000).map(({ key }) => key);
};

/** Reads the state and renders it only when that is asked for. */
const lookAt = (service: MockService, request: Request, problems: readonly string[]) => {
  const { origin, searchParams } = new URL(request.url);
  const choice = readChoice(searchParams);
  const linkTo = createLinks(searchParams);
  const keys = service.accounts.map(({ key }) => key);
  const jobs = lookAtJobsPart(service, { choice, keys, linkTo, origin });
  const accounts = lookAtAccounts(service, choice);
  const journal = lookAtJournal(service, readJournalChoice(searchParams));
  const faults = service.faults.planned;
  const outcomes = service.jobs.planned;
  const notices: Notices = {
    problems,
    faults: faults.length,
    outcomes: outcomes.length,
    ahead: keysAhead(service),
  };
  const etag = etagOf(
    JSON.stringify([jobs.seen, accounts, keys, choice, journal, faults, outcomes, notices]),
  );
  const body = (): Html => html`
    <main data-etag="${etag}" id="main" data-live>
      <div class="wide-column">
        ${jobs.view()}
        ${journalView(journal, { linkTo, origin })}
      </div>
      <div class="narrow-column">
        ${accountsView(accounts, choice, linkTo)}
        ${faultsView(faults)} ${outcomesView(outcomes)}
        ${libraryView(accounts)} ${snapshotView()}
      </div>
      ${keyList(keys)}
    </main>`;
  return { etag, body, notices: (): Html => noticesView(notices, linkTo) };
};

/** Mounts the page at `/__mock/`, with the files that it loads and the body that it renews. */
export const mountPage = (
  app: Hono,
  service: MockService,
  help: readonly HelpLine[],
  problems: () => readonly string[],
): void => {
  app.get("/__mock", () => new Response(null, { status: 308, headers: { location: "/__mock/" } }));
  app.get("/__mock/", ({ req }) => {
    const { body, notices } = lookAt(service, req.raw, problems());
    const whole = shell({ body: body(), notices: notices(), now: service.clock.now(), help });
    return new Response(String(whole), { headers: pageHeaders });
  });
  app.get("/__mock/body", ({ req }) => {
    const { etag, body, notices } = lookAt(service, req.raw, problems());
    const headers = { ...pageHeaders, "x-mock-now": String(service.clock.now()) };
    return answerUnlessKnown(req.raw, etag, headers, () => `${notices()}${body()}`);
  });
  for (const { name, type, text } of files) {
    const headers = {
      "content-type": type,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    };
    const etag = etagOf(text);
    app.get(`/__mock/${name}`, ({ req }) => answerUnlessKnown(req.raw, etag, headers, () => text));
  }
};
