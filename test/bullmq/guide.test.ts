// The program of the guide about fleets.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startMockServer } from "adgen-sdk/mocks/server";
import { expect, test } from "vitest";
import { writeRecipe } from "../helpers/doc-blocks.ts";
import { sharedRedis, until } from "./fleet.ts";

const fromSource = pathToFileURL(resolve("test/helpers/from-source.ts")).href;

test("runs, and adds its order once, however often it is started", async () => {
  const redis = await sharedRedis();
  const folder = writeRecipe("docs/guides/fleet.md", (code) =>
    code.replace("6379", String(redis.port)),
  );
  const mock = await startMockServer({ accounts: { key: {} } });
  const env = { ...process.env, ADGEN_BASE_URL: mock.url, ADGEN_API_KEY: "key" };
  for (let runs = 0; runs < 2; runs++) {
    const args = ["--import", fromSource, "ads.ts"];
    const child = spawn(process.execPath, args, { cwd: folder, env });
    let output = "";
    child.stdout.on("data", (text) => (output += text));
    child.stderr.on("data", (text) => (output += text));
    // The second one finds that all is done.
    if (runs === 0) await until(() => expect(output).toContain("order-1138: completed as job_"));
    else await until(() => expect(mock.service.journal.find({ method: "POST" })).toHaveLength(1));
    child.kill();
    await once(child, "close");
    expect(output).not.toMatch(/Error|warn/i);
  }
  expect(mock.service.account("key").charges).toHaveLength(1);
  await mock.close();
});
