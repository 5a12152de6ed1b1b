import { expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { processorMsOf } from "../helpers/processor-time.ts";

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
