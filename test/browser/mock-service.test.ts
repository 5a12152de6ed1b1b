import { HttpResponse, http } from "msw";
import { setupWorker } from "msw/browser";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { createHandlers } from "../../mocks/msw.ts";
import { createClient, PaymentRequiredError, pollJob } from "../../src/index.ts";

const service = createMockService();
const worker = setupWorker(...createHandlers(service));

const call = async (
  method: string,
  path: string,
  body?: object,
  answering: typeof service.fetch = fetch,
) => {
  const response = await answering(`https://ads.test${path}`, {
    method,
    headers: { authorization: "Bearer test-key", "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, headers: response.headers, ...JSON.parse(text) };
};

beforeAll(async () => {
  await worker.start({ quiet: true, onUnhandledFrame: "bypass" });
});
afterEach(() => {
  worker.resetHandlers();
  service.reset();
});
afterAll(() => worker.stop());

describe("the service worker", () => {
  test("plays the main job from its submission to its pictures", async () => {
    const submitted = await call("POST", "/v1/jobs", {
      action: "generate-ad",
      prompt: "Sommer ☀️",
      variations: 2,
    });
    expect(submitted.status).toBe(202);
    expect(submitted.headers.get("retry-after")).toBe("0");
    const look = () => call("GET", `/v1/jobs/${submitted.data.job_id}`);
    expect((await look()).data.status).toBe("processing");
    const { images } = (await look()).data.result;
    expect(images).toHaveLength(2);
    expect(service.account("test-key").credits.image.monthly).toBe(98);

    for (const { url, width, height } of images) {
      const image = new Image();
      image.src = url;
      await image.decode();
      expect([image.naturalWidth, image.naturalHeight]).toEqual([width, height]);
    }
  });

  test("answers as the service's own fetch does", async () => {
    const other = service.fork();
    for (const [method, path, body] of [
      ["POST", "/v1/brands", { name: "Acme" }],
      ["POST", "/v1/brands", {}],
      ["POST", "/v1/jobs", { action: "nope" }],
      ["POST", "/v1/jobs", { action: "generate-ad", variations: 11 }],
      ["GET", "/v1/jobs", undefined],
      ["GET", "/v1/jobs/unknown", undefined],
      ["DELETE", "/v1/brands/unknown", undefined],
    ] as const) {
      const [intercepted, direct] = [
        await call(method, path, body),
        await call(method, path, body, other.fetch),
      ];
      const undated = (text: string) => text.replace(/"\d{4}-[^"]+Z"/g, '"(a time)"');
      expect(intercepted.status).toBe(direct.status);
      expect(undated(intercepted.text)).toBe(undated(direct.text));
      expect(intercepted.headers.get("x-request-id")).toBe(direct.headers.get("x-request-id"));
    }
  });

  test("gives 401 and 402 like the service", async () => {
    expect((await fetch("https://ads.test/v1/jobs")).status).toBe(401);
    const video = { action: "video-a-2-pro", duration: 60 };
    expect(await call("POST", "/v1/jobs", video)).toMatchObject({
      status: 402,
      error: "Insufficient credits",
    });
  });

  test("lets one handler be replaced", async () => {
    worker.use(http.get("*/v1/jobs", () => HttpResponse.json(null, { status: 503 })));
    expect((await fetch("https://ads.test/v1/jobs")).status).toBe(503);
    expect((await call("GET", "/v1/brands")).status).toBe(200);
  });

  test("serves the client, from the submission to the result", async () => {
    const client = createClient({
      baseUrl: "https://ads.test",
      apiKey: "test-key",
      allowBrowserKey: true,
    });
    const job = await client.jobs.submit({ action: "image-a-2", prompt: "Lemon", variations: 2 });
    const finished = await pollJob(client, job);
    expect(finished).toMatchObject({ job_id: job.job_id, status: "completed" });
    expect(service.account("test-key").credits.image.monthly).toBe(98);

    const tooLong = client.jobs.submit({ action: "video-a-2-pro", duration: 60 });
    await expect(tooLong).rejects.toThrow(PaymentRequiredError);
  });
});
