import type { Hono } from "hono";
import { html } from "hono/html";
import type { MockService } from "../../../service/mock-service.ts";
import { accountsView } from "./account-views.ts";
import { answerUnlessKnown, etagOf } from "./answer-unless-known.ts";
import {
  choicesJs,
  idiomorphJs,
  liveJs,
  ordersJs,
  pageCss,
  questionsJs,
  showJs,
} from "./assets.ts";
import { faultsView } from "./fault-views.ts";
import { jobsView } from "./job-views.ts";
import { lookAtJournal, readJournalChoice } from "./journal/journal-look.ts";
import { journalView } from "./journal/journal-view.ts";
import { libraryView } from "./library-views.ts";
import type { Html } from "./markup.ts";
import { overview } from "./overview.ts";
import { type HelpLine, shell } from "./shell.ts";

/** The page loads this server's files and nothing else, and no text can become a script. */
const policy = [
  "default-src 'none'",
  "img-src 'self' data:",
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
  { name: "questions.js", type: script, text: questionsJs },
  { name: "orders.js", type: script, text: ordersJs },
  { name: "show.js", type: script, text: showJs },
  { name: "idiomorph.js", type: script, text: idiomorphJs },
];

/** Reads the state and renders it only when that is asked for. */
const lookAt = (service: MockService, request: Request) => {
  const { origin, searchParams } = new URL(request.url);
  const seen = overview(service);
  const journal = lookAtJournal(service, readJournalChoice(searchParams));
  const keys = service.accounts.map(({ key }) => key);
  const etag = etagOf(JSON.stringify([seen, journal]));
  const body = (): Html => html`
    <main data-etag="${etag}">
      <div class="wide-column">
        ${jobsView(seen, origin)}
        ${journalView(journal, keys, origin)}
      </div>
      <div class="narrow-column">${accountsView(seen)} ${faultsView(seen)} ${libraryView(seen)}</div>
    </main>`;
  return { etag, body };
};

/** Mounts the page at `/__mock/`, with the files that it loads and the body that it renews. */
export const mountPage = (app: Hono, service: MockService, help: readonly HelpLine[]): void => {
  app.get("/__mock", () => new Response(null, { status: 308, headers: { location: "/__mock/" } }));
  app.get("/__mock/", ({ req }) => {
    const { body } = lookAt(service, req.raw);
    return new Response(String(shell(body(), service.clock.now(), help)), { headers: pageHeaders });
  });
  app.get("/__mock/body", ({ req }) => {
    const { etag, body } = lookAt(service, req.raw);
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
