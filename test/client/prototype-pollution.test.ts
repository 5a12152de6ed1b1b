import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/index.ts";
import { success } from "../helpers/answers.ts";
import { accepted, list, over, submit } from "../helpers/calls.ts";
import { clientOf, rejection, testKey } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { runNode } from "../helpers/run-node.ts";

const script = new URL("children/pollution.ts", import.meta.url);

// In a process of its own: a polluted prototype would reach the test runner too.
describe.concurrent.each(["enumerable", "hidden"])(
  "a prototype with %s properties",
  (descriptor) => {
    it("changes no request, and leads none elsewhere", async () => {
      const own = await listen(success({ job_id: "job-1", status: "queued", items: [] }));
      const evil = await listen(success({ job_id: "evil", status: "queued", items: [] }));

      const { code, lines, errors } = await runNode(script, [own.url, evil.url, descriptor]);

      expect(errors).toBe("");
      // A polluted body breaks the runtime's own fetch: each call then fails, and does no harm.
      const isBody = (line: string) => line.startsWith("body");
      const names = lines.map((line) => line.replace(/:.*/, ""));
      expect(names).toHaveLength(18);
      for (const line of lines) {
        if (isBody(line)) expect(line).not.toMatch(/Error/);
        else expect(line).toMatch(/^\w+: ok, ok, ok, ok$/);
      }
      expect(code).toBe(0);
      expect(evil.sockets.size).toBe(0);
      const sent = own.received.map(({ method, url, body }) => ({ method, url, body }));
      for (const name of names) {
        const body = `{"action":"generate-ad","prompt":"${name}"}`;
        const posts = sent.filter((request) => request.body.includes(`"${name}"`));
        const post = { method: "POST", url: "/v1/jobs", body };
        expect(posts).toEqual(isBody(name) ? posts.map(() => post) : [post, post]);
      }
      for (const { method, url, body } of sent) {
        if (method === "POST") continue;
        expect(["GET /v1/jobs/job-1", "GET /v1/jobs"]).toContain(`${method} ${url}`);
        expect(body).toBe("");
      }
      for (const { headers } of own.received) {
        expect(headers.authorization).toBe("Bearer test-key");
        expect(headers).not.toHaveProperty("x-polluted");
      }
    });
  },
);

/** Does what a bug elsewhere does while `call` runs: adds a property to every object. */
const whilePolluted = async <T>(
  name: string,
  value: unknown,
  call: () => T | Promise<T>,
): Promise<T> => {
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
  try {
    return await call();
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
};

describe("a property of every object", () => {
  it.each([
    ["baseUrl", "http://evil.test", { apiKey: testKey }],
    ["apiKey", "ak-1", { baseUrl: "http://ads.test" }],
  ])("called %s is no option", async (name, value, options) => {
    const refused = whilePolluted(name, value, () => createClient(options));
    await expect(refused).rejects.toMatchObject({ code: "config" });
  });

  it("called coerce lets no number pass for a text", async () => {
    const client = clientOf(await listen(success({ jobs: [{ job_id: 7, status: "queued" }] })));
    const error = await whilePolluted("coerce", true, () => rejection(list(client)));
    const issue = { path: ["jobs", 0, "job_id"], message: "expected string, got a number" };
    expect(error).toMatchObject({ code: "decode", issues: [issue] });
  });

  it("called error loses no paid job's answer", async () => {
    const job = await whilePolluted("error", "another's", () => submit(over(accepted)));

    expect(job).toMatchObject({ job_id: "job-1" });
  });

  it("called checks hinders no import", async () => {
    vi.resetModules();
    await whilePolluted("checks", ["x"], () => import("../../src/index.ts"));
  });
});
