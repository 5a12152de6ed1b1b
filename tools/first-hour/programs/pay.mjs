/** Submits a paid job in every way that a program has. Only the mock may get these requests. */

import * as httpNamespace from "node:http";
import http, { request as httpRequest } from "node:http";
import * as httpsNamespace from "node:https";
import https, { request as httpsRequest } from "node:https";
import { createClient } from "adgen-sdk";

/** Address of a server that counts what it gets: it stands for the real service. */
export const baseUrl = process.env.SERVICE_URL;

/** Throws unless the mock's account has this number of charges. */
export const expectCharges = (service, count) => {
  const { charges } = service.account("test-key");
  if (charges.length !== count) throw new Error(`${charges.length} charges instead of ${count}`);
};

export const headers = { authorization: "Bearer test-key", "content-type": "application/json" };
export const body = JSON.stringify({ action: "generate-ad" });

const isHttps = baseUrl.startsWith("https:");

const payByHttp = (request) =>
  new Promise((resolve, reject) => {
    const asking = request(`${baseUrl}/v1/jobs`, { method: "POST", headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    });
    asking.on("error", reject).end(body);
  });

/** Every way of sending a request that a program has without other packages. */
export const ownWays = {
  fetch: async () => (await fetch(`${baseUrl}/v1/jobs`, { method: "POST", headers, body })).status,
  client: async () => {
    const client = createClient({ baseUrl, apiKey: "test-key", allowBrowserKey: true });
    await client.jobs.submit({ action: "generate-ad" });
    return 202;
  },
  "default import": () => payByHttp((isHttps ? https : http).request),
  "named import": () => payByHttp(isHttps ? httpsRequest : httpRequest),
  "namespace import": () => payByHttp((isHttps ? httpsNamespace : httpNamespace).request),
};

/** Finds the guard's refusal in an error and its causes. The client quotes the refusal. */
const refusalIn = (error) => {
  if (error === undefined) return undefined;
  const text = `${error.code} ${error.message}`;
  const [found] =
    /ERR_MOCK_\w+|The mock\b.* refused .*|A request to \S+ was refused.*/.exec(text) ?? [];
  return found === undefined ? refusalIn(error.cause) : { refusal: found };
};

/** Tries to pay in some ways. Returns a status, the guard's refusal or another error for each. */
export const tryToPay = async (ways = ownWays) => {
  const ends = {};
  for (const [way, pay] of Object.entries(ways)) {
    ends[way] = await pay().catch((error) => refusalIn(error) ?? error);
  }
  return ends;
};

const isPaid = (end) => end === 202;
const isRefused = (end) => end?.refusal !== undefined;

/** Throws unless all of these ends are as expected. */
const expectEnds = (ends, isExpected) => {
  if (Object.values(ends).every(isExpected)) return;
  const shown = Object.entries(ends).map(([way, end]) => `${way}: ${end?.refusal ?? end}`);
  throw new Error(shown.join("\n"));
};

/** Throws unless the mock refuses the payment in each of these ways. */
export const expectRefusals = async (ways) => expectEnds(await tryToPay(ways), isRefused);

/** Pays in some ways, and counts the payments. Throws if a way is neither paid nor refused. */
export const payOrBeRefused = async (ways) => {
  const ends = await tryToPay(ways);
  expectEnds(ends, (end) => isPaid(end) || isRefused(end));
  return Object.values(ends).filter(isPaid).length;
};

/** Pays in every way; throws when one of them fails, after all have been tried. */
export const payInEveryWay = async (ways) => {
  const ends = await tryToPay(ways);
  expectEnds(ends, isPaid);
  return Object.keys(ends).length;
};
