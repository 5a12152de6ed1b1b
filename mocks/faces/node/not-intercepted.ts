interface OtherRuntimes {
  readonly Deno?: { readonly version: { readonly deno: string } };
  readonly process?: { readonly versions?: Readonly<Record<string, string | undefined>> };
}

/** Names the runtime with its version, as "Bun 1.4.5". */
const nameRuntime = (): string => {
  const { Deno, process } = globalThis as OtherRuntimes;
  if (Deno !== undefined) return `Deno ${Deno.version.deno}`;
  const { bun, node } = process?.versions ?? {};
  return bun === undefined ? `Node ${node}` : `Bun ${bun}`;
};

const adviceFor = (way: "fetch" | "node:http"): string =>
  /^(Bun|Deno)/.test(nameRuntime())
    ? "Give your client service.fetch, or start the mock as a server with startMockServer: see adgen-sdk/docs/testing/bun-and-deno.md."
    : `Look for code that replaces ${way} in this process before the mock listens, such as a stub or another interceptor, and remove it.`;

/** Makes the error that says why the mock does not listen, and what to do instead. */
export const createNotIntercepted = (way: "fetch" | "node:http"): Error =>
  new Error(
    `The mock does not listen, because MSW cannot intercept ${way} in ${nameRuntime()}: requests ` +
      `would reach the real service. Nothing was sent to it. ${adviceFor(way)}`,
  );
