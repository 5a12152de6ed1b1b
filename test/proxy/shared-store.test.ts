// A client of the server and a proxy may share one store.
import { createClient } from "adgen-sdk";
import { createSubmissions } from "adgen-sdk/submissions";
import { describe, expect, test } from "vitest";
import { reset } from "../helpers/answers.ts";
import { secretKey } from "./fake-service.ts";
import { gate, openProxy } from "./proxy-under-test.ts";

const shareStore = async () => {
  const stage = await openProxy();
  const submissions = createSubmissions(stage.memory.store);
  const client = createClient({ baseUrl: stage.service.url, apiKey: secretKey, submissions });
  return { ...stage, client };
};

const request = { action: "generate-ad", prompt: "The server's" } as const;

describe("a client that shares the store of a proxy", () => {
  test("is offered no job of the proxy's users", async () => {
    const { client, service, submit } = await shareStore();
    await submit("ann", {}, "call-1");
    await submit("ann");
    service.play({ answer: reset, charges: true });
    await expect(client.jobs.submit(request, { once: "order-17" })).rejects.toThrow();
    const { unknown } = await client.jobs.recover();
    const candidates = unknown.map((doubt) => doubt.candidates?.map(({ job_id: id }) => id));
    expect(candidates).toEqual([["job-3"]]);
  });

  test("is told of no call of the proxy's users", async () => {
    const { client, service, submit } = await shareStore();
    const slow = gate();
    service.play({ until: slow.promise });
    const ann = submit("ann", {}, "call-1");
    await expect.poll(() => service.charges.length).toBe(1);
    const { underWay, unknown } = await client.jobs.recover();
    expect({ underWay, unknown }).toEqual({ underWay: [], unknown: [] });
    slow.open();
    expect((await ann).status).toBe(202);
  });
});
