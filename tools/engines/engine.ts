/** State of a run of a workflow. */
export type Look =
  | { readonly status: "running" }
  | { readonly status: "done"; readonly job: { readonly job_id: string; readonly status: string } }
  | { readonly status: "failed"; readonly reason: string };

/** A process, with everything that it has started. */
export interface Program {
  /** Everything that it has printed. */
  readonly printed: () => string;
  /** Kills it and what it has started by SIGKILL, and waits for its end. */
  readonly kill: () => Promise<void>;
}

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

export interface Engine {
  readonly name: string;
  /** Packages with exact versions, beside adgen-sdk. */
  readonly packages: Readonly<Record<string, string>>;
  /** Name of the guide's block → its place in the folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Packages whose types are there without an import. */
  readonly types: readonly string[];
  /** Builds what the engine needs. */
  readonly prepare?: (folder: string) => Promise<unknown>;
  readonly open: (place: Place) => Promise<OpenEngine>;
  /**
   * End of a run that was killed inside its submission: it waits for a person's decision about this
   * task, or it fails with this reason.
   */
  readonly afterDoubt: { readonly task: string } | { readonly reason: RegExp };
}
