type Global = typeof globalThis & {
  readonly process?: Partial<NodeJS.Process>;
  readonly Bun?: object;
  readonly Deno?: object;
};

/** Returns whether this is Node itself, which reports requests on diagnostics channels. */
export const isNode = (): boolean => {
  const { process, Bun, Deno } = globalThis as Global;
  return process?.release?.name === "node" && Bun === undefined && Deno === undefined;
};

interface NodeModules {
  readonly "node:async_hooks": typeof import("node:async_hooks");
  readonly "node:diagnostics_channel": typeof import("node:diagnostics_channel");
  readonly "node:http": typeof import("node:http");
  readonly "node:https": typeof import("node:https");
  readonly "node:util": typeof import("node:util");
  readonly "node:vm": typeof import("node:vm");
}

/**
 * Returns a module of Node. The mock also runs in browsers, so it can't import one.
 *
 * @throws Error in a version of Node without `process.getBuiltinModule`
 */
export const getBuiltin = <Name extends keyof NodeModules>(name: Name): NodeModules[Name] => {
  const { process } = globalThis as Global;
  if (process?.getBuiltinModule === undefined) {
    throw new Error(
      `adgen-sdk/mocks cannot guard requests of node:http in Node ${process?.version}, which has ` +
        "no process.getBuiltinModule: they would reach the real service. Use Node 22.13 or newer.",
    );
  }
  return process.getBuiltinModule(name);
};

/** Returns the global object of Node's main realm. In Jest, each test file has its own realm. */
export const mainGlobal = (): typeof globalThis =>
  isNode() ? getBuiltin("node:vm").runInThisContext("globalThis") : globalThis;
