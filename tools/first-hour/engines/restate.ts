import { join } from "node:path";
import { findFreePort, isThere, start, until } from "../processes.ts";
import type { Engine, Look } from "./engine.ts";

const task = "ad-1";

const headers = { "content-type": "application/json" };
const send = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: "POST", headers, body: JSON.stringify(body) });

export const restate: Engine = {
  name: "Restate",
  packages: {
    "@restatedev/restate-server": "1.7.12",
    "@restatedev/restate-sdk": "1.17.2",
    "@types/node": "24.19.2",
  },
  program: "restate.ts",
  types: "--types node",
  async open({ folder, state, env }) {
    const local = async () => `127.0.0.1:${await findFreePort()}`;
    const [admin, ingress, own] = [await local(), await local(), await local()];
    const options = `--no-logo --base-dir "${join(state, "server")}" --listen-mode tcp`;
    const command = `node node_modules/@restatedev/restate-server/lib/index.js ${options}`;
    start(command, folder, {
      RESTATE_ADMIN__BIND_ADDRESS: admin,
      RESTATE_INGRESS__BIND_ADDRESS: ingress,
      RESTATE_BIND_ADDRESS: await local(),
      RESTATE_DISABLE_TELEMETRY: "true",
    });
    await until("start of the server", () => isThere(`http://${admin}/health`));
    let isKnown = false;
    return {
      async start() {
        const program = start("node restate.ts", folder, { ...env, PORT: own.split(":")[1] });
        await program.says(/started listening/);
        if (!isKnown) {
          const answer = await send(`http://${admin}/deployments`, { uri: `http://${own}` });
          if (!answer.ok) throw new Error(`Restate refuses the program: ${await answer.text()}`);
        }
        isKnown = true;
        return program;
      },
      begin: () => send(`http://${ingress}/Ads/${task}/run/send`, { prompt: "Lemonade" }),
      async look(): Promise<Look> {
        const answer = await fetch(`http://${ingress}/restate/workflow/Ads/${task}/output`);
        if (answer.status === 470) return { status: "running" };
        if (answer.ok) return { status: "done", job: await answer.json() };
        return { status: "failed", reason: await answer.text() };
      },
    };
  },
  afterDoubt: { task },
};
