import { describe, expect, it } from "vitest";
import type { AdGenClient } from "../../src/index.ts";
import { queued, raw, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
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

describe("the message of a redirect", () => {
  it.each<[string, (url: string) => string, string]>([
    ["to https of the same host", (url) => url.replace("http:", "https:"), "set baseUrl to that"],
    [
      "to another host",
      () => "https://api.example.com/v1/jobs",
      "leads to https://api.example.com:",
    ],
    ["to a path of the same host", () => "/login", "redirects are not followed"],
    ["to no address of the web", () => "data:text/html,a", "redirects are not followed"],
    ["to nowhere", () => "http://[", "redirects are not followed"],
  ])("%s says what to do", async (_, location, says) => {
    const server = await listen((response) => {
      response.writeHead(308, { location: location(server.url) }).end();
    });

    const error = await rejection(clientOf(server).jobs.list());

    expect(error.message).toContain(says);
    expect(error.message).not.toMatch(/undefined|null/);
    if (says.startsWith("redirects")) expect(error.message).toMatch(/ not followed$/);
  });

  it("does not show the key, nor an address without end", async () => {
    const location = `https://${testKey}.${"x".repeat(5_000)}.test/`;
    const server = await listen(raw(307, "", { location }));

    const error = await rejection(clientOf(server).jobs.list());

    expect(error.message).not.toContain(testKey);
    expect(error.message.length).toBeLessThan(300);
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
