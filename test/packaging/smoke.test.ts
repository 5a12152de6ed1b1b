import { copyFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { runNode } from "./run.ts";

const { plain, withBullmq, withMsw, withMsw2, withSchemas } = inject("packed");

/** A service that accepts every job, and has completed it by the first poll. */
const server = createServer((request, response) => {
  const isSubmit = request.method === "POST";
  const data = { job_id: "job_1", status: isSubmit ? "queued" : "completed", result: {} };
  response.writeHead(isSubmit ? 202 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify({ success: true, data, error: null }));
});
let baseUrl = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

/** Runs a script as a consumer's own file. */
const runScript = (consumer: string, script: string, nodeFlags: readonly string[] = []) => {
  const folder = join(consumer, script.endsWith(".cjs") ? "cjs" : "esm");
  copyFileSync(join("test/packaging", script), join(folder, script));
  return runNode(folder, [...nodeFlags, script, baseUrl]);
};

const printed = (stdout: string) => ({ status: 0, stdout, stderr: "" });

describe.each(["mjs", "cjs"])("installed and used by a .%s file", (ending) => {
  test("the client submits a job and waits for it", async () => {
    const ended = await runScript(plain, `use-client.${ending}`);
    expect(ended).toEqual(printed("queued, completed\n"));
  });

  test("the client runs where code from strings is forbidden", async () => {
    const flags = ["--disallow-code-generation-from-strings"];
    const ended = await runScript(plain, `use-client.${ending}`, flags);
    expect(ended).toEqual(printed("queued, completed\n"));
  });

  test("the mock answers the client where msw is not installed", async () => {
    const flags = ["--disallow-code-generation-from-strings"];
    const ended = await runScript(plain, `use-mocks.${ending}`, flags);
    expect(ended).toEqual(printed("queued\n"));
  });

  test("the store in a file keeps a submission, and is open once", async () => {
    const ended = await runScript(plain, `use-submissions.${ending}`);
    expect(ended).toEqual(printed("1,completed,true\n"));
  });

  test("a user's schemas work, though another zod is inside", async () => {
    const ended = await runScript(withSchemas, `use-schemas.${ending}`);
    expect(ended).toEqual(printed("zod,zod/mini,valibot,arktype\n"));
  });

  test("the proxy tells owners apart, and ready schemas type what comes through it", async () => {
    const flags = ["--disallow-code-generation-from-strings"];
    const ended = await runScript(plain, `use-proxy.${ending}`, flags);
    expect(ended).toEqual(printed("completed,1080,not_found,config\n"));
  });

  test("the mock server answers over HTTP, and is steered over HTTP", async () => {
    const ended = await runScript(plain, `use-server.${ending}`);
    expect(ended).toEqual(printed("completed,image/svg+xml,200\n"));
  });

  test("code for a page can be imported without a browser", async () => {
    const ended = await runScript(plain, `use-browser.${ending}`);
    expect(ended).toEqual(printed("setupMockWorker was called outside a browser\n"));
  });

  test("the fixtures for Playwright name what they need, where Playwright is not installed", async () => {
    const ended = await runScript(plain, `use-playwright.${ending}`);
    expect(ended).toEqual(printed("apiKey,mock account,baseURL,context,mock\n"));
  });

  test("the fleet loads where BullMQ is installed", async () => {
    const ended = await runScript(withBullmq, `use-bullmq.${ending}`);
    expect(ended).toEqual(printed("config: createProcessor needs a client\n"));
  });

  describe.each([
    ["msw 3", withMsw],
    ["msw 2", withMsw2],
  ])("with %s", (_, consumer) => {
    test("the mock takes the place of the network for a test", async () => {
      const ended = await runScript(consumer, `use-node.${ending}`);
      expect(ended).toEqual(printed("completed\n"));
    });

    test("the handlers answer the client through msw", async () => {
      const ended = await runScript(consumer, `use-msw.${ending}`);
      expect(ended).toEqual(printed("queued\n"));
    });
  });
});

test("the command tells its version and its options", async () => {
  const command = join(plain, "node_modules/adgen-sdk/dist/mocks/cli.js");
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(await runNode(plain, [command, "--version"])).toEqual(printed(`${version}\n`));
  const { stdout } = await runNode(plain, [command, "--help"]);
  expect(stdout).toContain("--image-credits");
  const refused = await runNode(plain, [command, "--prot", "1"]);
  expect([refused.status, refused.stdout]).toEqual([2, ""]);
  expect(refused.stderr).toContain("--prot");
});

test("importing it changes nothing, and needs no process", async () => {
  const { status, stdout, stderr } = await runScript(plain, "watch-imports.mjs");
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const { changed, added } = JSON.parse(stdout);
  expect(changed).toEqual([]);
  expect(added.filter((name: string) => !name.startsWith("__zod_"))).toEqual([]);
});
