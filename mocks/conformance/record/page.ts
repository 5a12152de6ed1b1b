import { html } from "hono/html";
import { pageCss } from "../../faces/server/page/assets.ts";
import { type Html, plural, section, table } from "../../faces/server/page/markup.ts";
import { assumptions as known } from "../assumptions.ts";
import { describeCounts, describeFinding, inAnswers } from "../tally.ts";
import type { RecordReport } from "./recorder.ts";

/** Shows what stands between backticks as code. */
const withCode = (text: string): Html =>
  html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;

const tones = { holds: "good", differs: "warn", "not seen": "quiet" };

/** Parts of the recorder's page, by path. */
export const recordPage = (
  path: string,
  to: URL,
  { exchanges, unanswered, assumptions, unlikeDocument }: RecordReport,
): { readonly type: string; readonly text: string } | undefined => {
  if (path === "/__mock/page.css") return { type: "text/css; charset=utf-8", text: pageCss };
  if (path !== "/__mock" && !path.startsWith("/__mock/")) return undefined;
  const rows = assumptions.map((finding) => {
    const { assumption, verdict, seen } = finding;
    const evidence = verdict === "holds" ? `in ${inAnswers(seen)}` : describeFinding(finding);
    return html`<tr><td>${assumption}</td><td><span class="dot ${tones[verdict]}">${verdict}</span></td><td class="wide">${withCode(known[assumption].assumed)}<br><span class="quiet" dir="auto">${withCode(evidence)}</span></td></tr>`;
  });
  const differences = unlikeDocument.map(
    ({ message, answers }) =>
      html`<tr><td>${answers}</td><td class="wide" dir="auto">${message}</td></tr>`,
  );
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>Recording ${to.host}</title>
<link rel="stylesheet" href="/__mock/page.css">
</head>
<body>
  <header>
    <div class="bar">
      <h1>Recording <small>${to.href}</small></h1>
      <p class="quiet">${plural(exchanges, "exchange")}${unanswered > 0 && ` and ${plural(unanswered, "request")} without an answer`}: ${describeCounts(assumptions)}</p>
    </div>
  </header>
  <main>
    ${section(
      { id: "assumptions", title: "Assumptions", number: assumptions.length },
      table("seen", "Assumptions", ["Number", "Verdict", "Assumption"], rows),
    )}
    ${section(
      { id: "document", title: "Unlike openapi.json", number: differences.length },
      differences.length === 0
        ? html`<p class="quiet">Nothing yet.</p>`
        : table("unlike", "Differences", ["Answers", "Difference"], differences),
    )}
  </main>
</body>
</html>`;
  return { type: "text/html; charset=utf-8", text: String(page) };
};
