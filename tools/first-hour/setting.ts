/** One line of the table: what somebody installs, copies and runs, and what has to come out. */
export interface Setting {
  readonly name: string;
  /** Packages with exact versions, beside adgen-sdk. */
  readonly packages?: Readonly<Record<string, string>>;
  /** @default "module" */
  readonly type?: "module" | "commonjs";
  /** Command that installs what package.json names. */
  readonly install?: string;
  /** File → `path > block` of the README or a guide: see `cut`. */
  readonly copies?: Readonly<Record<string, string>>;
  /** Folder of this repository with what no guide has. */
  readonly from?: string;
  /** File → its text, where no guide has it. */
  readonly files?: Readonly<Record<string, string>>;
  /** Commands that have to succeed, and what each has to print. */
  readonly runs?: Readonly<Record<string, RegExp>>;
  /** Commands that then stay, and what each prints when it is ready. */
  readonly starts?: Readonly<Record<string, RegExp>>;
  /** Uses them. Gets what the last one printed. */
  readonly use?: (found: RegExpExecArray) => Promise<unknown>;
  /** Options of the mock that runs beside the commands; there is one for each setting that spends. */
  readonly mock?: string;
  /** Credits of the one charge at this mock. */
  readonly spends?: number;
  /** Checks that are no commands. */
  readonly play?: (place: Place) => Promise<unknown>;
}

/** Where a setting is played. */
export interface Place {
  readonly folder: string;
  /** Settings of the mock's command, as it prints them. */
  readonly env: NodeJS.Dict<string>;
  /** Runs a check and prints its end. It fails when `run` throws; the next one runs all the same. */
  readonly check: (title: string, run: () => unknown) => Promise<void>;
}
