import { findFreePort, start } from "../processes.ts";
import type { Look, OpenEngine, Place } from "./engine.ts";

/** Opens an engine that a file of `hosts` runs in one process with the program. */
export const openHosted = async (
  host: string,
  { folder, state, env }: Place,
): Promise<OpenEngine> => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let id = "";
  return {
    async start() {
      const own = { STATE: state, PORT: String(port), RUN: id };
      const program = start(`node ${host}`, folder, { ...env, ...own });
      await program.says(/ready/);
      return program;
    },
    async begin() {
      const answer = await fetch(url, { method: "POST", body: '{"prompt":"Lemonade"}' });
      ({ id } = await answer.json());
    },
    look: async () => (await (await fetch(`${url}/${id}`)).json()) as Look,
  };
};
