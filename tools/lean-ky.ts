import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";
import { leaveOutMethods } from "./lean-ky-methods.ts";

const refuse =
  'const refuse = () => { throw new Error("adgen-sdk is built without this of ky"); };';

/**
 * Modules of ky for features that the client switches off, and what takes their place. Each has the
 * names that ky imports: esbuild refuses to build when ky asks for others.
 */
const standIns: Readonly<Record<string, string>> = {
  // Progress reports. They make a `TextEncoder` when they are loaded, and Jest's jsdom has none.
  "utils/body.js": `${refuse} export const streamRequest = refuse, streamResponse = refuse;`,
  // Retries (`retry: 0`).
  "core/retry-timing.js": `${refuse}
    export const calculateRetryTimingDelay = refuse, getRetryTimingHeader = refuse;`,
  "utils/delay.js": `${refuse} export default refuse;`,
  "utils/normalize.js": `
    export const normalizeRequestMethod = (method) => method;
    export const normalizeRetryOptions = () => ({ limit: 0 });`,
  // Timeouts (`timeout: false`).
  "utils/timeout.js": `${refuse} export default refuse;`,
  // A query, and options that ky hands on to `fetch`.
  "utils/options.js": `
    export const findUnknownOptions = () => ({}), hasSearchParameters = () => false;`,
  // Instances with defaults, and hooks. There is one source of options, and no hook.
  "utils/merge.js": `${refuse}
    export const validateAndMerge = (_, options) => ({ ...options });
    export const mergeHeaders = (_, headers) => new globalThis.Headers(headers);
    export const mergeHooks = () =>
      ({ init: [], beforeRequest: [], beforeRetry: [], beforeError: [], afterResponse: [] });
    export const cloneShallow = refuse, replaceOption = refuse;
    export const deletedParametersSymbol = Symbol("deletedParameters");`,
  // Shortcuts for methods and bodies, and a request that ky makes at import, to find out whether a
  // stream can be a body. The client says `duplex` itself.
  "core/constants.js": `${refuse}
    export const supportsRequestStreams = false, supportsResponseStreams = false;
    export const supportsAbortController = typeof globalThis.AbortController === "function";
    export const supportsAbortSignal = typeof globalThis.AbortSignal?.any === "function";
    export const supportsFormData = typeof globalThis.FormData === "function";
    export const requestMethods = [], responseTypes = {}, stop = undefined, retry = refuse;
    export const RetryMarker = refuse, maxSafeTimeout = 0;`,
  // ky would wrap network errors in its own: the client looks at the runtime's error.
  "utils/is-network-error.js": "export default () => false;",
};

const paths = Object.keys(standIns);

/** The file of ky's class, which holds code of those features, too. */
const classFile = /[\\/]node_modules[\\/]ky[\\/]distribution[\\/]core[\\/]Ky\.js$/;

/** Leaves features of ky out of a bundle that the client never asks for. */
export const leanKy = (): Plugin => ({
  name: "lean-ky",
  setup({ onLoad, onEnd }) {
    const missing = new Set(paths);
    for (const [path, contents] of Object.entries(standIns)) {
      const pattern = path.replaceAll(/[./]/g, (sign) => (sign === "/" ? "[\\\\/]" : "\\."));
      const filter = new RegExp(
        `[\\\\/]node_modules[\\\\/]ky[\\\\/]distribution[\\\\/]${pattern}$`,
      );
      onLoad({ filter }, () => {
        missing.delete(path);
        return { contents };
      });
    }
    onLoad({ filter: classFile }, ({ path }) => {
      const { text, problems } = leaveOutMethods(readFileSync(path, "utf8"));
      if (problems.length === 0) return { contents: text };
      const what = problems.join(", and ");
      return { errors: [{ text: `ky's class ${what}: see tools/lean-ky-methods.ts` }] };
    });
    onEnd(() => {
      if (missing.size === 0) return;
      const text = `ky has no ${[...missing].join(", ")} any more: see tools/lean-ky.ts`;
      return { errors: [{ text }] };
    });
  },
});
