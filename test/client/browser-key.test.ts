import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type * as Library from "../../src/index.ts";

/** A library that has not warned yet. */
const load = async (): Promise<typeof Library> => {
  vi.resetModules();
  return import("../../src/index.ts");
};

const warn = vi.spyOn(console, "warn").mockImplementation(() => {});

beforeEach(() => {
  warn.mockClear();
  vi.stubGlobal("document", {});
});
afterEach(() => vi.unstubAllGlobals());

const options = { baseUrl: "http://ads.test", apiKey: "ak-S3cr3t" };

describe("a key in a browser", () => {
  it("is warned of once, without being quoted", async () => {
    const { createClient } = await load();

    createClient(options);
    createClient(options);

    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.join()).toContain("allowBrowserKey");
    expect(warn.mock.calls.join()).not.toContain("S3cr3t");
  });

  it("is not warned of where it is meant", async () => {
    const { createClient } = await load();

    createClient({ ...options, allowBrowserKey: true });

    expect(warn).not.toHaveBeenCalled();
  });

  it("is not warned of where a proxy adds it, or a function gives it", async () => {
    const { createClient } = await load();

    createClient({ ...options, apiKey: null });
    createClient({ ...options, apiKey: () => "short-lived" });

    expect(warn).not.toHaveBeenCalled();
  });

  it("is no matter elsewhere", async () => {
    vi.unstubAllGlobals();
    const { createClient } = await load();

    createClient(options);

    expect(warn).not.toHaveBeenCalled();
  });
});
