import { type Endpoint, endpoints, idFields, type Kind } from "../contract/endpoint.ts";
import { isObject } from "../options/rules.ts";
import type { JobCost } from "../submissions/usage-limits.ts";
import { fail, outcomeOf, type ProxyAnswer, refusalOf, succeed } from "./answer.ts";
import type { createLimits } from "./limits.ts";
import type { OwnedThing, Ownership } from "./ownership.ts";
import type { OwnerLimits } from "./proxy-options.ts";
import type { Upstream, UpstreamCall } from "./upstream.ts";

/** A call of one owner, checked as far as its request alone can tell. */
export interface OwnedCall extends UpstreamCall {
  readonly owner: string;
  /** Largest number of items of a list. */
  readonly limit?: number | undefined;
  /** Of a submission. */
  readonly cost?: JobCost | undefined;
  readonly limits?: OwnerLimits | undefined;
}

/** The most jobs of a list, each of which is read singly. */
const mostJobs = 20;

const idOf = (kind: Kind, thing: unknown): string | undefined => {
  const id = isObject(thing) ? thing[idFields[kind]] : undefined;
  return typeof id === "string" ? id : undefined;
};

/** Makes calls for their owners. Never rejects. */
export const createPerformer = (
  limits: ReturnType<typeof createLimits>,
  ownership: Ownership,
  { send, redact }: Upstream,
  report: (error: unknown) => void,
) => {
  /** Refuses an answer about something else than was asked for. */
  const mixedUp = (): ProxyAnswer => {
    report(new Error("the service answered about something of another owner"));
    return fail(502, "the service's answer could not be used", { outcome: "unknown" });
  };

  const create = async (call: OwnedCall, kind: Kind): Promise<ProxyAnswer> => {
    const { owner, cost } = call;
    const giveBack = cost && (await limits.reserve(owner, call.limits ?? {}, cost));
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

  /** The newest jobs of an owner. The service's list has those of all owners, and soon loses them. */
  const listJobs = async ({ owner, limit, signal }: OwnedCall): Promise<ProxyAnswer> => {
    const ids = (await ownership.list("job", owner)).slice(
      0,
      Math.min(limit ?? mostJobs, mostJobs),
    );
    const reads = await Promise.all(ids.map((id) => send({ name: "jobs.get", id, signal })));
    const answers = reads.map(({ data, toAnswer }) => ({ data, answer: toAnswer() }));
    const failed = answers.find(({ data, answer }) => data === undefined && answer.status !== 404);
    if (failed !== undefined) return failed.answer;
    return succeed(200, { jobs: answers.flatMap(({ data }) => data ?? []) }, redact);
  };

  /** @param field Field of the answer that holds the list */
  const list = async (call: OwnedCall, kind: Kind, field: string): Promise<ProxyAnswer> => {
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
      const thing = names && (await ownership.requireOwn(names, id, owner));
      await ownership.requireOwnIds(body, owner);
      if (creates !== undefined) return await create(call, creates);
      if (lists === "job") return await listJobs(call);
      if (lists !== undefined && field !== undefined) return await list(call, lists, field);
      if (names !== undefined && thing !== undefined) return await useOne(call, names, thing);
      throw new Error(`the table of endpoints says no kind of ${call.name}`);
    } catch (thrown) {
      return refusalOf(thrown, report).answer;
    }
  };
};
