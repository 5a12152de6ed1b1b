import { findFreePort, type Program, start } from "../processes.ts";
import type { Setting } from "../setting.ts";

/** State of a run of a workflow. */
export type Look =
  | { readonly status: "running" }
  | { readonly status: "done"; readonly job: { readonly job_id: string; readonly status: string } }
  | { readonly status: "failed"; readonly reason: string };

/** An engine with a state of its own, for one run of the guide's program. */
export interface OpenEngine {
  /** Starts the process that runs the program, or another one after it was killed. */
  readonly start: () => Promise<Program>;
  /** Begins the workflow. */
  readonly begin: () => Promise<unknown>;
  readonly look: () => Promise<Look>;
}

/** Folders and settings of an engine that runs. */
export interface Place {
  /** Folder with the engine's packages and the guide's programs. */
  readonly folder: string;
  /** Empty folder that outlives the killed process. */
  readonly state: string;
  /** Address and key of the mock. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Engine extends Setting {
  /** The guide's block, and its place in the folder where that is another one. */
  readonly program: string;
  readonly file?: string;
  /** Options of the compiler for what is there without an import. */
  readonly types: string;
  readonly open: (place: Place) => Promise<OpenEngine>;
  /**
   * End of a run that was killed inside its submission: it waits for a person's decision about this
   * task, or it fails with this reason.
   */
  readonly afterDoubt: { readonly task: string } | { readonly reason: RegExp };
}

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
