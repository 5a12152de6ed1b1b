import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runtimeMissing } from "../../tools/runtimes.ts";
import { type Fault, http1Faults, http2Faults } from "./faults.ts";
import { closeServers, type Protocol } from "./loopback-server.ts";
import { type Sender, submitsPerScene } from "./play.ts";
import { expectWholePosts, type Played, playFaults } from "./play-faults.ts";
import { isMissing, playIn, type Runtime } from "./run-process.ts";

interface Setting {
  readonly runtime: Runtime;
  readonly protocol: Protocol;
  readonly faults: Record<string, Fault>;
  /** Faults after which the runtime sends a text body again; a text body is not what we send. */
  readonly repeatsText: readonly string[];
  /** True when the runtime sends the length of a streamed body. */
  readonly keepsLength: boolean;
}

const settings: readonly Setting[] = [
  {
    runtime: "Node",
    protocol: "HTTP/1.1",
    faults: http1Faults,
    repeatsText: ["answers 421"],
    keepsLength: true,
  },
  {
    runtime: "Bun",
    protocol: "HTTP/1.1",
    faults: http1Faults,
    repeatsText: [],
    keepsLength: true,
  },
  {
    runtime: "Deno",
    protocol: "HTTP/1.1",
    faults: http1Faults,
    repeatsText: [
      "resets the connection",
      "closes the connection",
      "resets the connection after 300 ms",
      "closes the connection after 300 ms",
      "closes the connection inside the status line",
    ],
    keepsLength: false,
  },
  {
    runtime: "Deno",
    protocol: "HTTP/2",
    faults: http2Faults,
    repeatsText: [
      "resets the connection",
      "sends GOAWAY with an older stream as the last and closes",
      "resets the stream with REFUSED_STREAM",
    ],
    keepsLength: false,
  },
];

const clientSenders = ["its default fetch", "a caller's wrapper"] as const;

afterAll(closeServers);

const missing = new Set(settings.map(({ runtime }) => runtime).filter(isMissing));
for (const runtime of missing) {
  if (process.env["CI"]) throw new Error(runtimeMissing(runtime));
  console.warn(runtimeMissing(runtime));
}

describe.each(settings.filter(({ runtime }) => !missing.has(runtime)))(
  "$runtime over $protocol",
  ({ runtime, protocol, faults, repeatsText, keepsLength }) => {
    let played: (sender: Sender, fault: string) => Played;
    beforeAll(async () => {
      const senders = [...clientSenders, "a plain text body"] as const;
      const play = playIn.bind(undefined, runtime);
      played = await playFaults({ protocol, faults, senders, play });
    });

    describe.each(clientSenders)("a submit through %s", (sender) => {
      test.each(Object.keys(faults))("makes one POST when the service %s", (fault) => {
        const { posts, ends } = played(sender, fault);
        expect(posts).toHaveLength(submitsPerScene);
        expect(ends).toEqual(["resolved", expect.stringMatching(/\/unknown$/)]);
        expect(posts.at(-1)).toMatchObject({ reused: true });
      });

      test("sends the whole body", () => {
        for (const fault of Object.keys(faults)) {
          expectWholePosts(played(sender, fault).posts, { protocol, keepsLength });
        }
      });
    });

    describe("a text body, which the client does not send here,", () => {
      test.each(Object.keys(faults))("is sent again or not when the service %s", (fault) => {
        const { posts, ends } = played("a plain text body", fault);
        const repeated = repeatsText.includes(fault);
        const change = repeated ? "no longer repeats" : "now repeats";
        const hint = `${runtime} ${change} this POST: correct this table.`;
        expect(posts, hint).toHaveLength(submitsPerScene + (repeated ? 1 : 0));
        expect(ends[1]).toMatch(repeated ? /^resolved$/ : /\/unknown$/);
      });
    });
  },
);
