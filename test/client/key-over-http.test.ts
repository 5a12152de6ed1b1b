import { beforeEach, describe, expect, it, vi } from "vitest";
import type * as Library from "../../src/index.ts";

/** A library that has not warned yet. */
const load = async (): Promise<typeof Library> => {
  vi.resetModules();
  return import("../../src/index.ts");
};

const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
beforeEach(() => void warn.mockClear());

const apiKey = "ak-S3cr3t";

describe("a key over plain http", () => {
  it.each([
    ["http://api.example.com", "api.example.com"],
    ["http://10.0.0.7:8080/adgen", "10.0.0.7:8080"],
    ["http://localhost.example.com", "localhost.example.com"],
    ["http://127.example.com", "127.example.com"],
    ["http://[2001:db8::1]", "[2001:db8::1]"],
  ])("to %s is warned of once, without being quoted", async (baseUrl, host) => {
    const { createClient } = await load();

    createClient({ baseUrl, apiKey });
    createClient({ baseUrl, apiKey });

    expect(warn).toHaveBeenCalledTimes(1);
    const [text] = warn.mock.calls[0] ?? [];
    expect(text).toMatch(/^adgen-sdk: apiKey goes unencrypted to .*: use https\.$/);
    expect(text).toContain(host);
    expect(text).not.toContain("S3cr3t");
  });

  it("is warned of where a function gives it", async () => {
    const { createClient } = await load();

    createClient({ baseUrl: "http://api.example.com", apiKey: () => apiKey });

    expect(warn).toHaveBeenCalledTimes(1);
  });

  it.each([
    "http://localhost:3000",
    "http://ads.localhost",
    "http://127.0.0.1:8080",
    "http://127.1.2.3",
    "http://[::1]:8080",
    "http://ads.test",
    "https://api.example.com",
    "/adgen",
  ])("is no matter at %s", async (baseUrl) => {
    const { createClient } = await load();

    createClient({ baseUrl, apiKey });

    expect(warn).not.toHaveBeenCalled();
  });

  it("is no matter where a proxy adds it", async () => {
    const { createClient } = await load();

    createClient({ baseUrl: "http://api.example.com", apiKey: null });

    expect(warn).not.toHaveBeenCalled();
  });
});
