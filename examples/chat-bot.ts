// A bot for Slack: a mention with a prompt makes an ad. Slack repeats a webhook that it takes for
// lost, and each user has 50 pictures a month. Discord differs only in the signature and the names.
//
//   ADGEN_BASE_URL, ADGEN_API_KEY, SLACK_SIGNING_SECRET, SLACK_BOT_TOKEN; serve `answer`
import { createHmac, timingSafeEqual } from "node:crypto";
import { createClient, isAdGenError } from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { createProxy } from "adgen-sdk/proxy";
import { openFileStore } from "adgen-sdk/submissions/file";

const store = await openFileStore(`${process.env["STATE_DIRECTORY"] ?? "."}/bot`);
// The proxy limits each user, although there is no page: only this program calls it.
export const proxy = createProxy({
  authorize: () => undefined,
  store,
  limits: { month: { imageCredits: 50, videoSeconds: 120 } },
});
const clientOf = (user: string) =>
  createClient({
    baseUrl: "http://proxy", // any: nothing goes there
    apiKey: null,
    fetch: proxy.fetchAs(user),
    schemas: assumedSchemas,
  });

const isFromSlack = (headers: Headers, body: string): boolean => {
  const time = headers.get("x-slack-request-timestamp") ?? "";
  const secret = process.env["SLACK_SIGNING_SECRET"];
  if (!secret || !(Math.abs(Date.now() / 1_000 - Number(time)) < 300)) return false;
  const right = `v0=${createHmac("sha256", secret).update(`v0:${time}:${body}`).digest("hex")}`;
  const given = headers.get("x-slack-signature") ?? "";
  return given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right));
};

/** Orders an ad and says what became of it. A repeated webhook has the same id: it is paid once. */
const makeAd = async (user: string, eventId: string, prompt: string): Promise<string> => {
  try {
    const request = { action: "generate-ad", prompt } as const;
    const job = await clientOf(user).jobs.submitAndPoll(request, { once: eventId });
    if (job.status === "failed") return "This ad could not be made.";
    return job.result.images.map(({ url }) => url).join("\n");
  } catch (error) {
    if (!isAdGenError(error)) throw error;
    if (error.outcome === "unknown" || error.jobId)
      return "Your ad may be on its way: ask a person.";
    const isOwnLimit = error.code === "payment_required" && error.limit !== undefined;
    return isOwnLimit ? "You have used up your month." : "That did not work. Please try again.";
  }
};

const say = (channel: string, text: string): Promise<Response> =>
  fetch("https://slack.com/api/chat.postMessage", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${process.env["SLACK_BOT_TOKEN"]}`,
    },
    body: JSON.stringify({ channel, text }),
  });

/** Events whose answer is on its way: a repeat of the webhook must not post the ad again. */
const answered = new Set<string>();

/** Answers a webhook within Slack's three seconds; the ad follows as a message. */
export const answer = async (request: Request): Promise<Response> => {
  const body = await request.text();
  if (!isFromSlack(request.headers, body)) return new Response("forbidden", { status: 403 });
  const { challenge, event_id, event } = JSON.parse(body);
  if (event?.type !== "app_mention") return Response.json({ challenge });
  if (answered.has(event_id)) return Response.json({ ok: true });
  answered.add(event_id);
  setTimeout(() => answered.delete(event_id), 3_600_000).unref();
  makeAd(event.user, event_id, event.text.replace(/<@\w+>\s*/, ""))
    .then((text) => say(event.channel, text))
    .catch(console.error);
  return Response.json({ ok: true });
};
