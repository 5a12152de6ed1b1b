import { isObject } from "../client/options/rules.ts";
import { type Endpoint, endpoints, idFields, type ResourceKind } from "../contract/endpoint.ts";
import { requestCostOf } from "../submissions/store/usage-limits.ts";
import {
  failureAnswer,
  isSurelyNotDone,
  type ProxyAnswer,
  refusalOf,
  refuseRequest,
  successAnswer,
} from "./answer.ts";
import type { createLimits } from "./limits.ts";
import type { OwnedThing, Ownership } from "./ownership.ts";
import type { OwnerLimits } from "./proxy-options.ts";
import type { Upstream, UpstreamCall } from "./upstream.ts";

/** A call of one owner, checked as far as the request itself allows. */
export interface OwnedCall extends UpstreamCall {
  readonly owner: string;
  /** Largest number of items in a list. */
  readonly limit?: number | undefined;
}

/** Maximum number of jobs in a list, because each job takes a request. */
const maxJobs = 20;

const idOf = (kind: ResourceKind, thing: unknown): string | undefined => {
  const id = isObject(thing) ? thing[idFields[kind]] : undefined;
  return typeof id === "string" ? id : undefined;
};

/**
 * Creates the function that makes calls for their owners. It never rejects.
 *
 * @param limitsOf - Rejects with a refusal if the limits of an owner cannot be read
 */
export const createPerformer = (
  limits: ReturnType<typeof createLimits>,
  limitsOf: (owner: string) => Promise<OwnerLimits>,
  ownership: Ownership,
  { send, redact }: Upstream,
  report: (error: unknown) => void,
) => {
  /** Creates the answer that replaces a service's answer about another thing than the request's. */
  const mixedUp = (): ProxyAnswer => {
    report(new Error("the service answered about something of another owner"));
    return failureAnswer(502, "the service's answer could not be used", { outcome: "unknown" });
  };

  /**
   * Reserves what a job will use. The limits are read here and not with the request, because an
   * earlier copy of the request may have been carried out: its answer must not depend on them.
   */
  const reserve = async ({ owner, body = {} }: OwnedCall): Promise<() => Promise<void>> => {
    const bounds = await limitsOf(owner);
    const cost = requestCostOf(body, bounds, (message) => refuseRequest(400, message));
    return limits.reserve(owner, bounds, cost);
  };

  const create = async (call: OwnedCall, kind: ResourceKind): Promise<ProxyAnswer> => {
    const { paid }: Endpoint = endpoints[call.name];
    const giveBack = paid && (await reserve(call));
    const { toAnswer, data, jobId = idOf(kind, data) } = await send(call);
    if (jobId !== undefined && !(await ownership.claim(kind, jobId, call.owner))) return mixedUp();
    const answer = toAnswer();
    if (isSurelyNotDone(answer)) await giveBack?.();
    return answer;
  };

  /** Changes, deletes or reads one thing. */
  const useOne = async (
    call: OwnedCall,
    kind: ResourceKind,
    thing: OwnedThing,
  ): Promise<ProxyAnswer> => {
    const { toAnswer, data } = await send(call);
    if (data === undefined) return toAnswer();
    // The answer to a deletion may have no data.
    if ((idOf(kind, data) ?? thing.id) !== thing.id) return mixedUp();
    if (endpoints[call.name].method === "DELETE") await ownership.forget(kind, thing);
    return toAnswer();
  };

  /**
   * Lists the newest jobs of an owner. It reads each job by its id, because the service's list has
   * the recent jobs of all owners, and soon loses the jobs of one owner.
   */
  const listJobs = async ({ owner, limit, signal }: OwnedCall): Promise<ProxyAnswer> => {
    const ids = (await ownership.list("job", owner)).slice(0, Math.min(limit ?? maxJobs, maxJobs));
    const reads = await Promise.all(ids.map((id) => send({ name: "jobs.get", id, signal })));
    const answers = reads.map(({ data, toAnswer }) => ({ data, answer: toAnswer() }));
    const failed = answers.find(({ data, answer }) => data === undefined && answer.status !== 404);
    if (failed !== undefined) return failed.answer;
    return successAnswer(200, { jobs: answers.flatMap(({ data }) => data ?? []) }, redact);
  };

  /**
   * Lists the things of an owner, by picking them from the service's list of all things.
   *
   * @param field - Field of the answer that holds the list
   */
  const list = async (call: OwnedCall, kind: ResourceKind, field: string): Promise<ProxyAnswer> => {
    const own = new Set(await ownership.list(kind, call.owner));
    const { toAnswer, data } = await send(call);
    if (data === undefined) return toAnswer();
    const listed = [data].flat().filter((thing) => own.has(idOf(kind, thing) ?? ""));
    return toAnswer({ [field]: listed.slice(0, call.limit) });
  };

  return async (call: OwnedCall): Promise<ProxyAnswer> => {
    const { names, creates, lists, list: field }: Endpoint = endpoints[call.name];
    const { id = "", owner, body = {} } = call;
    try {
      await ownership.requireOwnIds(body, owner);
      if (creates !== undefined) return await create(call, creates);
      if (lists !== undefined) {
        if (names !== undefined) await ownership.requireOwn(names, id, owner);
        return call.name === "jobs.list" ? await listJobs(call) : await list(call, lists, field);
      }
      return await useOne(call, names, await ownership.requireOwn(names, id, owner));
    } catch (thrown) {
      return refusalOf(thrown, report).answer;
    }
  };
};
