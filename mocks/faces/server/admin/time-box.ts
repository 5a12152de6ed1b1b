import { Script } from "node:vm";

const script = new Script("run()");

/**
 * Runs some work, and ends it when it takes too long. The engine stops a regular expression, too,
 * and nothing else can: it blocks the process. Give it work that changes nothing.
 *
 * @returns `undefined` when the time was over
 */
export const runInTime = <Result>(ms: number, run: () => Result): Result | undefined => {
  try {
    return script.runInNewContext({ run }, { timeout: ms });
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
};
