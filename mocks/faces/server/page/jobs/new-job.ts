import { html } from "hono/html";
import { actions, creditOfAction } from "../../../../../src/contract/actions.ts";
import { maxVariations } from "../../../../../src/contract/jobs.ts";
import { choice, type Html, keyField, textBox } from "../markup.ts";

const videoActions = actions.filter((action) => creditOfAction[action] === "video");

/** Makes the form for a new job. */
export const newJob = (key: string, isOpen: boolean): Html => html`
  <details id="compose" class="panel" ${isOpen ? "open" : ""}>
    <summary>New job</summary>
    <form id="new-job" class="fields" action="/v1/jobs" data-done="The job is submitted" aria-label="Submit a job">
      ${keyField("new-job-account", key, "bearer")}
      ${choice("Action", { id: "new-job-action", name: "action" }, actions, "generate-ad")}
      <label class="long">Prompt<input id="new-job-prompt" name="prompt" value="Summer sale" dir="auto" autocomplete="off"></label>
      <label>Variations<input id="new-job-variations" name="variations" type="number" min="1" max="${maxVariations}" value="2"></label>
      <label data-when="new-job-action" data-is="${videoActions.join(" ")}" hidden>
        Seconds<input id="new-job-duration" name="duration" type="number" min="1" max="60" placeholder="5" disabled>
      </label>
      <button class="main">Submit job</button>
    </form>
  </details>`;

const curlOf = (origin: string, key: string): string => `curl ${origin}/v1/jobs \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"action":"generate-ad","prompt":"Summer sale"}'`;

const sdkOf = (origin: string, key: string): string => `import { createClient } from "adgen-sdk";

const client = createClient({
  baseUrl: "${origin}",
  apiKey: "${key}",
});
await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });`;

/** Shows how to submit the first job. */
export const noJobs = (origin: string, key: string): Html => html`
  <div id="no-jobs" class="panel empty">
    <h3>No jobs yet</h3>
    <p>Submit the first one with the form above, or from a terminal:</p>
    ${textBox("curl command", curlOf(origin, key))}
    <p>or with the SDK:</p>
    ${textBox("TypeScript", sdkOf(origin, key))}
    <p class="quiet">It appears here, and moves from queued to finished as clients ask for it or as the clock moves.</p>
  </div>`;
