// What is left of an error behind postMessage and IPC, as between Electron's processes.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { createClient, isAdGenError } from "adgen-sdk";
import { expect, test } from "vitest";
import { failure, reset } from "../helpers/answers.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const failing = async (answer: Answer) => {
  const { url } = await listen(answer);
  const { jobs } = createClient({ baseUrl: url, apiKey: "test-key-4711", maxRetries: 0 });
  const error = await jobs.submit({ action: "generate-ad" }).catch((thrown: unknown) => thrown);
  if (!isAdGenError(error)) throw error;
  return error;
};

/** Sends a value through a MessageChannel, and returns what arrives. */
const throughChannel = async (value: unknown): Promise<unknown> => {
  const { port1, port2 } = new MessageChannel();
  const arrived = once(port2, "message");
  port1.postMessage(value);
  const [data] = await arrived;
  port1.close();
  return data;
};

/** Sends a value to a child process, which sends back what it has got. */
const throughProcess = async (value: object): Promise<unknown> => {
  const folder = mkdtempSync(join(tmpdir(), "adgen-ipc-"));
  try {
    const path = join(folder, "echo.mjs");
    writeFileSync(
      path,
      'process.once("message", (value) => process.send(value, () => process.disconnect()));',
    );
    const child = fork(path, { serialization: "advanced" });
    const ended = once(child, "exit");
    child.send(value);
    const [echoed] = await once(child, "message");
    await ended;
    return echoed;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

test.each([
  ["a MessageChannel", throughChannel],
  ["the IPC of a child process", throughProcess],
])("the JSON of an error crosses %s with its code, outcome and status", async (_, send) => {
  const refused = await failing(failure(402, "no credits"));
  const expected = { name: "PaymentRequiredError", code: "payment_required", status: 402 };
  expect(await send(refused.toJSON())).toMatchObject({ ...expected, outcome: "refused" });
  expect(await send(refused.toJSON())).toEqual({ ...refused.toJSON() });

  const lost = await failing(reset);
  const crossed = await send(lost.toJSON());
  expect(crossed).toMatchObject({ code: "connection", outcome: "unknown", action: "generate-ad" });
  expect(JSON.stringify(crossed)).not.toContain("test-key-4711");
});

test("an error that crosses a MessageChannel by itself loses its code, which is why the recipe hands over its JSON", async () => {
  const crossed = await throughChannel(await failing(failure(402)));
  expect(crossed).toBeInstanceOf(Error);
  expect(crossed).not.toHaveProperty("code");
});
