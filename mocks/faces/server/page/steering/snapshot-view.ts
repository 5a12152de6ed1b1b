import { html } from "hono/html";
import { section } from "../markup.ts";

/** The links that save everything to a file, and the form that brings it back. */
export const snapshotView = section(
  { id: "snapshot", title: "Snapshot" },
  html`<div class="panel">
    <p class="quiet">Everything in one JSON file: for a colleague, a test, or <code>--state</code>.</p>
    <p class="line">
      <a href="/__mock/snapshot" download>Export</a>
      <a href="/__mock/snapshot?journal=false" download>Export without the journal</a>
    </p>
    <details id="import-snapshot">
      <summary>Import</summary>
      <form class="fields" action="/__mock/restore" data-done="The snapshot is in place" data-confirm="Replace everything by the file?" aria-label="Import a snapshot">
        <label class="long">File<input name="snapshot" type="file" accept=".json,application/json" required></label>
        <button class="main">Import</button>
      </form>
    </details>
  </div>`,
);
