import { expect, test } from "vitest";
import { readTarget } from "../../mocks/faces/server/read-target.ts";

const read = (url: string, host?: string) =>
  readTarget({ url, headers: host === undefined ? {} : { host } }, "127.0.0.1");

test.each([
  ["/v1/jobs", "127.0.0.1:4010"],
  ["/v1/jobs/job_0a1b-2?limit=20&x=", "localhost"],
  ["/v1/brands//ads", "[::1]:80"],
  ["/v1/", "localhost:59999"],
  ["//v1/jobs", "localhost"],
  ["/v1/jobs", "EXAMPLE.com"],
  ["/v1/jobs?q=a\\b", "localhost"],
])("takes %s of %s as every URL parser does", (url, host) => {
  const target = read(url, host);
  expect(target?.href).toBe(new URL(`http://${host}${url}`).href);
  expect(`${target?.pathname}${target?.search}`).toBe(url);
});

test.each([
  ["/v1/../__mock/", "localhost", "http://localhost/__mock/"],
  ["/v1/%2e%2e/jobs", "localhost", "http://localhost/jobs"],
  ["/v1/jobs?a=b#c", "localhost", "http://localhost/v1/jobs?a=b#c"],
  ["https://evil:1/v1/../x", "localhost", "https://evil:1/x"],
  ["/v1/jobs", undefined, "http://127.0.0.1/v1/jobs"],
  ["/v1/jobs", "", "http://127.0.0.1/v1/jobs"],
])("reads %s of %s as %s", (url, host, expected) => {
  expect(read(url, host)?.href).toBe(expected);
});

test.each([
  ...["*", "", "v1/jobs", "evil.test:80", "ftp://evil/v1/jobs", "http://[/v1/jobs"],
  ...["http://user@localhost/v1/jobs", "http://:secret@localhost/v1/jobs"],
  ...["http://localhost\\@evil/v1/jobs", "/v1/jobs\\x", "/v1\\..\\__mock?"],
])("refuses the target %s", (url) => {
  expect(read(url, "localhost")).toBeUndefined();
});

test.each([
  ...["user@localhost", "localhost/x", "localhost?x", "localhost#x", "localhost\\x", "a b"],
  ...["%6cocalhost", "0x7f.1", "2130706433", "[0:0:0:0:0:0:0:1]", "1.2.3.999", "[1:2]"],
  ...["localhost:123456", "localhost:99999"],
])("refuses the host %s", (host) => {
  expect(read("/v1/jobs", host)).toBeUndefined();
});
