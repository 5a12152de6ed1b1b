import type { Hono } from "hono";
import { html } from "hono/html";
import type { MockService } from "../../../service/mock-service.ts";
import { accountsView } from "./accounts.ts";
import { idiomorphJs, liveJs, pageCss } from "./assets.ts";
import { keyList } from "./forms.ts";
import { jobsView } from "./jobs.ts";
import { journalView } from "./journal.ts";
import { libraryView } from "./library.ts";
import { oneJobView } from "./one-job.ts";
import { readPlace } from "./place.ts";
import { plansView } from "./plans.ts";
import { navigation, shell } from "./shell.ts";

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

/** Mounts the page at `/__mock/`, with the files that it loads and the parts that it renews. */
export const mountPage = (app: Hono, service: MockService): void => {
  const { clock, faults, jobs } = service;
  const renderLinks = () =>
    navigation({ faults: faults.planned.length, outcomes: jobs.planned.length });
  const renderMain = (request: Request) => {
    const place = readPlace(service, request.url);
    return html`
    <main id="main" data-live>
      <div class="column">
        ${place.job === undefined ? jobsView(service, place) : oneJobView(service, place.job, place)}
        ${journalView(service, place)}
      </div>
      <div class="column">
        ${accountsView(service, place)} ${plansView(service)}
        ${libraryView(["brands", "Brands", "brands", "/v1/brands"], service, place)}
        ${libraryView(["ads", "Saved ads", "savedAds", "/v1/saved-ads"], service, place)}
      </div>
      ${keyList(service.accounts)}
    </main>`;
  };
  app.get("/__mock", () => new Response(null, { status: 308, headers: { location: "/__mock/" } }));
  app.get("/__mock/", ({ req }) => {
    const whole = shell(clock.now(), renderLinks(), renderMain(req.raw));
    return new Response(String(whole), { headers: pageHeaders });
  });
  app.get("/__mock/body", ({ req }) => {
    const headers = { ...pageHeaders, "x-mock-now": String(clock.now()) };
    return new Response(`${renderLinks()}${renderMain(req.raw)}`, { headers });
  });
  for (const { name, type, text } of files) {
    const headers = {
      "content-type": type,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    };
    app.get(`/__mock/${name}`, () => new Response(text, { headers }));
  }
};
