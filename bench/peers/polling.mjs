/**
 * The same wait, made by the helpers of other clients, as their guides show them. Each gets a
 * `fetch` that answers in its own service's format. `service` begins jobs and is asked about them:
 * `submit()` gives the id of a new job, and `poll(id)` counts a poll and tells whether it is done.
 */
import { createFalClient } from "@fal-ai/client";
import RunwayML from "@runwayml/sdk";
import OpenAI from "openai";
import Replicate from "replicate";

/** As long as ours, so that no helper gives up earlier. */
const timeoutMs = 31 * 60_000;

const json = (body) =>
  new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });

/** Makes a `fetch` from what a service answers to a POST and to a GET. */
const fetchOf = (service, { submitted, seen }) => {
  return async (url, { method = "GET" } = {}) => {
    if (method.toUpperCase() === "POST") return json(submitted(service.submit()));
    const [, id] = /(job_\d+)/.exec(String(url)) ?? [];
    return json(seen(id, String(url)));
  };
};

const openaiWait = (service) => {
  const file = (id, status) => ({ id, object: "vector_store.file", status });
  const openai = new OpenAI({
    apiKey: "test-key",
    fetch: fetchOf(service, {
      submitted: (id) => file(id, "in_progress"),
      seen: (id) => file(id, service.poll(id) ? "completed" : "in_progress"),
    }),
  });
  return () => openai.vectorStores.files.createAndPoll("vs_1", { file_id: "file_1" });
};

const runwayWait = (service) => {
  const runway = new RunwayML({
    apiKey: "test-key",
    fetch: fetchOf(service, {
      submitted: (id) => ({ id }),
      seen: (id) => ({ id, status: service.poll(id) ? "SUCCEEDED" : "RUNNING" }),
    }),
  });
  const request = { model: "gen4_image", promptText: "Summer sale", ratio: "1920:1080" };
  return () => runway.textToImage.create(request).waitForTaskOutput({ timeout: timeoutMs });
};

const replicateWait = (service) => {
  const replicate = new Replicate({
    auth: "test-key",
    fetch: fetchOf(service, {
      submitted: (id) => ({ id, status: "starting" }),
      seen: (id) => ({ id, status: service.poll(id) ? "succeeded" : "processing", output: "" }),
    }),
  });
  // Its default holds the request open for a minute first, which needs a service that does so.
  return () => replicate.run("acme/ads", { input: {}, wait: { mode: "poll" } });
};

const falWait = (service) => {
  const fal = createFalClient({
    credentials: "test-key",
    fetch: fetchOf(service, {
      submitted: (id) => ({ request_id: id, status: "IN_QUEUE" }),
      // It gets the result by one more request, which is not counted as a poll.
      seen: (id, url) =>
        url.includes("/status")
          ? { request_id: id, status: service.poll(id) ? "COMPLETED" : "IN_PROGRESS" }
          : {},
    }),
  });
  return () => fal.subscribe("fal-ai/ads", { input: {} });
};

/** For each client, the function that submits a job and waits until it is done. */
export const waitsOn = (service) => ({
  "openai createAndPoll": openaiWait(service),
  "runway waitForTaskOutput": runwayWait(service),
  "replicate run": replicateWait(service),
  "fal subscribe": falWait(service),
});
