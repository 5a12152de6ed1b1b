import { Hono } from "hono";
import { expect, test } from "vitest";
import { mountPage } from "../../mocks/faces/server/page/page.ts";
import { createManualClock, createMockService } from "../../mocks/index.ts";

const mount = (problems: () => readonly string[]) => {
  const app = new Hono();
  mountPage(app, createMockService({ clock: createManualClock() }), problems);
  return (path: string, headers = {}) => app.request(`http://127.0.0.1${path}`, { headers });
};

test("the page says what troubles its server, in an alert, and escapes it", async () => {
  const troubles = ["The state could not be saved: <disk full>"];
  const get = mount(() => troubles);
  const words = "The state could not be saved: &lt;disk full&gt;";
  for (const path of ["/__mock/", "/__mock/body"]) {
    const html = await (await get(path)).text();
    expect(html).toMatch(new RegExp(`role="alert"[^>]*><p class="problem"><bdi>${words}`));
  }
});

test("the page is renewed when a trouble comes, and when it goes", async () => {
  let troubles: readonly string[] = [];
  const get = mount(() => troubles);
  const look = (etag = "") => get("/__mock/body", { "if-none-match": etag });
  const etagOf = (response: Response): string => response.headers.get("etag") ?? "";
  const calm = etagOf(await look());
  expect((await look(calm)).status).toBe(304);
  troubles = ["The state could not be saved"];
  const troubled = await look(calm);
  expect(troubled.status).toBe(200);
  expect(await troubled.text()).toContain("The state could not be saved");
  troubles = [];
  expect((await look(etagOf(troubled))).status).toBe(200);
});
