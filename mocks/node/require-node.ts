import { isNode } from "../guard/runtime.ts";

interface OtherRuntimes {
  readonly Deno?: { readonly version: { readonly deno: string } };
  readonly process?: { readonly versions?: Readonly<Record<string, string | undefined>> };
}

/** @throws Error in Bun and Deno, where MSW and the guard miss requests; it says what to do */
export const requireNode = (): void => {
  if (isNode()) return;
  const { Deno, process } = globalThis as OtherRuntimes;
  const runtime = Deno ? `Deno ${Deno.version.deno}` : `Bun ${process?.versions?.["bun"]}`;
  throw new Error(
    `The mock does not listen, because MSW cannot intercept every request in ${runtime}: some would ` +
      "reach the real service. Nothing was sent to it. Give your client service.fetch, or start " +
      "the mock as a server with startMockServer: see adgen-sdk/docs/testing/in-node.md.",
  );
};
