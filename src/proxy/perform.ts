import type { AnyAdGenError } from "adgen-sdk";
import { type Endpoint, endpoints, idFields, type Kind } from "../contract/endpoint.ts";
import { jobExpiryMs } from "../contract/jobs.ts";
import { isObject } from "../options/rules.ts";
import { fail, outcomeOf, type ProxyAnswer, refusalOf, succeed } from "./answer.ts";
import type { createLimits, LimitedSpan } from "./limits.ts";
import { type OwnedThing, type Ownership, requireOwnIds } from "./ownership.ts";
import type { JobCost } from "./read-job-request.ts";
import type { Upstream, UpstreamCall, UpstreamFailure, UpstreamSuccess } from "./upstream.ts";

/** A call of one owner, checked as far as its request alone can tell. */
export interface OwnedCall extends UpstreamCall {
  readonly owner: string;
  /** Largest number of items of a list. */
  readonly limit?: number | undefined;
  /** Of a submission. */
  readonly cost?: JobCost | undefined;
  readonly limits?: readonly LimitedSpan[] | undefined;
  /** Called for a submission whose job is to be searched for. */
  readonly onLost?: ((error: AnyAdGenError) => void) | undefined;
}

/** Parts of the proxy that a call needs. */
export interface Dependencies {
  readonly limits: ReturnType<typeof createLimits>;
  readonly ownership: Ownership;
  readonly send: Upstream["send"];
  readonly report: (error: unknown) => void;
}

/** A job that is younger may still run; it must not be missing in its owner's list. */
const youngMs = jobExpiryMs + 60_000;

/** The most jobs that one list reads singly. */
const mostReadSingly = 20;

const answerOf = (result: UpstreamSuccess | UpstreamFailure): ProxyAnswer =>
  "failure" in result ? result.failure : succeed(result.status, result.data, result);

const idOf = (kind: Kind, thing: unknown): string | undefined => {
  const id = isObject(thing) ? thing[idFields[kind]] : undefined;
  return typeof id === "string" ? id : undefined;
};

/** Makes the function that makes calls for their owners. It never rejects. */
export const createPerformer = ({ limits, ownership, send, report }: Dependencies) => {
  /** Refuses an answer about something else than was asked for. */
  const mixedUp = (): ProxyAnswer => {
    report(new Error("the service answered about something of another owner"));
    return fail(502, "the service's answer could not be used", { outcome: "unknown" });
  };

  const create = async (call: OwnedCall, kind: Kind): Promise<ProxyAnswer> => {
    const { owner, cost } = call;
    const giveBack = cost && (await limits.reserve(owner, call.limits ?? [], cost));
    const result = await send(call);
    const id = "failure" in result ? result.jobId : idOf(kind, result.data);
    if (id !== undefined && !(await ownership.claim(kind, id, owner))) return mixedUp();
    if ("lost" in result && result.lost !== undefined) call.onLost?.(result.lost);
    const answer = answerOf(result);
    if (["refused", "not-sent"].includes(outcomeOf(answer) ?? "")) await giveBack?.();
    return answer;
  };

  /** Changes, deletes or reads one thing. */
  const useOne = async (call: OwnedCall, kind: Kind, thing: OwnedThing): Promise<ProxyAnswer> => {
    const result = await send(call);
    if ("failure" in result) return result.failure;
    // A job's own id was checked by the client; a deletion may answer with nothing.
    const answered = isObject(result.data) ? (result.data["id"] ?? thing.id) : thing.id;
    if (kind !== "job" && answered !== thing.id) return mixedUp();
    if (endpoints[call.name].method === "DELETE") await ownership.forget(kind, thing);
    return answerOf(result);
  };

  /** Reads young jobs that the service's list no longer has, as others have made more since. */
  const readMissing = async (
    { signal }: OwnedCall,
    missing: readonly OwnedThing[],
    found: Map<string, unknown>,
  ): Promise<UpstreamFailure | undefined> => {
    const young = missing.filter(({ at }) => Date.now() - at <= youngMs).slice(0, mostReadSingly);
    const reads = young.map(async ({ id }) => {
      const result = await send({ name: "jobs.get", id, signal });
      if (!("failure" in result)) found.set(id, result.data);
      else if (result.failure.status !== 404) return result;
      return undefined;
    });
    return (await Promise.all(reads)).find((failed) => failed !== undefined);
  };

  /** @param field Field of the answer that holds the list */
  const list = async (call: OwnedCall, kind: Kind, field: string): Promise<ProxyAnswer> => {
    const own = await ownership.list(kind, call.owner);
    const result = await send(call);
    if ("failure" in result) return result.failure;
    const found = new Map<string, unknown>();
    for (const thing of Array.isArray(result.data) ? result.data : []) {
      const id = idOf(kind, thing);
      if (id !== undefined) found.set(id, thing);
    }
    if (kind === "job") {
      const missing = own.slice(0, call.limit).filter(({ id }) => !found.has(id));
      const failed = await readMissing(call, missing, found);
      if (failed !== undefined) return failed.failure;
    }
    const listed = own.filter(({ id }) => found.has(id)).slice(0, call.limit);
    return succeed(result.status, { [field]: listed.map(({ id }) => found.get(id)) }, result);
  };

  const choose = async (call: OwnedCall): Promise<ProxyAnswer> => {
    const { names, creates, lists, list: field }: Endpoint = endpoints[call.name];
    const { id = "", owner, body } = call;
    const thing = names && (await ownership.requireOwn(names, id, owner));
    await requireOwnIds(ownership, body, owner);
    if (creates !== undefined) return create(call, creates);
    if (lists !== undefined && field !== undefined) return list(call, lists, field);
    if (names !== undefined && thing !== undefined) return useOne(call, names, thing);
    throw new Error(`the table of endpoints says no kind of ${call.name}`);
  };

  return async (call: OwnedCall): Promise<ProxyAnswer> => {
    try {
      return await choose(call);
    } catch (thrown) {
      const refusal = refusalOf(thrown);
      if (refusal !== undefined) return refusal.answer;
      report(thrown);
      // By then the service may have been asked.
      return fail(500, "the proxy failed", { outcome: "unknown" });
    }
  };
};
