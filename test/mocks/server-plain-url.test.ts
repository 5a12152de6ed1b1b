import { expect, test } from "vitest";
import { plainUrl } from "../../mocks/faces/server/plain-url.ts";

const read = (url: string, host?: string) =>
  plainUrl({ url, headers: host === undefined ? {} : { host } });

test.each([
  ["/v1/jobs", "127.0.0.1:4010"],
  ["/v1/jobs/job_0a1b-2?limit=20&x=", "localhost"],
  ["/v1/brands//ads", "[::1]:80"],
  ["/v1/", "localhost:59999"],
])("takes %s of %s as every URL parser does", (url, host) => {
  const href = read(url, host);
  expect(href).toBe(`http://${host}${url}`);
  expect(new URL(href ?? "").pathname + new URL(href ?? "").search).toBe(url);
});

test.each([
  ["/v1/../__mock/", "localhost"],
  ["/v1/%2e%2e/jobs", "localhost"],
  ["/v1/jobs\\x", "localhost"],
  ["/v1/jobs?a=b#c", "localhost"],
  ["/v1/jobs?q=a+b", "localhost"],
  ["//v1/jobs", "localhost"],
  ["/__mock/state", "localhost"],
  ["/api/v1/jobs", "localhost"],
  ["http://evil/v1/jobs", "localhost"],
  ["*", "localhost"],
  ["/v1/jobs", undefined],
  ["/v1/jobs", ""],
  ["/v1/jobs", "user@localhost"],
  ["/v1/jobs", "localhost/x"],
  ["/v1/jobs", "localhost:123456"],
  ["/v1/jobs", "EXAMPLE.com"],
  ["/v1/jobs", "1.2.3.999"],
  ["/v1/jobs", "localhost:99999"],
  ["/v1/jobs", "[1:2]"],
])("leaves %s of %s to whoever reads it with care", (url, host) => {
  expect(read(url, host)).toBeUndefined();
});
