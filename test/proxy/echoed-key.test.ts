// A service that echoes the key wherever it can: a page finds it in no answer, in none of its spellings.
import { describe, expect, test } from "vitest";
import type { Answer } from "../helpers/http-server.ts";
import { openProxy } from "./proxy-under-test.ts";

const keys = {
  "of letters": "test-proxy-secret-4711",
  "that a URL spells otherwise": "test/proxy+secret=4711",
  "that JSON spells otherwise": 'test-"proxy"\\secret-4711',
};

/** The ways in which a key can be written: as it is, in JSON, and in a URL. */
const spellingsOf = (key: string): string[] => [
  key,
  JSON.stringify(key).slice(1, -1),
  encodeURIComponent(key),
];

/** Data full of the key: in values, names and lists, at each depth. */
const echoIn = (key: string) => {
  const url = `https://files.test/${encodeURIComponent(key)}?key=${encodeURIComponent(key)}`;
  const deep = { [key]: { [`x-${key}`]: [key, `Bearer ${key}`, [url]] } };
  return {
    note: `of ${key}, and ${JSON.stringify({ a: 1, key })}`,
    url,
    list: [key, deep],
    ...deep,
  };
};

const calls = {
  "a submission": { method: "POST", path: "/v1/jobs", body: { action: "generate-ad" } },
  "a job": { path: "/v1/jobs/job-1" },
  "a list of jobs": { path: "/v1/jobs" },
  "a new brand": { method: "POST", path: "/v1/brands", body: { name: "Shoes" } },
  "a list of brands": { path: "/v1/brands" },
  "a change": { method: "PATCH", path: "/v1/brands/brand-1", body: { name: "Boots" } },
  "a saved ad": { method: "POST", path: "/v1/saved-ads", body: { brand_id: "brand-1" } },
  "a list of ads": { path: "/v1/brands/brand-1/ads" },
  "a deletion": { method: "DELETE", path: "/v1/saved-ads/ad-1" },
};

const statuses = [200, 202, 302, 400, 401, 402, 403, 404, 409, 429, 500, 503];

describe.each(Object.entries(keys))("a key %s", (_, apiKey) => {
  test.each(Object.entries(calls))("a key that the service echoes is in no answer to %s", async (_, call) => {
    const { proxy, ask, service } = await openProxy({ apiKey });
    await proxy.claim("job", "job-1", "ann");
    await proxy.claim("brand", "brand-1", "ann");
    await proxy.claim("ad", "ad-1", "ann");
    let seen = 0;
    for (const status of statuses) {
      const answer: Answer = (response, { headers }) => {
        expect(headers.authorization).toBe(`Bearer ${apiKey}`);
        const echo = echoIn(apiKey);
        const own = { id: "brand-1", job_id: "job-1", status: "queued", ...echo };
        const isGood = status < 300;
        const [field] = /jobs$|brands$|ads$/.exec(call.path) ?? [];
        const listed = { [String(field)]: [own, { ...own, id: "ad-1" }], ...echo };
        const isList = !("method" in call) && field !== undefined && call.path !== "/v1/jobs";
        const data = isList ? listed : own;
        const id = call.path.includes("saved") || call.path.endsWith("ads") ? "ad-1" : "brand-1";
        const body = isGood
          ? { success: true, data: { ...data, ...(isList ? {} : { id }) }, error: null }
          : { success: false, data: echo, error: `${echo.note} ${echo.url}`, ...echo };
        response.writeHead(status, {
          "content-type": "application/json",
          ...{ "x-request-id": `r-${encodeURIComponent(apiKey)}`, "x-echo": apiKey },
          ...{ "retry-after": `1; ${apiKey}`, location: echo.url, "set-cookie": `key=${apiKey}` },
        });
        response.end(JSON.stringify(body));
      };
      service.play({ answer });
      const headers = { "idempotency-key": `call-${status}` };
      const creates = "method" in call && call.method === "POST";
      // A repeat gets an answer that was kept.
      for (const _ of creates ? ["first", "repeat"] : ["only"]) {
        const answered = await ask("ann", { ...call, headers });
        if (answered.status < 300) seen += 1;
        // Names and values as the page reads them, and the answer as it came.
        const texts = [answered.body, JSON.stringify(answered.headers)];
        JSON.parse(answered.body, (name, value) => {
          texts.push(name, String(value));
          return value;
        });
        for (const spelling of spellingsOf(apiKey)) {
          expect(texts.filter((text) => text.includes(spelling))).toEqual([]);
        }
      }
    }
    expect(seen).toBeGreaterThan(0);
  });
});
