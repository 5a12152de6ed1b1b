import { expect, test } from "vitest";
import { readTarget } from "../../mocks/faces/server/read-target.ts";

const read = (url: string, host?: string) =>
  readTarget({ url, headers: host === undefined ? {} : { host } }, "127.0.0.1");

test.each([
  ["/v1/jobs", "127.0.0.1:4010"],
  ["/v1/jobs/job_0a1b-2?limit=20&x=", "localhost"],
  ["/v1/brands//ads", "[::1]:80"],
  ["/v1/", "localhost:59999"],
  ["/v1/jobs?q=a+b", "localhost"],
  ["//v1/jobs", "localhost"],
  ["/__mock/state", "localhost"],
  ["/api/v1/jobs", "localhost"],
  ["/v1/jobs", "EXAMPLE.com"],
  ["/v1/jobs?q=a\\b", "localhost"],
])("takes %s of %s as every URL parser does", (url, host) => {
  const read1 = read(url, host);
  expect(read1?.href).toBe(new URL(`http://${host}${url}`).href);
  expect(`${read1?.pathname}${read1?.search}`).toBe(url);
});

test.each([
  ["/v1/../__mock/", "localhost", "http://localhost/__mock/"],
  ["/v1/%2e%2e/jobs", "localhost", "http://localhost/jobs"],
  ["/v1/jobs?a=b#c", "localhost", "http://localhost/v1/jobs?a=b#c"],
  ["http://evil/v1/jobs", "localhost", "http://evil/v1/jobs"],
  ["https://evil:1/v1/../x", "localhost", "https://evil:1/x"],
  ["/v1/jobs", undefined, "http://127.0.0.1/v1/jobs"],
  ["/v1/jobs", "", "http://127.0.0.1/v1/jobs"],
])("reads %s of %s as %s", (url, host, expected) => {
  expect(read(url, host)?.href).toBe(expected);
});

test.each([
  ["*", "localhost"],
  ["", "localhost"],
  ["v1/jobs", "localhost"],
  ["evil.test:80", "localhost"],
  ["ftp://evil/v1/jobs", "localhost"],
  ["http://[/v1/jobs", "localhost"],
  ["http://user@localhost/v1/jobs", "localhost"],
  ["http://:secret@localhost/v1/jobs", "localhost"],
  ["http://localhost\\@evil/v1/jobs", "localhost"],
  ["/v1/jobs\\x", "localhost"],
  ["/v1\\..\\__mock?", "localhost"],
  ["/v1/jobs", "user@localhost"],
  ["/v1/jobs", "localhost/x"],
  ["/v1/jobs", "localhost?x"],
  ["/v1/jobs", "localhost#x"],
  ["/v1/jobs", "localhost\\x"],
  ["/v1/jobs", "a b"],
  ["/v1/jobs", "%6cocalhost"],
  ["/v1/jobs", "0x7f.1"],
  ["/v1/jobs", "2130706433"],
  ["/v1/jobs", "[0:0:0:0:0:0:0:1]"],
  ["/v1/jobs", "localhost:123456"],
  ["/v1/jobs", "1.2.3.999"],
  ["/v1/jobs", "localhost:99999"],
  ["/v1/jobs", "[1:2]"],
])("refuses %s of %s", (url, host) => {
  expect(read(url, host)).toBeUndefined();
});
