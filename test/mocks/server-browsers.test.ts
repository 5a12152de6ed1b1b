import { describe, expect, it } from "vitest";
import { startServer } from "./server-sockets.ts";

const site = { origin: "http://localhost:5173" };
const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("a browser app of another origin", () => {
  it("is answered at its preflight, which does not reach the service", async () => {
    const { url, service } = await startServer();
    service.faults.play({ kind: "reset" });
    const ask = (more: Record<string, string>) =>
      fetch(`${url}/v1/brands/x`, {
        method: "OPTIONS",
        headers: { ...site, "access-control-request-method": "PATCH", ...more },
      });
    const answer = await ask({
      "access-control-request-headers": "authorization,X-Trace, bad name",
      "access-control-request-private-network": "true",
    });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": site.origin,
      "access-control-allow-credentials": "true",
      vary: "origin, access-control-request-headers, access-control-request-private-network",
      "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": "authorization, content-type, x-trace",
      "access-control-max-age": "600",
      "access-control-allow-private-network": "true",
    });
    expect((await ask({})).headers.get("access-control-allow-private-network")).toBeNull();
    expect(service.journal.entries).toEqual([]);
    expect(service.faults.scheduled).toHaveLength(1);
  });
});

describe("a browser that a person uses", () => {
  it("is led from / to the page; the journal does not keep it", async () => {
    const { url, service } = await startServer();
    const answer = await fetch(url, { headers: html, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/__mock/"]);
    expect(await (await fetch(url, { headers: html })).text()).toContain("<!doctype html>");
    expect(service.journal.entries).toEqual([]);
  });

  it.each([
    ["a client that takes any type", "GET", "/", { accept: "*/*" }],
    ["a form", "POST", "/", html],
    ["another path", "GET", "/v1", html],
  ])("is not what the service takes for one: %s", async (_, method, path, headers) => {
    const { url, service } = await startServer();
    const answer = await fetch(url + path, { method, headers, redirect: "manual" });
    expect([401, 404]).toContain(answer.status);
    expect(service.journal.entries).toHaveLength(1);
  });
});
