import type { Hono } from "hono";
import { html } from "hono/html";
import type { MockService } from "../../../service/mock-service.ts";
import { lookAtAccounts } from "./accounts/account-look.ts";
import { accountsView } from "./accounts/accounts-view.ts";
import { keyList } from "./accounts/key-field.ts";
import { libraryView } from "./accounts/library-view.ts";
import { answerUnlessKnown, etagOf } from "./answer-unless-known.ts";
import { idiomorphJs, liveJs, ordersJs, pageCss, showJs } from "./assets.ts";
import { createLinks, readChoice } from "./choice.ts";
import { faultsView } from "./fault-views.ts";
import { lookAtJobs } from "./jobs/job-look.ts";
import { jobsView } from "./jobs/jobs-view.ts";
import { journalView } from "./journal-views.ts";
import type { Html } from "./markup.ts";
import { overview } from "./overview.ts";
import { type HelpLine, shell } from "./shell.ts";

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
  { name: "orders.js", type: script, text: ordersJs },
  { name: "show.js", type: script, text: showJs },
  { name: "idiomorph.js", type: script, text: idiomorphJs },
];

const problemsView = (problems: readonly string[]): Html =>
  problems.length === 0
    ? html``
    : html`<div role="alert" class="problems">${problems.map((line) => html`<p>${line}</p>`)}</div>`;

/** Reads the state and renders it only when that is asked for. */
const lookAt = (service: MockService, request: Request, problems: readonly string[]) => {
  const { origin, searchParams } = new URL(request.url);
  const open = searchParams.get("open") ?? "";
  const choice = readChoice(searchParams);
  const linkTo = createLinks(searchParams);
  const keys = service.accounts.map(({ key }) => key);
  const seen = overview(service);
  const jobs = lookAtJobs(service, choice);
  const accounts = lookAtAccounts(service, choice);
  const etag = etagOf(JSON.stringify([seen, jobs, accounts, keys, choice, open, problems]));
  const body = (): Html => html`
    <main data-etag="${etag}">
      ${problemsView(problems)}
      <div class="wide-column">
        ${jobsView(jobs, { choice, keys, linkTo, origin })}
        ${journalView(seen, service.journal, new Set(open.split(",")))}
      </div>
      <div class="narrow-column">${accountsView(accounts, choice, linkTo)} ${faultsView(seen, keys)} ${libraryView(accounts)}</div>
      ${keyList(keys)}
    </main>`;
  return { etag, body };
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
    const { body } = lookAt(service, req.raw, problems());
    return new Response(String(shell(body(), service.clock.now(), help)), { headers: pageHeaders });
  });
  app.get("/__mock/body", ({ req }) => {
    const { etag, body } = lookAt(service, req.raw, problems());
    const headers = { ...pageHeaders, "x-mock-now": String(service.clock.now()) };
    return answerUnlessKnown(req.raw, etag, headers, () => String(body()));
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
