import { beforeAll, describe, expect, test } from "vitest";
import { openProxy, type ProxyUnderTest } from "./proxy-under-test.ts";

const end = "Host: page.test\r\nX-Owner: ann\r\nConnection: close\r\n\r\n";

let stage: ProxyUnderTest;
beforeAll(async () => {
  stage = await openProxy();
  await stage.submit("ann");
});

describe("a path", () => {
  const targets = [
    "/adgen",
    "/adgen/v1",
    "/adgen/v1/",
    "/adgen/v1/jobs/",
    "/adgen/v1/jobs/job-1/",
    "/adgen/v1/jobs/job-1/result",
    "/adgen/v1//jobs",
    "/adgen//v1//jobs/job-1",
    "/adgen/v1/Jobs/job-1",
    "/adgen/V1/jobs/job-1",
    "/adgen/v1/jobs;x=1",
    "/adgen/v1/jobs/job-1;x=1",
    "/adgen/v1/jobs%2fjob-1",
    "/adgen/v1%2fjobs/job-1",
    "/adgen/v1/jobs/job-1%2f..%2fjob-1",
    "/adgen/v1/jobs/..%2fbrands",
    "/adgen/v1/jobs/%2e%2e/brands%00",
    "/adgen/v1/jobs/..",
    "/adgen/v1/jobs/.",
    "/adgen/v1/jobs/%2e",
    "/adgen/v1/jobs/%252e%252e",
    "/adgen/v1/jobs/job-1%00",
    "/adgen/v1/jobs/job-1%0d%0aX-A:%20b",
    "/adgen/v1/jobs/job-1%20",
    "/adgen/v1/jobs/%",
    "/adgen/v1/jobs/%zz",
    "/adgen/v1/jobs/%ff%fe",
    "/adgen/v1/jobs/%C0%AE%C0%AE",
    "/adgen/v1/jobs\\job-1\\..",
    "/adgen/v1/jobs/..\\brands",
    "/adgen/v1/brands/v1/jobs",
    "/adgen/v1/jobs/v1/jobs/job-1",
    "/adgen/v1/brands/%2e%2e%2fjobs%2fjob-1/ads",
    "/adgen/v1/brands//ads",
    "/adgen/v1/jobs/@service.test",
    "/adgen/v1/accounts",
    "/adgen/v2/jobs",
    "/adgen/v1jobs",
    "/adgen/__mock/state",
    "*",
    "//service.test/v1/jobs/job-9",
    `/adgen/v1/jobs/${"x".repeat(300)}`,
  ];
  test.each(targets)("%s leads nowhere", async (target) => {
    const { speak, service } = stage;
    const before = service.arrivals();
    const said = await speak(`GET ${target} HTTP/1.1\r\n${end}`);
    expect(said).toMatch(/^HTTP\/1\.1 (400|404|405) /);
    expect(said).not.toMatch(/queued|x-a:/i);
    expect(service.arrivals()).toBe(before);
  });

  // These are another way to write a call's own path: URLs are read so by every runtime.
  const same: [what: string, target: string][] = [
    ["with dots", "/adgen/v1/brands/../jobs/job-1"],
    ["with escaped dots", "/adgen/v1/brands/%2e%2E/jobs/job-1"],
    ["from the root", "/v1/jobs/job-1"],
    ["from deeper down", "/a/b/c/v1/jobs/job-1"],
    ["with an escaped letter", "/adgen/v1/jobs/%6Aob-1"],
  ];
  test.each(same)("%s leads to one's own things alone", async (_, target) => {
    const { speak, service } = stage;
    const own = await speak(`GET ${target} HTTP/1.1\r\n${end}`);
    const other = await speak(`GET ${target} HTTP/1.1\r\n${end.replace("ann", "eve")}`);
    expect(own).toMatch(/^HTTP\/1\.1 (200|404) /);
    expect(other).toMatch(/^HTTP\/1\.1 404 /);
    for (const { url } of service.received.slice(1)) expect(url).toBe("/v1/jobs/job-1");
  });

  test.each(["http://service.test/adgen/v1/jobs/job-1", "http://127.0.0.1:9/adgen/v1/jobs/job-1"])(
    "in absolute form (%s) goes nowhere else",
    async (target) => {
      const { submit, speak, service } = await openProxy();
      await submit("ann");
      const said = await speak(`GET ${target} HTTP/1.1\r\n${end}`);
      expect(said).toMatch(/^HTTP\/1\.1 (200|400|403|404) /);
      for (const { url, headers } of service.received) {
        expect(url).toMatch(/^\/v1\/jobs(\/job-1)?$/);
        expect(headers.host).toBe(`127.0.0.1:${service.port}`);
      }
    },
  );

  test("with a query or a fragment that no call has is refused", async () => {
    const { submit, speak, service } = await openProxy();
    await submit("ann");
    for (const target of [
      "/adgen/v1/jobs/job-1?x=1",
      "/adgen/v1/jobs?x=1",
      "/adgen/v1/jobs/job-1?/../brands",
    ]) {
      expect(await speak(`GET ${target} HTTP/1.1\r\n${end}`)).toMatch(/^HTTP\/1\.1 (200|400|404) /);
    }
    await speak(`GET /adgen/v1/jobs/job-1#/../../brands HTTP/1.1\r\n${end}`);
    for (const { url } of service.received) expect(url).toMatch(/^\/v1\/jobs(\/job-1)?$/);
  });

  test("is taken from the mount alone, when one is named", async () => {
    const { submit, ask, speak, service } = await openProxy({ mountPath: "/adgen" });
    expect((await submit("ann")).status).toBe(202);
    expect((await ask("ann", { path: "/v1/jobs/job-1" })).status).toBe(200);
    for (const path of [
      "/v1",
      "/v1/jobs",
      "/adgenx/v1/jobs",
      "/other/adgen/v1/jobs",
      "/adgen/x/v1/jobs",
      "/ADGEN/v1/jobs",
    ]) {
      expect(await speak(`GET ${path} HTTP/1.1\r\n${end}`)).toMatch(/^HTTP\/1\.1 404 /);
    }
    expect(service.received).toHaveLength(2);
  });
});
