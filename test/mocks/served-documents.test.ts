import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { generateOpenApi } from "../../tools/openapi/document.ts";
import { createAdministered, origin } from "./admin-ask.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

describe("openapi.json, which the server answers,", () => {
  const text = readFileSync("mocks/faces/server/admin/openapi.json", "utf8");

  test("is the document of today: npm run openapi writes it", () => {
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(generateOpenApi(version))));
  });

  test("comes without an envelope, and names the server as its address", async () => {
    const { admin } = createAdministered();
    const response = await admin.fetch(new Request(`${origin}/__mock/openapi.json`));
    expect(response.headers.get("content-type")).toBe("application/json");
    const servers = [{ url: origin, description: "This mock." }];
    expect(await response.json()).toEqual({ ...JSON.parse(text), servers });
  });

  test("does not come again to a tool that has it", async () => {
    const { admin } = createAdministered();
    const ask = (headers = {}) =>
      admin.fetch(new Request(`${origin}/__mock/openapi.json`, { headers }));
    const etag = (await ask()).headers.get("etag") ?? "";
    expect((await ask({ "if-none-match": etag })).status).toBe(304);
  });
});
