// Runs the guide's worker in workerd, with its state on disk.
import { Miniflare } from "miniflare";
import { serve } from "./serve.mjs";

const { STATE, RUN, ADGEN_BASE_URL, ADGEN_API_KEY } = process.env;
const miniflare = new Miniflare({
  modules: true,
  scriptPath: "built.js",
  compatibilityDate: "2026-07-01",
  bindings: { ADGEN_BASE_URL, ADGEN_API_KEY },
  workflows: { ADS: { name: "ads", className: "AdWorkflow" } },
  workflowsPersist: STATE,
});
const { ADS } = await miniflare.getBindings();
// Miniflare does not wake its workflows after a restart. An event does.
if (RUN !== "") await (await ADS.get(RUN)).sendEvent({ type: "wake", payload: {} });

const begin = async (body) => {
  const answer = await miniflare.dispatchFetch("http://localhost/", { method: "POST", body });
  return (await answer.json()).id;
};

const look = async (id) => {
  const { status, output, error } = await (await ADS.get(id)).status();
  if (status === "complete") return { status: "done", job: output };
  return status === "errored" ? { status: "failed", reason: error.message } : { status: "running" };
};

await serve(begin, look);
console.log("ready");
