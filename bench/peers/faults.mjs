/**
 * A paid call and a read by each other client. Each client uses its own methods and its defaults,
 * and sends to the address of a stub.
 */
import Anthropic from "@anthropic-ai/sdk";
import { createFalClient } from "@fal-ai/client";
import RunwayML from "@runwayml/sdk";
import axios from "axios";
import ky from "ky";
import OpenAI from "openai";
import Replicate from "replicate";
import Stripe from "stripe";

const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [{ type: "text", text: "Ice cold" }],
  stop_reason: "end_turn",
  usage: { input_tokens: 1, output_tokens: 1 },
};

export const contenders = [
  {
    name: "openai",
    call: "images.generate",
    paid: { created: 1, data: [{ url: "https://ads.test/1.png" }] },
    read: { id: "job_1", object: "file" },
    create: ({ url, key }) => {
      const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1` });
      const request = { model: "gpt-image-1", prompt: "Lemonade" };
      return {
        client,
        pay: (signal) => client.images.generate(request, { signal }),
        get: (id) => client.files.retrieve(id),
      };
    },
  },
  {
    name: "@anthropic-ai/sdk",
    call: "messages.create",
    paid: message,
    read: { id: "job_1", type: "model" },
    create: ({ url, key }) => {
      const client = new Anthropic({ apiKey: key, baseURL: url });
      const messages = [{ role: "user", content: "Lemonade" }];
      const request = { model: "claude", max_tokens: 10, messages };
      return {
        client,
        pay: (signal) => client.messages.create(request, { signal }),
        get: (id) => client.models.retrieve(id),
      };
    },
  },
  {
    name: "@runwayml/sdk",
    call: "textToImage.create",
    paid: { id: "job_1" },
    read: { id: "job_1", status: "RUNNING" },
    create: ({ url, key }) => {
      const client = new RunwayML({ apiKey: key, baseURL: url });
      const request = { model: "gen4_image", promptText: "Lemonade", ratio: "1920:1080" };
      return {
        client,
        pay: (signal) => client.textToImage.create(request, { signal }),
        get: (id) => client.tasks.retrieve(id),
      };
    },
  },
  {
    name: "replicate",
    call: "predictions.create",
    paid: { id: "job_1", status: "starting" },
    read: { id: "job_1", status: "processing" },
    create: ({ url, key }) => {
      const client = new Replicate({ auth: key, baseUrl: `${url}/v1` });
      const request = { model: "acme/ads", input: { prompt: "Lemonade" } };
      return {
        client,
        pay: (signal) => client.predictions.create({ ...request, signal }),
        get: (id) => client.predictions.get(id),
      };
    },
  },
  {
    name: "@fal-ai/client",
    call: "queue.submit",
    paid: { request_id: "job_1", status: "IN_QUEUE" },
    read: { request_id: "job_1", status: "IN_PROGRESS" },
    create: ({ url, key }) => {
      const client = createFalClient({
        credentials: key,
        // The client's address is fixed, so the middleware replaces the host by the stub's.
        requestMiddleware: async (request) => {
          const { pathname, search } = new URL(request.url);
          return { ...request, url: url + pathname + search };
        },
      });
      return {
        client,
        pay: (abortSignal) =>
          client.queue.submit("fal-ai/ads", { input: { prompt: "Lemonade" }, abortSignal }),
        get: (requestId) => client.queue.status("fal-ai/ads", { requestId }),
      };
    },
  },
  {
    name: "stripe",
    call: "paymentIntents.create",
    paid: { id: "job_1", object: "payment_intent" },
    read: { id: "job_1", object: "payment_intent" },
    create: ({ url, key }) => {
      const { hostname: host, port } = new URL(url);
      const client = new Stripe(key, { host, port, protocol: "http" });
      return {
        client,
        // It takes no signal.
        pay: () => client.paymentIntents.create({ amount: 400, currency: "eur" }),
        get: (id) => client.paymentIntents.retrieve(id),
      };
    },
  },
  {
    name: "axios",
    call: "post",
    paid: { id: "job_1", status: "queued" },
    read: { id: "job_1", status: "processing" },
    create: ({ url, key }) => {
      const headers = { Authorization: `Bearer ${key}` };
      const client = axios.create({ baseURL: url, headers });
      const dataOf = async (answer) => (await answer).data;
      return {
        client,
        pay: (signal) => dataOf(client.post("/v1/jobs", { prompt: "Lemonade" }, { signal })),
        get: (id) => dataOf(client.get(`/v1/jobs/${id}`)),
      };
    },
  },
  {
    name: "ky",
    call: "post",
    paid: { id: "job_1", status: "queued" },
    read: { id: "job_1", status: "processing" },
    create: ({ url, key }) => {
      const client = ky.create({ prefix: url, headers: { authorization: `Bearer ${key}` } });
      return {
        client,
        pay: (signal) => client.post("v1/jobs", { json: { prompt: "Lemonade" }, signal }).json(),
        get: (id) => client.get(`v1/jobs/${id}`).json(),
      };
    },
  },
];
