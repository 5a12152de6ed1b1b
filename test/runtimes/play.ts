import { type ClientOptions, createClient, isAdGenError } from "../../src/index.ts";

/** The function that sends the client's requests. */
export type Sender = "its default fetch" | "a caller's wrapper" | "a plain text body";

/** One client against one service. */
export interface Scene {
  readonly sender: Sender;
  readonly url: string;
}

/** End of each submit of a scene: `resolved`, or the error's code and outcome. */
export type Ends = readonly string[];

export const submitsPerScene = 2;

/** Shows how the runtime treats a body that it can send again. */
const sendText = async (request: Request): Promise<Response> => {
  const { url, method, headers, signal } = request;
  const body = method === "POST" ? await request.text() : null;
  return fetch(url, { method, headers, signal, body });
};

const fetches: Record<Sender, ClientOptions["fetch"]> = {
  "its default fetch": undefined,
  "a caller's wrapper": (request) => fetch(request),
  "a plain text body": sendText,
};

/** Time for a connection to come back to the runtime's pool. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));

const playScene = async ({ sender, url }: Scene): Promise<Ends> => {
  const client = createClient({
    baseUrl: url,
    apiKey: "test-5f2c9a7e41d8",
    allowBrowserKey: true,
    fetch: fetches[sender],
  });
  const ends: string[] = [];
  for (let number = 1; number <= submitsPerScene; number++) {
    // Leaves a connection that the submit uses again; Bun closes it after a streamed body.
    await client.jobs.list();
    await pause();
    try {
      await client.jobs.submit({ action: "generate-ad", prompt: `Summer sale ${number} ☀` });
      ends.push("resolved");
    } catch (error) {
      ends.push(isAdGenError(error) ? `${error.code}/${error.outcome}` : String(error));
    }
  }
  return ends;
};

/** Plays all scenes at the same time: each has a service, and so connections, of its own. */
export const play = (scenes: readonly Scene[]): Promise<Ends[]> =>
  Promise.all(scenes.map(playScene));
