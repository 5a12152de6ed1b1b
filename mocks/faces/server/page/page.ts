import { randomBytes } from "node:crypto";
import { createAccountsView } from "./page-accounts.ts";
import { createDom } from "./page-dom.ts";
import { createFaultsView } from "./page-faults.ts";
import { createJobsView } from "./page-jobs.ts";
import { createJournalView } from "./page-journal.ts";
import { createLibraryView } from "./page-library.ts";
import { createLink } from "./page-link.ts";
import { markup } from "./page-markup.ts";
import { startPage } from "./page-start.ts";
import { style } from "./page-style.ts";

const views = [
  createAccountsView,
  createLibraryView,
  createJobsView,
  createFaultsView,
  createJournalView,
];

/** The functions themselves, as text: the page needs no build, and they are type-checked here. */
const script = `"use strict";
const dom = (${createDom})();
const link = (${createLink})(dom);
const views = [${views.map((view) => `(${view})(dom, link)`).join(",\n")}];
(${startPage})(dom, link, views);`;

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234a3fcf'/%3E%3Cpath d='M4 11 8 4l4 7' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

interface HelpLine {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const helpTable = (help: readonly HelpLine[]): string => `
<footer><details>
<summary>The same for programs: JSON over HTTP</summary>
<p class="quiet">Bodies and answers are JSON; POST and PUT need <code>content-type: application/json</code>.</p>
<table><caption class="unseen">Routes</caption>
<thead><tr><th scope="col">Route</th><th scope="col">What it does</th></tr></thead>
<tbody>${help
  .map(
    ({ method, path, summary }) =>
      `<tr><td><code>${method} ${escapeText(path)}</code></td><td>${escapeText(summary)}</td></tr>`,
  )
  .join("")}</tbody></table>
</details></footer>`;

/** Nothing but this server's own, and nothing that did not come with this very answer. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "img-src 'self' data:",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // No text can become markup, not by a mistake of ours either.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

/** The page to look at. What it shows it asks for itself: this answer is always the same. */
export const renderPage = (help: readonly HelpLine[]): Response => {
  const nonce = randomBytes(16).toString("base64url");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ad Generation Service · mock</title>
<link rel="icon" href="${icon}">
<style nonce="${nonce}">${style}</style>
</head>
<body>${markup}${helpTable(help)}
<script nonce="${nonce}">${script}</script>
</body>
</html>`;
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy(nonce),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
};
