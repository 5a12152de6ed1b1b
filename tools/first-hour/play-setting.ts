import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { connectMock } from "adgen-sdk/mocks/connect";
import { cut } from "./cut-blocks.ts";
import { type Program, runWell, start } from "./processes.ts";
import type { Place, Setting } from "./setting.ts";

/** Options of an installation that runs nothing and says nothing. */
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

/** Starts the mock as the README says, at a port that is free; gives what its `export` lines say. */
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
