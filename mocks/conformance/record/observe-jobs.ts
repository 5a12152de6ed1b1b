import { creditOfAction, isAction } from "../../../src/contract/actions.ts";
import { isFinished, isJobStatus, jobExpiryMs, maxVariations } from "../../../src/contract/jobs.ts";
import { assumedMessages } from "../../domain/messages.ts";
import { maxDurationSeconds } from "../../domain/prices.ts";
import { isRecord } from "../exchange.ts";
import type { Seen } from "./seen.ts";
import {
  fieldsOf,
  firstOf,
  isSuccess,
  isUnsupported,
  lacks,
  names,
  type Observer,
  type Observers,
  quote,
  refusedWith400,
  type Sight,
} from "./sight.ts";

const knownParameters = ["action", "prompt", "images", "variations", "duration", "brand_id"];

/** Names the flaw of a job's parameters, by A2 and A11. */
const flawOfJob = (
  sent: Seen["data"],
): { readonly flaw: string; rule: "A2" | "A11" } | undefined => {
  const { prompt, images, variations, duration, brand_id } = sent;
  const wrong = (name: string, value: unknown, rule: "A2" | "A11" = "A2") => ({
    flaw: `\`${name}: ${quote(value)}\``,
    rule,
  });
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  if (!isText(prompt)) return wrong("prompt", prompt);
  if (!isText(brand_id)) return wrong("brand_id", brand_id);
  const areImages = Array.isArray(images) && images.every((image) => typeof image === "string");
  if (images !== undefined && !areImages) return wrong("images", images);
  const isCount = Number.isInteger(variations) && Number(variations) >= 1;
  if (variations !== undefined && !(isCount && Number(variations) <= maxVariations)) {
    return wrong("variations", variations);
  }
  if (duration === undefined) return undefined;
  if (typeof duration !== "number") return wrong("duration", duration);
  const isVideo = isAction(sent["action"]) && creditOfAction[sent["action"]] === "video";
  const isLength = duration > 0 && duration <= maxDurationSeconds;
  return isVideo && !isLength ? wrong("duration", duration, "A11") : undefined;
};

/** Tells of a flaw of a job's parameters, by one of the assumptions. */
const flawsBy =
  (rule: "A2" | "A11"): Observer =>
  (seen) => {
    const { sent, call, status } = seen;
    if (call?.name !== "jobs.submit" || sent === undefined) return undefined;
    if (!isAction(sent["action"]) || isUnsupported(seen)) return undefined;
    const found = flawOfJob(sent);
    if (found !== undefined) {
      return found.rule === rule ? refusedWith400(seen, `a job with ${found.flaw}`) : undefined;
    }
    if (rule === "A11") return undefined;
    // Others may be wrong in a way that nobody assumes anything of.
    const isKnown = Object.keys(sent).every((name) => knownParameters.includes(name));
    if (status === 400 && isKnown)
      return `a job whose parameters fit is refused: ${quote(seen.error)}`;
    return isSuccess(seen) ? true : undefined;
  };

/** Fields of each entry of a result, by the name of the list that holds them. */
const entryFields = {
  images: ["url", "width", "height"],
  videos: ["url", "duration"],
  copy: ["headline", "primary_text", "description", "call_to_action"],
} as const;

const listNames = { image: "images", video: "videos", free: "copy" } as const;

const isCompleted = ({ call, data }: Seen): boolean =>
  call?.name === "jobs.get" && data["status"] === "completed";

/** Gives the list in a completed job's result, and the name that it should have. */
const resultOf = (seen: Seen) => {
  const { call, data, memory } = seen;
  const known = memory.job.get(call?.id ?? "");
  const action = known?.sent["action"] ?? data["action"];
  if (!isCompleted(seen) || !isAction(action)) return undefined;
  const name = listNames[creditOfAction[action] ?? "free"];
  const result = data["result"];
  const list = isRecord(result) ? result[name] : undefined;
  return { name, result, entries: Array.isArray(list) ? list : undefined, sent: known?.sent };
};

/** Assumptions about jobs and their results. */
export const jobObservers: Observers = {
  A1: (seen) => {
    const { call, sent } = seen;
    if (call?.name !== "jobs.submit" || sent === undefined) return undefined;
    const { action } = sent;
    if (isAction(action)) {
      if (isUnsupported(seen)) return `\`action: ${quote(action)}\` is refused as no action`;
      return isSuccess(seen) || seen.status === 402 ? true : undefined;
    }
    if (!isSuccess(seen) || action !== undefined) return undefined;
    return `a job without \`action\` is taken: it holds ${names(Object.keys(sent))}`;
  },

  A2: (seen) =>
    firstOf(
      flawsBy("A2")(seen),
      ((): Sight => {
        const { entries, sent } = resultOf(seen) ?? {};
        if (entries === undefined || sent === undefined || sent["variations"] !== undefined) {
          return undefined;
        }
        return entries.length === 1 || `a job without \`variations\` has ${entries.length} results`;
      })(),
      ((): Sight => {
        const { call, sent, memory, status } = seen;
        const brand = memory.brand.get(String(sent?.["brand_id"]));
        if (call?.name !== "jobs.submit" || !brand?.isOver) return undefined;
        if (status === 404) return true;
        return isSuccess(seen) ? "a job for a deleted brand is taken" : undefined;
      })(),
    ),

  A3: (seen) => {
    const { call, data } = seen;
    if (call?.name !== "jobs.get" || !isSuccess(seen)) return undefined;
    const within = Object.entries(data).find(([, value]) => isRecord(value) && "status" in value);
    if (data["status"] === undefined && within) return `the job is in \`${within[0]}\``;
    const { job_id } = data;
    if (typeof job_id === "string" && job_id !== call.id)
      return "`job_id` is not the one asked for";
    return lacks("a job", data, ["job_id", "status", "action", "created_at"]);
  },

  A8: ({ call, data }) => {
    if (call?.name !== "jobs.get" || data["status"] !== "failed") return undefined;
    const known = ["job_id", "status", "action", "created_at", "error"];
    const others = Object.keys(data).filter((field) => !known.includes(field));
    return (
      typeof data["error"] === "string" || `a failed job has no \`error\`, but ${names(others)}`
    );
  },

  A9: (seen) => {
    const found = resultOf(seen);
    if (found === undefined) return undefined;
    const { name, result, entries, sent } = found;
    if (!isRecord(result)) return "a completed job has no `result`";
    if (entries === undefined) return `results hold ${names(fieldsOf(result))}, not \`${name}\``;
    const flaws = entries.map((entry) =>
      lacks(`an entry of \`${name}\``, isRecord(entry) ? entry : {}, entryFields[name]),
    );
    const variations = sent?.["variations"];
    const isCounted = variations === undefined || variations === entries.length;
    return firstOf(
      ...flaws,
      isCounted || `${entries.length} of ${variations} variations are in \`${name}\``,
    );
  },

  A10: (seen) => {
    const { call, data, memory, at, status, account } = seen;
    const known = memory.job.get(call?.id ?? "");
    if (call?.name !== "jobs.get" || known === undefined || known.isOver) return undefined;
    if (known.account !== account || at - known.madeAt < jobExpiryMs) return undefined;
    const state = data["status"];
    if (status === 404 || status === 410) return `an expired job is a ${status}`;
    if (!isJobStatus(state)) return undefined;
    if (!isFinished(state)) return `a job is ${state} after 30 minutes`;
    // It may have failed before, by another reason.
    return state === "failed" && data["error"] === assumedMessages.jobExpired ? true : undefined;
  },

  A11: flawsBy("A11"),
};
