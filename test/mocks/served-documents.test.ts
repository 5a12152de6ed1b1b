import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { generateOpenApi } from "../../tools/openapi/document.ts";
import { createAdministered, origin } from "./admin-ask.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

describe("openapi.json, which the server answers,", () => {
  const document = JSON.parse(readFileSync("mocks/faces/server/admin/openapi.json", "utf8"));

  test("is the document of today: npm run openapi writes it", () => {
    expect(document).toEqual(JSON.parse(JSON.stringify(generateOpenApi(version))));
  });

  test("comes without an envelope, names the server as its address, and does not come again", async () => {
    const { admin } = createAdministered();
    const ask = (headers = {}) =>
      admin.fetch(new Request(`${origin}/__mock/openapi.json`, { headers }));
    const response = await ask();
    expect(response.headers.get("content-type")).toBe("application/json");
    const servers = [{ url: origin, description: "This mock." }];
    expect(await response.json()).toEqual({ ...document, servers });
    const etag = response.headers.get("etag") ?? "";
    expect((await ask({ "if-none-match": etag })).status).toBe(304);
  });
});
