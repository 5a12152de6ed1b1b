import type { Hono } from "hono";
import { html } from "hono/html";
import type { MockService } from "../../../service/mock-service.ts";
import { lookAtAccounts } from "./accounts/account-look.ts";
import { accountsView } from "./accounts/accounts-view.ts";
import { libraryView } from "./accounts/library-view.ts";
import { answerUnlessKnown, etagOf } from "./answer-unless-known.ts";
import { idiomorphJs, liveJs, pageCss } from "./assets.ts";
import { readPlace } from "./choice.ts";
import { keyList } from "./forms.ts";
import { lookAtJobs } from "./jobs/job-look.ts";
import { jobsView, pricedActions } from "./jobs/jobs-view.ts";
import { oneJobView } from "./jobs/one-job-view.ts";
import { lookAtJournal } from "./journal/journal-look.ts";
import { journalView } from "./journal/journal-view.ts";
import type { Html } from "./markup.ts";
import { shell } from "./shell.ts";
import { noticesView } from "./steering/notices-view.ts";
import { plansView } from "./steering/plans-view.ts";
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
  "form-action 'self'",
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
  { name: "idiomorph.js", type: script, text: idiomorphJs },
];

/** Renders what the page renews, and marks it. */
const render = (
  service: MockService,
  { url }: Request,
  problems: readonly string[],
  actions: readonly Html[],
) => {
  const place = readPlace(url);
  const { choice } = place;
  const keys = service.accounts.map(({ key }) => key);
  const accounts = lookAtAccounts(service, choice);
  const notices = noticesView(service, problems, place);
  const body = html`
    <main id="main" data-live>
      <div class="column">
        ${
          choice.job === undefined
            ? jobsView(lookAtJobs(service, choice), keys, actions, place)
            : oneJobView(service, choice.job, place)
        }
        ${journalView(lookAtJournal(service, choice), place)}
      </div>
      <div class="column">
        ${accountsView(accounts, place)} ${plansView(service)}
        ${libraryView(accounts)} ${snapshotView}
      </div>
      ${keyList(service.accounts)}
    </main>`;
  return { etag: etagOf(`${notices}${body}`), body, notices };
};

/** Mounts the page at `/__mock/`, with the files that it loads and the body that it renews. */
export const mountPage = (
  app: Hono,
  service: MockService,
  problems: () => readonly string[],
): void => {
  // Prices are options of the service, and stay.
  const priced = pricedActions(service);
  app.get("/__mock", () => new Response(null, { status: 308, headers: { location: "/__mock/" } }));
  app.get("/__mock/", ({ req }) => {
    const { etag, body, notices } = render(service, req.raw, problems(), priced);
    const whole = shell(etag, service.clock.now(), notices, body);
    return new Response(String(whole), { headers: pageHeaders });
  });
  app.get("/__mock/body", ({ req }) => {
    const { etag, body, notices } = render(service, req.raw, problems(), priced);
    const headers = { ...pageHeaders, "x-mock-now": String(service.clock.now()) };
    return answerUnlessKnown(req.raw, etag, headers, () => `${notices}${body}`);
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
