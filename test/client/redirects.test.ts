import { describe, expect, it } from "vitest";
import { queued, raw, success } from "../helpers/answers.ts";
import { deleteBrand, failing, get, list, over, submit, updateBrand } from "../helpers/calls.ts";
import { clientOf, rejection, testKey } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { listen } from "../helpers/http-server.ts";

const calls = { GET: get, POST: submit, PATCH: updateBrand, DELETE: deleteBrand };
const notFollowed = "redirects are not followed";

describe("a redirect", () => {
  it.each([300, 301, 302, 303, 305, 307, 308])(
    "with %i is not followed by any call",
    async (status) => {
      const elsewhere = await listen(queued(), success({ id: "b", status: "queued" }));
      const places = ["/v1/other", `${elsewhere.url}/v1/jobs`, "//evil.test/", undefined];
      const answers = places.map((place) => raw(status, "moved", place ? { location: place } : {}));

      for (const [method, call] of Object.entries(calls)) {
        const server = await listen(...answers);
        for (const _ of places) {
          const error = await rejection(call(clientOf(server, { maxRetries: 10 })));

          expect(error).toMatchObject({
            name: "ApiError",
            code: "unexpected_status",
            status,
            method,
          });
          expect(error.message).toContain(`answered ${status}: ${notFollowed}`);
        }
        expect(server.received).toHaveLength(places.length);
      }
      expect(elsewhere.sockets.size).toBe(0);
    },
  );

  const advice = (origin: string) => `${notFollowed}; it leads to ${origin}: set baseUrl to that`;
  const api = "https://api.example.com";
  it.each<[string, string, (origin: string) => string]>([
    ["to https of the same host", "//HOST/v1/jobs", (origin) => advice(origin)],
    ["to another host", `${api}/v1/jobs?token=S3cr3t`, () => advice(api)],
    ["to a path of the same host", "/login", () => notFollowed],
    ["to no address of the web", "data:text/html,a", () => notFollowed],
    ["to nowhere", "http://[", () => notFollowed],
  ])("%s says what to do", async (_, location, says) => {
    const server = await listen((response, { headers }) => {
      const target = location.replace("//HOST", `https://${headers.host}`);
      response.writeHead(308, { location: target }).end();
    });

    const error = await rejection(list(clientOf(server)));

    const origin = server.url.replace("http:", "https:");
    expect(error.message).toBe(`GET /v1/jobs answered 308: ${says(origin)}`);
  });

  it("shows neither the key nor an address without end", async () => {
    const location = `https://${testKey}.${"x".repeat(5_000)}.test/`;
    const { error } = await failing(raw(307, "", { location }), list);
    expect(error.message).not.toContain(testKey);
    expect(error.message.length).toBeLessThan(300);
  });

  it("as a browser shows it is not followed either: status 0, nothing to see", async () => {
    const opaque = Object.defineProperties(new Response(null), {
      status: { value: 0 },
      ok: { value: false },
      type: { value: "opaqueredirect" },
    });
    const requests: Request[] = [];

    const error = await rejection(
      submit(
        over(async (request: Request) => {
          requests.push(request);
          return opaque;
        }),
      ),
    );

    expect(requests.map(({ redirect }) => redirect)).toEqual(["manual"]);
    expect(error).toMatchObject({ code: "unexpected_status", status: 0, outcome: "unknown" });
    expect(error.message).toBe(
      `POST /v1/jobs answered with a redirect: ${notFollowed}${doubtOfSubmission}`,
    );
  });
});
