// Gives each user 50 pictures and two minutes of video for each month of the calendar.
import { createProxy } from "adgen-sdk/proxy";
import { openFileStore } from "adgen-sdk/submissions/file";

const store = await openFileStore(`${process.env["STATE_DIRECTORY"] ?? "."}/budgets`);
const userOf = ({ headers }: Request) => headers.get("x-user") ?? undefined; // yours: the session
const limits = { month: { imageCredits: 50, videoSeconds: 120 } };
const proxy = createProxy({ authorize: userOf, store, limits });

/** Serves the calls of pages, and at `/budget` what is left. */
export const answer = async (request: Request): Promise<Response> => {
  const user = userOf(request);
  if (new URL(request.url).pathname !== "/budget" || user === undefined) return proxy(request);
  return Response.json(await proxy.usage(user));
};
