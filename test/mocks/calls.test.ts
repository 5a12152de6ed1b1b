import { describe, expect, test } from "vitest";
import { setUp } from "./set-up.ts";

const url = "https://ads.test/v1/brands";
const headers = { authorization: "Bearer test-key", "x-trace": "1" };

describe("a call of service.fetch", () => {
  test.each(["a field", "a getter of a class"])(
    "with an aborted signal, as %s, changes nothing",
    async (how) => {
      const { service, ask, account } = setUp();
      const { id } = (await ask("POST", "/v1/brands", { name: "Acme" })).data;
      class Init {
        get method() {
          return "DELETE";
        }
        get headers() {
          return headers;
        }
        get signal() {
          return AbortSignal.abort(new Error("gone"));
        }
      }
      const { method, signal } = new Init();
      const init = how === "a field" ? { method, headers, signal } : new Init();
      await expect(service.fetch(`${url}/${id}`, init)).rejects.toThrow("gone");
      expect(account.brands).toHaveLength(1);
    },
  );

  test("is known by its method in capitals, as fetch sends it", async () => {
    const { service } = setUp();
    const answer = await service.fetch(`${url}/brand_1`, { method: "patch", headers, body: "{}" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "PATCH, DELETE"]);
  });

  test("to an address with a user is none, as for fetch", async () => {
    const { service } = setUp();
    const call = service.fetch("https://user:pass@ads.test/v1/jobs", { headers });
    await expect(call).rejects.toThrow(TypeError);
  });

  test.each(["ftp://ads.test/v1/brands", "data:,1"])("to %s is none", async (address) => {
    const { service, journal } = setUp();
    const scheme = address.slice(0, address.indexOf(":") + 1);
    await expect(service.fetch(address, { headers })).rejects.toThrow(
      `The mock's fetch takes "http:" and "https:"; it was given "${scheme}"`,
    );
    expect(journal.count).toBe(0);
  });

  test("has its headers as fetch reads them", async () => {
    const { service, journal } = setUp();
    const odd = { Authorization: " Bearer test-key ", "x-trace": " 1", "X-Trace": "2\t" };
    const { status } = await service.fetch(url, { headers: odd });
    expect(status).toBe(200);
    expect(journal.entries[0]?.headers["x-trace"]).toBe("1, 2");
    for (const wrong of [{ "x-trace": "Zürich €" }, { "x trace": "1" }, { "x-trace": "1\n2" }]) {
      await expect(service.fetch(url, { headers: { ...headers, ...wrong } })).rejects.toThrow(
        TypeError,
      );
    }
    expect(journal.count).toBe(1);
  });

  test("keeps in the log what was sent, whatever becomes of the object", async () => {
    const { service, journal } = setUp();
    const own = { ...headers };
    await service.fetch(url, { headers: own });
    own["x-trace"] = "2";
    expect(journal.entries[0]?.headers["x-trace"]).toBe("1");
  });
});

test.each([
  ...["authorization", "cookie", "x-api-key", "x-pass", "x-secret", "x-session", "x-signature"],
  ...["x-token", "x-credential", "cf-access-jwt-assertion"],
])("the header %s is in no log", async (name) => {
  const { service, journal } = setUp();
  await service.fetch(url, { headers: { ...headers, [name]: "Bearer hidden" } });
  expect(journal.entries[0]?.headers[name]).toBe("[redacted]");
  expect(journal.entries[0]?.headers["x-trace"]).toBe("1");
});
