// Runs the programs of docs/testing/playwright.md by Playwright's own runner, in Chromium.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { chromiumLaunch } from "../../tools/chromium.ts";
import { entries, specifierOf } from "../../tools/entries.ts";
import { writeRecipe } from "../helpers/doc-blocks.ts";
import { freePort } from "../helpers/http-server.ts";
import { runCommand } from "../helpers/run-command.ts";
import { withoutBrowser } from "./open-page.ts";

/** A page with a button that orders an ad, and its back end, which adds the key. */
const app = `
import { createServer } from "node:http";
const page = \`<button>Order</button><p role="status"></p><script type="module">
  const ask = async (path, init) => {
    const answer = await (await fetch("/adgen/v1/jobs" + path, init)).json();
    if (!answer.success) throw new Error(answer.error);
    return answer.data;
  };
  const order = async () => {
    let job = await ask("", { method: "POST", body: '{"action":"generate-ad"}' });
    while (!/completed|failed/.test(job.status)) job = await ask("/" + job.job_id);
    return job.error ?? job.status;
  };
  document.querySelector("button").onclick = async () => {
    const shown = await order().catch((error) => error.message);
    document.querySelector("p").textContent = shown;
  };
</script>\`;
createServer(async (request, response) => {
  if (!request.url.startsWith("/adgen/")) {
    return response.writeHead(200, { "content-type": "text/html" }).end(page);
  }
  const { method, url } = request;
  const headers = { authorization: "Bearer " + process.env.ADGEN_API_KEY };
  const chunks = await request.toArray();
  const init = { method, headers, ...(method === "POST" && { body: Buffer.concat(chunks) }) };
  const answer = await fetch(process.env.ADGEN_BASE_URL + url.slice("/adgen".length), init);
  response.writeHead(answer.status).end(await answer.text());
}).listen(process.argv[2], "127.0.0.1");
`;

test.skipIf(withoutBrowser)(
  "the suites of the Playwright guide pass, with a back end on the mock and without one",
  async () => {
    const [mockPort, appPort] = [await freePort(), await freePort()];
    const source = pathToFileURL(resolve("test/helpers/from-source.ts"));
    const command = `${process.execPath} --import ${source} ${resolve("mocks/server/cli.ts")} --port ${mockPort}`;
    const folder = writeRecipe("docs/testing/playwright.md", (code) =>
      code
        .replace('"@playwright/test"', '"playwright/test"')
        .replaceAll("127.0.0.1:4471", `127.0.0.1:${mockPort}`)
        .replaceAll("127.0.0.1:3000", `127.0.0.1:${appPort}`)
        .replace("npx -p adgen-sdk adgen-mock", command)
        .replace("npm start", `${process.execPath} app.mjs ${appPort}`)
        .replace("baseURL: app", `$&, launchOptions: ${JSON.stringify(chromiumLaunch)}`),
    );
    writeFileSync(join(folder, "app.mjs"), app);
    const paths = Object.fromEntries(
      Object.entries(entries).map(([entry, file]) => [specifierOf(entry), [resolve(file)]]),
    );
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { paths } }));
    const runner = [process.execPath, resolve("node_modules/playwright/cli.js"), "test"];
    const { output } = await runCommand(folder, [...runner, "--reporter=line", "--output=results"]);
    expect(output).toMatch(/^\s*3 passed/m);
    expect(output).not.toMatch(/failed|flaky|skipped/);
  },
  120_000,
);
