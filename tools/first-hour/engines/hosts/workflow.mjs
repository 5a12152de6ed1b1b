// Serves the routes that `workflow build` has made, as the framework of an app does.
import { getRun, start } from "workflow/api";
import { getWorld } from "workflow/runtime";
import { POST as flow } from "./.well-known/workflow/v1/flow.js";
import { POST as step } from "./.well-known/workflow/v1/step.js";
import { serve } from "./serve.mjs";

const begin = async (body) => {
  const workflowId = "workflow//./workflows/ads//makeAd";
  return (await start({ workflowId }, [JSON.parse(body).prompt])).runId;
};

const look = async (id) => {
  const run = getRun(id);
  const status = await run.status;
  if (status === "completed") return { status: "done", job: await run.returnValue };
  if (status !== "failed") return { status: "running" };
  return { status: "failed", reason: String(await run.returnValue.catch((error) => error)) };
};

const path = "/.well-known/workflow/v1";
await serve(begin, look, { [`${path}/flow`]: flow, [`${path}/step`]: step });
await getWorld().start();
console.log("ready");
