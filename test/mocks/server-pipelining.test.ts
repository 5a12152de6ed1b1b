import { describe, expect, it } from "vitest";
import type { MockFault } from "../../mocks/faults/fault.ts";
import { createMockService } from "../../mocks/index.ts";
import { askRaw, authorized, connectRaw, startServer } from "./server-sockets.ts";

const key = "Authorization: Bearer test-key";
const list = ["GET /v1/jobs HTTP/1.1", "Host: localhost", key, "", ""].join("\r\n");
const submission = '{"action":"generate-ad","prompt":"Summer sale"}';
const submit = [
  "POST /v1/jobs HTTP/1.1",
  "Host: localhost",
  key,
  `Content-Length: ${submission.length}`,
  "",
  submission,
].join("\r\n");

const statusesIn = (answers: string): readonly string[] =>
  Array.from(answers.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status = ""]) => status);

describe("requests on one connection, sent at once", () => {
  it("answers the requests before a cut body, and none after it", async () => {
    const { port, service } = await startServer();
    service.faults.play({ kind: "cut-body" }, { operation: "jobs.submit" });

    expect(statusesIn(await askRaw(port, list + submit + list))).toEqual(["200", "202"]);
  });

  it.each<MockFault>([
    { kind: "drip-body", bytes: 50, everyMs: 1 },
    { kind: "latency", ms: 20 },
    { kind: "wrong-json" },
    { kind: "status", status: 204, accepted: true },
  ])("keeps the answers in order around $kind", async (fault) => {
    const { port, service } = await startServer();
    service.faults.play(fault, { operation: "jobs.submit" });

    const client = await connectRaw(port, submit + list);
    const answers = await client.until('"jobs":[');
    client.socket.destroy();

    const submitted = fault.kind === "status" ? "204" : "202";
    expect(statusesIn(answers)).toEqual([submitted, "200"]);
    service.account("test-key").assertCharges([{ credit: "image", amount: 1 }]);
  });
});

it("carries a request out in the new world when its body ends after a reset", async () => {
  const service = createMockService();
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const answer = service.fetch("https://ads.test/v1/jobs", {
    method: "POST",
    headers: authorized,
    body: body.readable,
    duplex: "half",
  } as RequestInit);
  const writer = body.writable.getWriter();
  await writer.write(new TextEncoder().encode(submission));
  service.reset();
  await writer.close();

  expect((await answer).status).toBe(202);
  service.account("test-key").assertCharges([{ credit: "image", amount: 1 }]);
});
