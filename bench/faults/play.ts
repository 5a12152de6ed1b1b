/** Plays one fault to one client, and tells how the call ended. */
import { inspect } from "node:util";
import type { Fault } from "./faults.ts";
import { startStub } from "./stub.ts";

/** A client to compare, as a program uses it: with its own defaults. */
export interface Contender {
  readonly name: string;
  /** Name of the paid call, as the page shows it. */
  readonly call: string;
  /** Answers to a paid call and to a read, in the format of the client's own service. */
  readonly paid: object;
  readonly read: object;
  readonly create: (target: { url: string; key: string }) => {
    readonly client: object;
    readonly pay: (signal?: AbortSignal) => Promise<unknown>;
    readonly get: (id: string) => Promise<unknown>;
  };
}

export interface Ending {
  /** `"never"` means that the call didn't end within the limit. */
  readonly how: "result" | "error" | "never";
  readonly seconds: number;
  readonly posts: number;
  readonly charges: number;
  /** Where the key can be read: in a form of the printed value, or at another host. */
  readonly leaks: readonly Leak[];
  /** The id of a read led the request to another path. */
  readonly isAstray: boolean;
}

export type Leak = "text" | "JSON" | "log" | "other host";

const defaultKey = "sk-bench-4242-4242-abcd";
const defaultId = "job_1";

const textOf = (thrown: unknown): string => {
  const texts: string[] = [];
  for (let error = thrown; error instanceof Error && texts.length < 10; error = error.cause) {
    texts.push(String(error), error.stack ?? "");
  }
  return texts.join("\n") || String(thrown);
};

const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
};

/** Lists the forms of a value, as a log may print it, that show the key. */
export const leaksOf = (value: unknown, key: string): Leak[] => {
  // JSON and logs escape a line break in the key, so look only for the part behind the break.
  const secret = key.split("\n").at(-1) ?? key;
  const places: [Leak, string][] = [
    ["text", textOf(value)],
    ["JSON", jsonOf(value)],
    ["log", inspect(value)],
  ];
  return places.filter(([, text]) => text.includes(secret)).map(([leak]) => leak);
};

const never = Symbol("never");

/** Settles with what the call gave, or with `never` when the limit has passed. */
const within = async (
  call: () => Promise<unknown>,
  limitMs: number,
): Promise<{ result: unknown } | { thrown: unknown } | typeof never> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof never>((resolve) => {
    timer = setTimeout(() => resolve(never), limitMs);
  });
  try {
    return await Promise.race([
      (async () => ({ result: await call() }))().catch((thrown: unknown) => ({ thrown })),
      limit,
    ]);
  } finally {
    clearTimeout(timer);
  }
};

export const playFault = async (
  contender: Contender,
  fault: Fault,
  limitMs: number,
): Promise<Ending> => {
  const key = fault.key ?? defaultKey;
  const [paid, read] = [JSON.stringify(contender.paid), JSON.stringify(contender.read)];
  await using stub = await startStub(fault, { key, paid, read });
  const startedAt = performance.now();
  let created: object | undefined;
  const end = await within(async () => {
    const { client, pay, get } = contender.create({ url: stub.url, key });
    created = client;
    if (fault.call === "print") return client;
    if (fault.call === "read") return get(fault.id ?? defaultId);
    return fault.call === "abort" ? pay(stub.arrival) : pay();
  }, limitMs);
  const seconds = (performance.now() - startedAt) / 1000;
  const { posts, charges, keyWentElsewhere, paths } = stub.traffic;
  const shown = fault.call === "print" ? created : end !== never && "thrown" in end && end.thrown;
  return {
    how: end === never ? "never" : "thrown" in end ? "error" : "result",
    seconds,
    posts,
    charges,
    leaks: [
      ...(shown === false ? [] : leaksOf(shown, key)),
      ...(keyWentElsewhere ? (["other host"] as const) : []),
    ],
    isAstray: fault.id !== undefined && paths.some((path) => path.includes("/account")),
  };
};
