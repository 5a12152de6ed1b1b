import { expect } from "vitest";
import { type Post, startFaultServer } from "./fault-server.ts";
import type { Fault } from "./faults.ts";
import type { Protocol } from "./loopback-server.ts";
import type { Ends, Scene, Sender } from "./play.ts";

/** One scene, seen from both sides. */
export interface Played {
  /** POSTs that the service has read to their end. */
  readonly posts: readonly Post[];
  /** End of each submit. */
  readonly ends: Ends;
}

export interface Casting {
  readonly protocol: Protocol;
  readonly faults: Record<string, Fault>;
  readonly senders: readonly Sender[];
  /** Runs the scenes in a runtime. */
  readonly play: (scenes: readonly Scene[]) => Promise<readonly Ends[]>;
}

/** Plays every sender against every fault, each with a service of its own. */
export const playFaults = async ({ protocol, faults, senders, play }: Casting) => {
  const cast = await Promise.all(
    senders.flatMap((sender) =>
      Object.entries(faults).map(async ([name, fault]) => ({
        sender,
        name,
        server: await startFaultServer(protocol, fault),
      })),
    ),
  );
  const ends = await play(cast.map(({ sender, server: { url } }) => ({ sender, url })));
  return (sender: Sender, name: string): Played => {
    const index = cast.findIndex((scene) => scene.sender === sender && scene.name === name);
    return { posts: cast[index]?.server.posts ?? [], ends: ends[index] ?? [] };
  };
};

/** Checks that every POST arrived whole: its text, its length, its protocol. */
export const expectWholePosts = (
  posts: readonly Post[],
  { protocol, keepsLength }: { readonly protocol: Protocol; readonly keepsLength: boolean },
): void => {
  for (const { body, contentLength, httpVersion } of posts) {
    expect(JSON.parse(body)).toEqual({
      action: "generate-ad",
      prompt: expect.stringMatching(/^Summer sale \d ☀$/),
    });
    expect(contentLength).toBe(keepsLength ? String(Buffer.byteLength(body)) : undefined);
    expect(httpVersion).toBe(protocol === "HTTP/2" ? "2.0" : "1.1");
  }
};
