import { describe, expect, test } from "vitest";
import { createManualClock, createMockService } from "../../mocks/index.ts";
import { createAsk, failure } from "./ask.ts";

const endpointNotFound = failure("Endpoint not found");

describe("a request", () => {
  test.each([
    ["GET", "/"],
    ["GET", "/v1"],
    ["GET", "/v1/"],
    ["GET", "/v2/jobs"],
    ["GET", "/V1/jobs"],
    ["GET", "/v1/jobs/"],
    ["GET", "/v1//jobs"],
    ["GET", "/v1/jobs/x/"],
    ["GET", "/v1/jobs/x/y"],
    ["GET", "/v1/jobs/.."],
    ["GET", "/v1/%6Aobs"],
    ["GET", "//v1/jobs"],
    ["GET", "/api//v1/jobs"],
    ["GET", "/v1/jobs//x"],
    ["PUT", "/v1/job"],
    ["DELETE", "/v1/brands/"],
  ])("%s %s is none of the document's", async (method, path) => {
    const { status, text } = await createAsk(createMockService())(method, path);
    expect(status).toBe(404);
    expect(text).toBe(endpointNotFound);
  });

  test.each([
    ["PUT", "/v1/jobs", "POST, GET, HEAD"],
    ["PATCH", "/v1/jobs", "POST, GET, HEAD"],
    ["OPTIONS", "/v1/jobs", "POST, GET, HEAD"],
    ["QUERY", "/v1/jobs", "POST, GET, HEAD"],
    ["DELETE", "/v1/jobs/x", "GET, HEAD"],
    ["GET", "/v1/brands/x", "PATCH, DELETE"],
    ["HEAD", "/v1/brands/x", "PATCH, DELETE"],
    ["POST", "/some/prefix/v1/brands/x/ads", "GET, HEAD"],
    ["GET", "/v1/saved-ads", "POST"],
  ])("%s %s asks with a method that its path does not have", async (method, path, allowed) => {
    const service = createMockService();
    const headers = { authorization: "Bearer test-key" };
    const answered = await service.fetch(`https://ads.test${path}`, { method, headers });
    expect([answered.status, answered.headers.get("allow")]).toEqual([405, allowed]);
    expect(await answered.text()).toBe(method === "HEAD" ? "" : failure("Method not allowed"));
    expect(service.journal.entries[0]).toMatchObject({ operation: undefined, accepted: true });
    const { status } = await createAsk(service, "test-wrong")(
      method === "HEAD" ? "GET" : method,
      path,
    );
    expect(status).toBe(401);
  });

  test("with the method HEAD gets the answer to GET, without its body", async () => {
    const service = createMockService({ clock: createManualClock() });
    const ask = createAsk(service);
    const { job_id } = (await ask("POST", "/v1/jobs", { action: "copy-ad" })).data;
    const fork = service.fork();
    const headers = { authorization: "Bearer test-key" };
    for (const path of ["/v1/jobs", `/v1/jobs/${job_id}`, "/v1/jobs/unknown", "/v1/brands"]) {
      const url = `https://ads.test${path}`;
      const head = await service.fetch(url, { method: "HEAD", headers });
      const got = await fork.fetch(url, { headers });
      expect(head.body).toBeNull();
      expect(head.status).toBe(got.status);
      expect([...head.headers]).toEqual([...got.headers]);
    }
    const statuses = [service, fork].map(({ jobs }) => jobs.find(job_id)?.status);
    expect(statuses).toEqual(["processing", "processing"]);
  });

  test.each([
    ["unknown", "job_unknown"],
    ["very long", "x".repeat(100_000)],
    ["not decodable", "%E0%A4%A"],
    ["a slash in disguise", "a%2Fb"],
    ["a name that every object has", "__proto__"],
    ["a control character", "%00"],
  ])("for an id that is %s finds nothing", async (_, id) => {
    const ask = createAsk(createMockService());
    for (const [method, path, message] of [
      ["GET", `/v1/jobs/${id}`, "Job not found"],
      ["DELETE", `/v1/brands/${id}`, "Brand not found"],
      ["GET", `/v1/brands/${id}/ads`, "Brand not found"],
      ["DELETE", `/v1/saved-ads/${id}`, "Saved ad not found"],
    ] as const) {
      const { status, text } = await ask(method, path);
      expect(status).toBe(404);
      expect(text).toBe(failure(message));
    }
  });

  test("finds a job by its encoded id too", async () => {
    const ask = createAsk(createMockService());
    const { job_id } = (await ask("POST", "/v1/jobs", { action: "copy-ad" })).data;
    const { status } = await ask("GET", `/v1/jobs/${job_id.replace("_", "%5F")}`);
    expect(status).toBe(200);
  });

  test("is answered as JSON, on a connection that closes, with an id", async () => {
    const ask = createAsk(createMockService());
    const ids = [];
    for (const path of ["/v1/jobs", "/v1/unknown"]) {
      const { headers } = await ask("GET", path);
      expect(headers.get("content-type")).toBe("application/json");
      expect(headers.get("connection")).toBe("close");
      ids.push(headers.get("x-request-id"));
    }
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-z]{14}$/);
    expect(ids[0]).not.toBe(ids[1]);
    const again = await createAsk(createMockService())("GET", "/v1/brands");
    expect(again.headers.get("x-request-id")).toBe(ids[0]);
  });
});

describe("without a base URL the service", () => {
  test.each(["https://ads.test", "http://127.0.0.1:4010", "https://x.test/some/prefix"])(
    "answers at %s",
    async (base) => {
      const ask = createAsk(createMockService(), "test-key", base);
      expect((await ask("GET", "/v1/jobs")).status).toBe(200);
    },
  );

  test("takes the first /v1 of a path for its own", async () => {
    const ask = createAsk(createMockService());
    expect((await ask("GET", "/v1/brands/v1/jobs")).text).toBe(endpointNotFound);
    expect((await ask("GET", "/v1/jobs/v1")).text).toBe(failure("Job not found"));
  });

  test("takes a bare path", async () => {
    const { fetch } = createMockService();
    const headers = { authorization: "Bearer test-key" };
    expect((await fetch("/v1/jobs", { headers })).status).toBe(200);
  });
});

describe("with a base URL the service", () => {
  const service = createMockService({ baseUrl: "https://X.test:443/api/" });
  const ask = createAsk(service, "test-key", "");

  test("answers below it, and nowhere else", async () => {
    expect(service.baseUrl).toBe("https://x.test/api");
    for (const [url, status] of [
      ["https://x.test/api/v1/jobs", 200],
      ["/api/v1/jobs", 200],
      ["https://x.test/v1/jobs", 404],
      ["https://x.test/api/api/v1/jobs", 404],
      ["https://x.test/apiv1/jobs", 404],
      ["https://x.test/api/../v1/jobs", 404],
      ["http://x.test/api/v1/jobs", 404],
      ["https://y.test/api/v1/jobs", 404],
      ["https://x.test:8443/api/v1/jobs", 404],
    ] as const) {
      expect((await ask("GET", url)).status, url).toBe(status);
    }
  });

  test("may have a path with a v1 of its own", async () => {
    const nested = createMockService({ baseUrl: "https://x.test/v1/ads" });
    const { status } = await createAsk(nested)("GET", "");
    expect(status).toBe(404);
    const below = createAsk(nested, "test-key", "https://x.test/v1/ads");
    expect((await below("GET", "/v1/jobs")).status).toBe(200);
  });
});
