import { describe, expect, it } from "vitest";
import type { AdGenClient } from "../../src/index.ts";
import { queued, raw, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const statuses = [300, 301, 302, 303, 305, 307, 308];

const calls: [string, (client: AdGenClient) => Promise<unknown>][] = [
  ["GET", ({ jobs }) => jobs.get("j")],
  ["POST", ({ jobs }) => jobs.submit(paidJob)],
  ["PATCH", ({ brands }) => brands.update("b", {})],
  ["DELETE", ({ brands }) => brands.delete("b")],
];

describe.each(calls)("a redirect of a %s", (method, call) => {
  it.each(statuses)("with %i is not followed, neither here nor elsewhere", async (status) => {
    const elsewhere = await listen(queued(), success({ id: "b", status: "queued" }));
    for (const location of ["/v1/other", `${elsewhere.url}/v1/jobs`, "//evil.test/", undefined]) {
      const server = await listen(raw(status, "moved", location ? { location } : {}), queued());

      const error = await rejection(call(clientOf(server, { maxRetries: 10 })));

      expect(server.received).toHaveLength(1);
      expect(elsewhere.received).toHaveLength(0);
      expect(error).toMatchObject({ name: "ApiError", code: "unexpected_status", status, method });
      expect(error.message).toContain(`answered ${status}: redirects are not followed`);
    }
    expect(elsewhere.sockets.size).toBe(0);
  });
});

describe("a redirect as a browser shows it", () => {
  it("is not followed either: status 0, nothing to see", async () => {
    const opaque = Object.defineProperties(new Response(null), {
      status: { value: 0 },
      ok: { value: false },
      type: { value: "opaqueredirect" },
    });
    const requests: Request[] = [];
    const fetch = async (request: Request) => {
      requests.push(request);
      return opaque;
    };
    const client = clientOf({ url: "http://ads.test" }, { fetch });

    const error = await rejection(client.jobs.submit(paidJob));

    expect(requests.map(({ redirect }) => redirect)).toEqual(["manual"]);
    expect(error).toMatchObject({ code: "unexpected_status", status: 0, outcome: "unknown" });
    expect(error.message).toContain("redirects are not followed; the job may exist");
  });
});
