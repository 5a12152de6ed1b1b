import fc from "fast-check";
import { expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { type Endpoint, endpoints } from "../../src/contract/endpoint.ts";
import { processorMsOf } from "../helpers/processor-time.ts";

const service = createMockService({
  accounts: { "test-key": { credits: { image: { monthly: 5 }, video: { monthly: 5 } } } },
});

const awkwardKeys = ["__proto__", "constructor", "action", "variations", "duration", "name", "id"];
const actions = ["generate-ad", "generate-ad-copy", "video-a-2", "nope"];

const json = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(
    fc.oneof(fc.constantFrom(...awkwardKeys, "prompt", "images", "brand_id"), fc.string()),
    fc.oneof(fc.jsonValue(), fc.constantFrom(...actions), fc.integer(), fc.double()),
  ),
  fc.record({
    action: fc.constantFrom(...actions),
    prompt: fc.string({ unit: "binary" }),
    variations: fc.integer({ min: 1, max: 10 }),
    duration: fc.double({ min: 0.1, max: 60, noNaN: true }),
  }),
  fc.record({ name: fc.string({ unit: "binary" }) }),
);

const body = fc.oneof(
  { weight: 5, arbitrary: json.map((value) => JSON.stringify(value)) },
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "{", "{}", "[]", '{"__proto__":1,"name":"x"}', `${"[".repeat(5_000)}`),
);

/** Ids that exist come back into play: the answers' own. */
const known: string[] = [];

const segment = fc.oneof(
  fc.constantFrom("v1", "jobs", "brands", "saved-ads", "ads", "", ".", "..", "%zz", "%00", "%2F"),
  fc.nat().map((place) => known[place % Math.max(1, known.length)] ?? "none"),
  fc.string({ maxLength: 30, unit: "grapheme" }).map(encodeURIComponent),
);

const id = fc.nat().map((place) => known[place % Math.max(1, known.length)] ?? "none");
const path = fc.oneof(
  fc.constantFrom("/v1/jobs", "/v1/brands", "/v1/saved-ads"),
  fc
    .tuple(fc.constantFrom("/v1/jobs/", "/v1/brands/", "/v1/saved-ads/"), id)
    .map(([start, end]) => start + end),
  id.map((brand) => `/v1/brands/${brand}/ads`),
  fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join("/")}`),
);

const query = fc.oneof(
  fc.constant(""),
  fc.constantFrom("?limit=1", "?limit=0", "?limit=%zz", "?limit[]=1", "?&&=", "?limit=1&limit=2"),
);

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("GET", "POST", "PATCH", "DELETE") },
  fc.constantFrom("PUT", "OPTIONS", "HEAD", "QUERY", "get", "X-1"),
);

const authorization = fc.oneof(
  { weight: 6, arbitrary: fc.constant("Bearer test-key") },
  fc.constantFrom("", "Bearer", "Bearer __proto__", "Basic dGVzdA==", "Bearer test-key,x"),
);

const headers = fc.dictionary(
  fc.constantFrom("content-type", "accept", "content-encoding", "x-http-method-override"),
  fc.constantFrom("text/html", "application/json", "gzip", "DELETE", "multipart/form-data", "*"),
);

/** A documented call with its key, so that the requests get past the first checks. */
const plausible = fc
  .tuple(fc.constantFrom(...Object.values<Endpoint>(endpoints)), id)
  .map(([endpoint, found]) => ({
    method: endpoint.method,
    path: endpoint.path.replace(":id", () => found),
    authorization: "Bearer test-key",
  }));

const request = fc
  .tuple(
    fc.oneof(plausible, fc.record({ method, path, authorization })),
    fc.record({ query, body, headers }),
  )
  .map(([call, rest]) => ({ ...call, ...rest }));

const methodsWithoutBody = ["GET", "HEAD", "get"];

test("any request gets an envelope whose success is its status, and never a 500", async () => {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query, body, headers, authorization }) => {
      const init = {
        method,
        headers: { ...headers, authorization },
        ...(methodsWithoutBody.includes(method) ? {} : { body }),
      };
      const response = await service.fetch(`https://ads.test${path}${query}`, init);
      expect([200, 201, 202, 400, 401, 402, 404, 405]).toContain(response.status);
      expect(response.headers.get("content-type")).toBe("application/json");
      if (method === "HEAD") {
        expect(await response.text()).toBe("");
        return;
      }
      const { success, data, error, ...more } = await response.json();
      expect(more).toEqual({});
      expect(success).toBe(response.status < 400);
      if (success) {
        expect(data).toBeTypeOf("object");
        expect(data).not.toBeNull();
        expect(error).toBeNull();
        const made = data.job_id ?? data.id;
        if (typeof made === "string") known.push(made);
      } else {
        expect(data).toBeNull();
        expect(error).toMatch(/^[A-Z].*[^.]$/);
      }
      seen.add(response.status);
    }),
    { numRuns: 1_500 },
  );
  // Or the property would prove little: every status was reached.
  expect([...seen].sort()).toEqual([200, 201, 202, 400, 401, 402, 404, 405]);
});

test.each<[string, string, string]>([
  [
    "800,000 names",
    `{"name":"x",${Array.from({ length: 800_000 }, (_, count) => `"k${count}":1`).join(",")}}`,
    "Request body has more than 50000 names, objects and lists",
  ],
  [
    "3,000,000 empty objects",
    `{"name":"x","all":[${Array(3_000_000).fill("{}").join(",")}]}`,
    "Request body has more than 50000 names, objects and lists",
  ],
  ["4,000,000 open brackets", "[".repeat(4_000_000), "Request body is nested too deeply"],
  [
    "4,000,000 nested lists",
    `{"name":"x","all":${"[".repeat(4_000_000)}${"]".repeat(4_000_000)}}`,
    "Request body is nested too deeply",
  ],
])("a body of %s is refused before it takes long", async (_, text, error) => {
  const own = createMockService();
  const refuse = () => {
    const reply = own.replyNow({
      ...{ method: "POST", url: "https://ads.test/v1/brands", authorization: "Bearer test-key" },
      body: text,
    });
    expect([reply.status, JSON.parse(reply.body).error]).toEqual([400, error]);
  };
  // Parsing takes seconds.
  expect(await processorMsOf(refuse)).toBeLessThan(2_500);
});

test.each<[string, string, unknown]>([
  ["brackets and quotes in a text", '[{"\\'.repeat(50_000), undefined],
  ["a list of 60,000 numbers", "x", Array(60_000).fill(1)],
  ["a large image", "data:image/png;base64,".padEnd(1_000_000, "A"), undefined],
  [
    "40,000 names",
    "x",
    Object.fromEntries(Array.from({ length: 40_000 }, (_, key) => [`k${key}`, 1])),
  ],
])("a large body is read, with %s", async (_, name, more) => {
  const own = createMockService({ journalLimit: 0 });
  const response = await own.fetch("https://ads.test/v1/brands", {
    method: "POST",
    headers: { authorization: "Bearer test-key" },
    body: JSON.stringify({ name, more }),
  });
  expect(response.status).toBe(201);
  expect(own.account("test-key").brands[0]).toMatchObject({
    name,
    ...(more !== undefined && { more }),
  });
});
