import { expect, it } from "vitest";
import { success } from "../helpers/answers.ts";
import { listen } from "../helpers/http-server.ts";
import { runNode } from "../helpers/run-node.ts";

const script = new URL("children/pollution.ts", import.meta.url);

// In a process of its own: a polluted prototype would reach the test runner too.
it.concurrent.each(["enumerable", "hidden"])(
  "a prototype with %s properties changes no request, and leads none elsewhere",
  async (descriptor) => {
    // An id that is a number must not pass for a text, which a property of the schemas allows.
    const jobs = [{ job_id: 7, status: "queued" }];
    const answer = success({ job_id: "job-1", status: "queued", ads: [], jobs });
    const own = await listen(answer);
    const evil = await listen(answer);

    const { code, lines, errors } = await runNode(script, [own.url, evil.url, descriptor]);

    expect(errors).toBe("");
    // These break the runtime's own fetch: each call through it then fails, and does no harm.
    const isBroken = (line: string) => /^(body|error)\b/.test(line);
    const names = lines.map((line) => line.replace(/:.*/, ""));
    expect(names).toHaveLength(22);
    for (const line of lines) {
      expect(line).toMatch(isBroken(line) ? /, ok$/ : /^\w+: ok, ok, ok, ok, decode, ok$/);
    }
    expect(code).toBe(0);
    expect(evil.sockets.size).toBe(0);
    for (const name of names) {
      const body = `{"action":"generate-ad","prompt":"${name}"}`;
      const posts = own.received.filter((request) => request.body.includes(`"${name}"`));
      const sent = posts.map(({ method, url, body }) => ({ method, url, body }));
      const post = { method: "POST", url: "/v1/jobs", body };
      expect(sent).toEqual(isBroken(name) ? posts.map(() => post) : [post, post]);
    }
    for (const { method, url, body, headers } of own.received) {
      expect(headers.authorization).toBe("Bearer test-key");
      expect(headers).not.toHaveProperty("x-polluted");
      if (method === "POST") continue;
      const reads = ["GET /v1/jobs/job-1", "GET /v1/brands/b/ads", "GET /v1/jobs"];
      expect(reads).toContain(`${method} ${url}`);
      expect(body).toBe("");
    }
  },
);
