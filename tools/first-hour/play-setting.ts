import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { connectMock } from "adgen-sdk/mocks/connect";
import { cut } from "./cut-blocks.ts";
import { type Program, runWell, start } from "./processes.ts";

/** One line of the table: what a reader installs, copies and runs, and what it must print. */
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
  /** Folder of this repository whose files the setting also gets, because no guide has them. */
  readonly from?: string;
  /** File → its text, where no guide has it. */
  readonly files?: Readonly<Record<string, string>>;
  /** Commands that have to succeed, and what each has to print. */
  readonly runs?: Readonly<Record<string, RegExp>>;
  /** Commands that keep running, in order, and what each prints when it is ready. */
  readonly starts?: Readonly<Record<string, RegExp>>;
  /** Uses the commands of `starts`. Gets the match of what the last of them printed. */
  readonly use?: (found: RegExpExecArray) => Promise<unknown>;
  /** Options of the mock beside the commands. It also runs, without options, if `spends` is set. */
  readonly mock?: string;
  /** Credits of the charge at this mock. There must be exactly one charge. */
  readonly spends?: number;
  /** Runs further checks, which are no commands. */
  readonly play?: (place: Place) => Promise<unknown>;
}

/** Where a setting is played. */
export interface Place {
  readonly folder: string;
  /** Settings of the mock's command, as it prints them. */
  readonly env: NodeJS.Dict<string>;
  /**
   * Runs a check and prints how it ended. It fails if `run` throws. The next check still runs.
   */
  readonly check: (title: string, run: () => unknown) => Promise<void>;
}

export const readmeProgram = "README.md > The first program";
export const readmeTest = "README.md > The first test";

/** Matches what every runner prints of passed tests. Failed tests show in the exit code. */
export const somePassed = /[1-9]\d* pass/;

/** The README's program names its four pictures at the end. */
export const fourPictures = /submitted and paid: job_.*completed.*(ads\/\S+\.svg.*){4}/s;

/** npm's options for an installation that runs no scripts and prints only errors. */
export const quietly = "--ignore-scripts --no-audit --no-fund --loglevel=error";

/** Everything that is in the folder before the installation. */
const filesOf = (setting: Setting, tarball: string): Record<string, string> => {
  const { type = "module", packages = {}, copies = {}, files = {} } = setting;
  const dependencies = { "adgen-sdk": `file:${tarball}` };
  const named = { name: "first-hour", version: "1.0.0", private: true };
  const manifest = { ...named, type, dependencies, devDependencies: packages };
  const copied = Object.entries(copies).map(([file, place]) => [file, cut(place)]);
  return { "package.json": JSON.stringify(manifest), ...Object.fromEntries(copied), ...files };
};

export const install = async (folder: string, setting: Setting, tarball: string): Promise<void> => {
  const filter = (path: string) => !/node_modules|\.next$/.test(path);
  if (setting.from) cpSync(setting.from, folder, { recursive: true, filter });
  for (const [name, text] of Object.entries(filesOf(setting, tarball))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  await runWell(setting.install ?? `npm install ${quietly}`, folder);
};

/** Starts the mock as the README says, on a free port; gives the variables that it prints. */
const startMock = async (folder: string, options = ""): Promise<NodeJS.Dict<string>> => {
  const mock = start(`npx adgen-mock --port 0 ${options}`, folder);
  await mock.says(/^export ADGEN_API_KEY=.*\n/m);
  return parseEnv(mock.printed());
};

/** Runs all commands and checks of a setting that is installed. */
export const play = async (
  folder: string,
  { runs = {}, starts = {}, use, mock, spends, play: more }: Setting,
  check: Place["check"],
): Promise<void> => {
  const needsMock = mock !== undefined || spends !== undefined;
  const env = needsMock ? await startMock(folder, mock) : {};
  for (const [command, prints] of Object.entries(runs)) {
    await check(command, async () =>
      assert.match(await runWell(command, folder, env), prints, "what it printed"),
    );
  }
  if (Object.keys(starts).length > 0) {
    await check(Object.keys(starts).join("; "), async () => {
      const started: Program[] = [];
      let found: RegExpExecArray | undefined;
      for (const [command, words] of Object.entries(starts)) {
        const program = start(command, folder, env);
        started.push(program);
        found = await program.says(words);
      }
      await (found && use?.(found))?.catch((error) => {
        throw new Error(started.map(({ printed }) => printed()).join("\n"), { cause: error });
      });
    });
  }
  await more?.({ folder, env, check });
  if (spends !== undefined) {
    await check(`is charged ${spends} credits, once`, async () => {
      const { ADGEN_BASE_URL = "", ADGEN_API_KEY = "" } = env;
      const charges = await connectMock(ADGEN_BASE_URL).account(ADGEN_API_KEY).charges();
      assert.equal(charges.map(({ amount }) => amount).join(), `${spends}`);
    });
  }
};
