import { type Endpoint, endpoints, idFields, type Kind } from "../contract/endpoint.ts";
import { jobExpiryMs } from "../contract/jobs.ts";
import { isObject } from "../options/rules.ts";
import { fail, outcomeOf, type ProxyAnswer, refusalOf } from "./answer.ts";
import type { createLimits, LimitedSpan } from "./limits.ts";
import { type OwnedThing, type Ownership, requireOwnIds } from "./ownership.ts";
import type { JobCost } from "./read-job-request.ts";
import type { Upstream, UpstreamCall } from "./upstream.ts";

/** A call of one owner, checked as far as its request alone can tell. */
export interface OwnedCall extends UpstreamCall {
  readonly owner: string;
  /** Largest number of items of a list. */
  readonly limit?: number | undefined;
  /** Of a submission. */
  readonly cost?: JobCost | undefined;
  readonly limits?: readonly LimitedSpan[] | undefined;
}

/** A job that is younger may still run; it must not be missing in its owner's list. */
const youngMs = jobExpiryMs + 60_000;

/** The most jobs that one list reads singly. */
const mostReadSingly = 20;

const idOf = (kind: Kind, thing: unknown): string | undefined => {
  const id = isObject(thing) ? thing[idFields[kind]] : undefined;
  return typeof id === "string" ? id : undefined;
};

/** Makes calls for their owners. Never rejects. */
export const createPerformer = (
  limits: ReturnType<typeof createLimits>,
  ownership: Ownership,
  send: Upstream["send"],
  report: (error: unknown) => void,
) => {
  /** Refuses an answer about something else than was asked for. */
  const mixedUp = (): ProxyAnswer => {
    report(new Error("the service answered about something of another owner"));
    return fail(502, "the service's answer could not be used", { outcome: "unknown" });
  };

  const create = async (call: OwnedCall, kind: Kind): Promise<ProxyAnswer> => {
    const { owner, cost } = call;
    const giveBack = cost && (await limits.reserve(owner, call.limits ?? [], cost));
    const { toAnswer, data, jobId = idOf(kind, data) } = await send(call);
    if (jobId !== undefined && !(await ownership.claim(kind, jobId, owner))) return mixedUp();
    const answer = toAnswer();
    if (["refused", "not-sent"].includes(outcomeOf(answer) ?? "")) await giveBack?.();
    return answer;
  };

  /** Changes, deletes or reads one thing. */
  const useOne = async (call: OwnedCall, kind: Kind, thing: OwnedThing): Promise<ProxyAnswer> => {
    const { toAnswer, data } = await send(call);
    if (data === undefined) return toAnswer();
    // A deletion may answer with nothing.
    if ((idOf(kind, data) ?? thing.id) !== thing.id) return mixedUp();
    if (endpoints[call.name].method === "DELETE") await ownership.forget(kind, thing);
    return toAnswer();
  };

  /** Reads young jobs that the service's list no longer has, as others have made more since. */
  const readMissing = async (
    { signal }: OwnedCall,
    missing: readonly OwnedThing[],
    found: Map<string, unknown>,
  ): Promise<ProxyAnswer | undefined> => {
    const young = missing.filter(({ at }) => Date.now() - at <= youngMs).slice(0, mostReadSingly);
    const reads = young.map(async ({ id }) => {
      const { toAnswer, data } = await send({ name: "jobs.get", id, signal });
      if (data === undefined) return toAnswer();
      found.set(id, data);
      return undefined;
    });
    return (await Promise.all(reads)).find((failure) => failure && failure.status !== 404);
  };

  /** @param field Field of the answer that holds the list */
  const list = async (call: OwnedCall, kind: Kind, field: string): Promise<ProxyAnswer> => {
    const own = await ownership.list(kind, call.owner);
    const { toAnswer, data } = await send(call);
    if (data === undefined) return toAnswer();
    const found = new Map<string, unknown>();
    for (const thing of [data].flat()) found.set(idOf(kind, thing) ?? "", thing);
    if (kind === "job") {
      const missing = own.slice(0, call.limit).filter(({ id }) => !found.has(id));
      const failure = await readMissing(call, missing, found);
      if (failure !== undefined) return failure;
    }
    const listed = own.filter(({ id }) => found.has(id)).slice(0, call.limit);
    return toAnswer({ [field]: listed.map(({ id }) => found.get(id)) });
  };

  return async (call: OwnedCall): Promise<ProxyAnswer> => {
    const { names, creates, lists, list: field }: Endpoint = endpoints[call.name];
    const { id = "", owner, body } = call;
    try {
      const thing = names && (await ownership.requireOwn(names, id, owner));
      await requireOwnIds(ownership, body, owner);
      if (creates !== undefined) return await create(call, creates);
      if (lists !== undefined && field !== undefined) return await list(call, lists, field);
      if (names !== undefined && thing !== undefined) return await useOne(call, names, thing);
      throw new Error(`the table of endpoints says no kind of ${call.name}`);
    } catch (thrown) {
      return refusalOf(thrown, report).answer;
    }
  };
};
