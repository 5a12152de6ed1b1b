// Pictures and videos by URL, where the mock stands behind the global fetch of a test.
import { createClient } from "adgen-sdk";
import { setupMockServer } from "adgen-sdk/mocks/node";
import { afterEach, describe, expect, test } from "vitest";

describe.each([
  { where: "of a service with a base URL", baseUrl: "https://ads.test/api" },
  { where: "of a service without one", baseUrl: undefined },
])("a file $where", ({ baseUrl }) => {
  let close = (): void => {};
  afterEach(() => close());

  test("fetch and node:http get a picture, and a 404 for a missing one", async () => {
    const mock = setupMockServer({ ...(baseUrl && { baseUrl }), hooks: false });
    close = () => {
      mock.close();
      mock.allowNetwork();
    };
    await mock.listen();
    const asked = baseUrl ?? "https://other.test/v0";
    const client = createClient({ baseUrl: asked, apiKey: "test-key" });
    const job = await client.jobs.submitAndPoll({ action: "video-a-2" });
    const { videos } = Object(job.status === "completed" && job.result);
    expect(videos[0].url).toBe(`${asked}/__mock/artwork/${job.job_id}/1.mp4`);
    const answer = await fetch(videos[0].url, { headers: { range: "bytes=4-7" } });
    expect([answer.status, await answer.text()]).toEqual([206, "ftyp"]);
    const head = await fetch(videos[0].url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    expect((await fetch(videos[0].url.replace("1.mp4", "2.mp4"))).status).toBe(404);
    const { get } = await import("node:https");
    const status = await new Promise((resolve, reject) =>
      get(videos[0].url, (response) => resolve(response.resume().statusCode)).on("error", reject),
    );
    expect(status).toBe(200);
    // The journal has requests to the API only, and none for files.
    expect(mock.service.journal.entries.every(({ operation }) => operation !== undefined)).toBe(
      true,
    );
    mock.reset();
  });
});
