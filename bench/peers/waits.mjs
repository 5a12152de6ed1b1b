/**
 * Waits once by the helper of each other client, as the client's guide shows it. Each client gets a
 * `fetch` that answers in the format of the client's service. `service.submit()` begins a job and
 * gives its id; `service.poll(id)` counts a poll and tells whether the job is done.
 */
import { createFalClient } from "@fal-ai/client";
import RunwayML from "@runwayml/sdk";
import Replicate from "replicate";

const json = (body) =>
  new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });

const fetchOf = (service, submitted, seen) => {
  return async (url, { method = "GET" } = {}) => {
    if (method.toUpperCase() === "POST") return json(submitted(service.submit()));
    return json(seen(/job_\d+/.exec(String(url))?.[0], String(url)));
  };
};

export const waits = {
  "replicate run": (service) => {
    const fetch = fetchOf(
      service,
      (id) => ({ id, status: "starting" }),
      (id) => ({ id, status: service.poll(id) ? "succeeded" : "processing", output: "" }),
    );
    // By default, Replicate asks its service to hold the first request open for up to a minute.
    const options = { input: {}, wait: { mode: "poll" } };
    return new Replicate({ auth: "test-key", fetch }).run("acme/ads", options);
  },
  "fal subscribe": (service) => {
    const fetch = fetchOf(
      service,
      (id) => ({ request_id: id, status: "IN_QUEUE" }),
      // fal gets the result by one more request, which is not counted as a poll.
      (id, url) =>
        url.includes("/status")
          ? { request_id: id, status: service.poll(id) ? "COMPLETED" : "IN_PROGRESS" }
          : {},
    );
    return createFalClient({ credentials: "test-key", fetch }).subscribe("acme/ads", { input: {} });
  },
  "runway waitForTaskOutput": (service) => {
    const fetch = fetchOf(
      service,
      (id) => ({ id }),
      (id) => ({ id, status: service.poll(id) ? "SUCCEEDED" : "RUNNING" }),
    );
    const request = { model: "gen4_image", promptText: "Lemonade", ratio: "1920:1080" };
    return new RunwayML({ apiKey: "test-key", fetch }).textToImage
      .create(request)
      .waitForTaskOutput();
  },
};
