import { createClient } from "adgen-sdk";
import type { Contender } from "./play.ts";

const envelope = (data: object): object => ({ success: true, data, error: null });

export const ownContender: Contender = {
  name: "adgen-sdk",
  call: "jobs.submit",
  paid: envelope({ job_id: "job_1", status: "queued" }),
  read: envelope({ job_id: "job_1", status: "processing" }),
  create: ({ url, key }) => {
    const client = createClient({ baseUrl: url, apiKey: key });
    return {
      client,
      pay: (signal) =>
        client.jobs.submit({ action: "generate-ad", prompt: "Lemonade" }, signal && { signal }),
      get: (id) => client.jobs.get(id),
    };
  },
};
