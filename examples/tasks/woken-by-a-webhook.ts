// Ends a wait as soon as a webhook tells of its job, without waiting for the next planned poll.
import { createClient, createWaker, pollJob } from "adgen-sdk";

const client = createClient();
const waker = createWaker();
const open = new Set<string>();

export const makeVideo = async (prompt: string): Promise<unknown> => {
  const { job_id } = await client.jobs.submit({ action: "video-b-3-0", prompt });
  open.add(job_id);
  try {
    const video = await pollJob(client, { job_id, action: "video-b-3-0" }, { waker });
    return video.status === "completed" ? video.result : undefined;
  } finally {
    open.delete(job_id);
  }
};

/** The route of the webhook. Its body proves nothing: it only makes a wait poll at once. */
export const onWebhook = async (request: Request): Promise<Response> => {
  const text = await request.text();
  for (const id of open) if (text.includes(id)) waker.wake(id);
  return new Response(null, { status: 204 });
};
