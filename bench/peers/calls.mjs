/**
 * The same calls, made by other clients. fal's paths are fixed, so it is measured with a stub only.
 */
import { createFalClient } from "@fal-ai/client";
import ky from "ky";
import OpenAI from "openai";

const headers = { authorization: "Bearer test-key", accept: "application/json" };
const json = async (response) => JSON.parse(await response.text());

export const clientsAt = (baseUrl) => {
  const openai = new OpenAI({ apiKey: "test-key", baseURL: baseUrl });
  const http = ky.create({ headers });
  return {
    fetch: {
      get: async (path) => json(await fetch(baseUrl + path, { headers })),
      post: async (path, body) =>
        json(
          await fetch(baseUrl + path, {
            method: "POST",
            headers: { ...headers, "content-type": "application/json" },
            body: JSON.stringify(body),
          }),
        ),
    },
    ky: {
      get: (path) => http.get(baseUrl + path).json(),
      post: (path, body) => http.post(baseUrl + path, { json: body }).json(),
    },
    openai: {
      get: (path) => openai.get(path),
      post: (path, body) => openai.post(path, { body }),
    },
  };
};

const fal = createFalClient({ credentials: "test-key" });

export const fixedClients = {
  "@fal-ai/client": {
    get: () => fal.queue.status("fal-ai/ads", { requestId: "job_1" }),
    post: (_path, body) => fal.queue.submit("fal-ai/ads", { input: body }),
  },
};
