import { describe, expect, it } from "vitest";
import { success } from "../helpers/answers.ts";
import { listen } from "../helpers/http-server.ts";
import { runNode } from "../helpers/run-node.ts";

const script = new URL("children/pollution.ts", import.meta.url);

const names = [
  ...["prefix", "baseUrl", "url", "relative", "method", "json", "body", "searchParams"],
  ...["onDownloadProgress", "onUploadProgress"],
  ...["headers", "fetch", "apiKey", "hooks", "maxRetries"],
];

// In a process of its own: a polluted prototype would reach the test runner too.
describe.each(["enumerable", "hidden"])("a polluted prototype with %s properties", (descriptor) => {
  it("changes no request, and leads none elsewhere", async () => {
    const own = await listen(success({ job_id: "job-1", status: "queued", items: [] }));
    const evil = await listen(success({ job_id: "evil", status: "queued", items: [] }));

    const { code, lines, errors } = await runNode(script, [own.url, evil.url, descriptor]);

    expect(errors).toBe("");
    // A polluted body breaks the runtime's own fetch: each call then fails, and does no harm.
    const withoutBody = names.filter((name) => name !== "body");
    expect(lines.filter((line) => !line.startsWith("body: "))).toEqual(
      withoutBody.map((name) => `${name}: ok, ok, ok`),
    );
    expect(lines.find((line) => line.startsWith("body: "))).not.toMatch(/Error/);
    expect(code).toBe(0);
    expect(evil.received).toEqual([]);
    const sent = own.received.map(({ method, url, body }) => ({ method, url, body }));
    for (const name of names) {
      const body = `{"action":"generate-ad","prompt":"${name}"}`;
      const posts = sent.filter((request) => request.body.includes(`"${name}"`));
      const isSent = name !== "body" || posts.length > 0;
      expect(posts).toEqual(isSent ? [{ method: "POST", url: "/v1/jobs", body }] : []);
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
});
