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

/**
 * Returns a module of Node. The mock also runs in browsers, so it can't import one.
 *
 * @throws Error if `process.getBuiltinModule` is missing, or throws
 * @internal The return type has no name that a declaration could write.
 */
export const getBuiltin = <
  Name extends
    | "node:async_hooks"
    | "node:diagnostics_channel"
    | "node:http"
    | "node:https"
    | "node:util"
    | "node:vm",
>(
  name: Name,
) => {
  const { process } = globalThis as Global;
  const fail = (how: string, cause?: unknown): never => {
    throw new Error(
      `adgen-sdk/mocks cannot guard requests of node:http in Node ${process?.version}, ${how}: ` +
        "they would reach the real service. Use Node 22.13 or newer.",
      { cause },
    );
  };
  if (process?.getBuiltinModule === undefined) return fail("which has no process.getBuiltinModule");
  try {
    return process.getBuiltinModule(name);
  } catch (error) {
    return fail(`whose process.getBuiltinModule throws for "${name}"`, error);
  }
};

/** Returns the global object of Node's main realm. In Jest, each test file has its own realm. */
export const mainGlobal = (): typeof globalThis =>
  isNode() ? getBuiltin("node:vm").runInThisContext("globalThis") : globalThis;

/** The fake timers of Sinon, Jest and Vitest mark each function that they replace. */
const isFaked = (timer: object | undefined): boolean => timer !== undefined && "clock" in timer;

/** Returns whether fake timers replace ticks. Without real ticks, MSW 3 intercepts no connection. */
export const areTicksFaked = (): boolean =>
  isFaked((globalThis as Global).process?.nextTick) || isFaked(globalThis.queueMicrotask);
