/** Submits a paid job in every way that a program has. Only the mock may get these requests. */

import * as namespace from "node:http";
import defaultHttp, { request as namedRequest } from "node:http";
import { createClient } from "adgen-sdk";

/** Address of a server that counts what it gets: it stands for the real service. */
export const baseUrl = process.env.SERVICE_URL;

/** Throws unless the mock's account has so many charges. */
export const expectCharges = (service, count) => {
  const { charges } = service.account("test-key");
  if (charges.length !== count) throw new Error(`${charges.length} charges instead of ${count}`);
};

const headers = { authorization: "Bearer test-key", "content-type": "application/json" };
const body = JSON.stringify({ action: "generate-ad" });

const payByHttp = (request) =>
  new Promise((resolve, reject) => {
    const asking = request(`${baseUrl}/v1/jobs`, { method: "POST", headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    });
    asking.on("error", reject).end(body);
  });

const ways = {
  fetch: async () => (await fetch(`${baseUrl}/v1/jobs`, { method: "POST", headers, body })).status,
  client: async () => {
    const client = createClient({ baseUrl, apiKey: "test-key", allowBrowserKey: true });
    await client.jobs.submit({ action: "generate-ad" });
    return 202;
  },
  "default import": () => payByHttp(defaultHttp.request),
  "named import": () => payByHttp(namedRequest),
  "namespace import": () => payByHttp(namespace.request),
};

/** Pays in every way; throws when one of them fails, after all have been tried. */
export const payInEveryWay = async () => {
  const answers = [];
  for (const pay of Object.values(ways)) {
    answers.push(await pay().catch(({ message, cause }) => `${message} ${cause?.message}`));
  }
  if (answers.some((answer) => answer !== 202)) throw new Error(answers.join("\n"));
  return answers.length;
};
