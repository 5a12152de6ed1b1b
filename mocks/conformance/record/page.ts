import { html } from "hono/html";
import { pageCss } from "../../faces/server/page/assets.ts";
import { table } from "../../faces/server/page/markup.ts";
import { describeCounts, describeFinding, marks } from "../tally.ts";
import type { RecordReport } from "./recorder.ts";

/** Parts of the recorder's page, by path. */
export const recordPage = (
  path: string,
  to: URL,
  { exchanges, assumptions, unlikeDocument }: RecordReport,
): { readonly type: string; readonly text: string } | undefined => {
  if (path === "/__mock/page.css") return { type: "text/css; charset=utf-8", text: pageCss };
  if (path !== "/__mock" && path !== "/__mock/") return undefined;
  const page = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta http-equiv="refresh" content="2">
    <title>Recording ${to.host}</title>
    <link rel="stylesheet" href="/__mock/page.css">
  </head>
  <body>
    <header class="first-row"><h1>Recording <small>${to.href}</small></h1></header>
    <main>
      <section aria-labelledby="assumptions">
        <h2 id="assumptions">Assumptions</h2>
        <p>${exchanges} exchanges. ${describeCounts(assumptions)}.</p>
        ${table(
          "Assumptions",
          ["", "Number", "Verdict", "Seen"],
          assumptions.map(
            (finding) =>
              html`<tr><td>${marks[finding.verdict]}</td><td>${finding.assumption}</td><td>${finding.verdict}</td><td dir="auto">${describeFinding(finding)}</td></tr>`,
          ),
        )}
      </section>
      <section aria-labelledby="document">
        <h2 id="document">Unlike openapi.json</h2>
        ${
          unlikeDocument.length === 0
            ? html`<p>Nothing.</p>`
            : html`<ul>${unlikeDocument.map(({ message, answers }) => html`<li dir="auto">${message} (${answers})</li>`)}</ul>`
        }
      </section>
    </main>
  </body>
</html>`;
  return { type: "text/html; charset=utf-8", text: String(page) };
};
