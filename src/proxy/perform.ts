import { type Endpoint, type EndpointName, endpoints } from "../contract/endpoint.ts";
import { jobExpiryMs } from "../contract/jobs.ts";
import { fail, outcomeOf, type ProxyAnswer, Refusal, succeed } from "./answer.ts";
import { type GiveBack, reserve } from "./limits.ts";
import { type Ownership, requireOwnIds } from "./ownership.ts";
import type { OwnedKind as Kind, OwnerLimit } from "./proxy-options.ts";
import type { JobCost } from "./read-job-request.ts";
import type { SteadyStore } from "./steady-store.ts";
import type { UpstreamCall, UpstreamFailure, UpstreamSuccess } from "./upstream.ts";

/** A call of one owner, checked as far as its request alone can tell. */
export interface OwnedCall extends UpstreamCall {
  readonly owner: string;
  /** Largest number of items of a list. */
  readonly limit?: number | undefined;
  /** Of a submission. */
  readonly cost?: JobCost | undefined;
  readonly limits?: readonly OwnerLimit[] | undefined;
  /** Its call id is on record. So the store has room for what it makes. */
  readonly isRecorded?: boolean | undefined;
}

/** Things that calls are made with. */
export interface Means {
  readonly store: SteadyStore;
  readonly ownership: Ownership;
  readonly send: (call: UpstreamCall) => Promise<UpstreamSuccess | UpstreamFailure>;
  readonly report: (error: unknown) => void;
}

/** Kind of thing that each call makes, lists, or names by its id. */
const kindOf: Readonly<Record<EndpointName, Kind>> = {
  "jobs.submit": "job",
  "jobs.get": "job",
  "jobs.list": "job",
  "brands.list": "brand",
  "brands.create": "brand",
  "brands.update": "brand",
  "brands.delete": "brand",
  "brands.listAds": "ad",
  "savedAds.create": "ad",
  "savedAds.delete": "ad",
};

/** Field of a thing that holds its id. */
const idFieldOf = (kind: Kind): string => (kind === "job" ? "job_id" : "id");

/** A job that is younger may still run; it must not be missing in its owner's list. */
const youngMs = jobExpiryMs + 60_000;

/** The most jobs that one list looks up singly. */
const mostLookedUp = 20;

const answerOf = (result: UpstreamSuccess | UpstreamFailure): ProxyAnswer =>
  "failure" in result ? result.failure : succeed(result.status, result.data, result);

/** Makes the function that makes calls for their owners. It never rejects. */
export const createPerformer = ({ store, ownership, send, report }: Means) => {
  /** Refuses an answer about something else than was asked for. */
  const mixedUp = (outcome: "unknown" | undefined): ProxyAnswer => {
    report(new Error("the service answered about something of another owner"));
    return fail(502, "the service's answer could not be used", { outcome });
  };

  const keepRoom = async (giveBack: GiveBack | undefined) => {
    try {
      return await ownership.keepRoom();
    } catch (refusal) {
      await giveBack?.();
      throw refusal;
    }
  };

  const create = async (call: OwnedCall, kind: Kind): Promise<ProxyAnswer> => {
    const { owner, cost, limits = [], isRecorded = false } = call;
    await requireOwnIds(ownership, call.body, owner);
    const giveBack = cost && (await reserve(store, owner, limits, cost));
    // After the limits: what they refuse must not fill a store that others share.
    const leaveRoom = isRecorded ? undefined : await keepRoom(giveBack);
    const result = await send(call);
    const id = "failure" in result ? result.jobId : result.data[idFieldOf(kind)];
    const isOwn = id === undefined || (await ownership.claim(kind, id, owner));
    await leaveRoom?.();
    if (!isOwn) return mixedUp("unknown");
    const answer = answerOf(result);
    if (["refused", "not-sent"].includes(outcomeOf(answer) ?? "")) await giveBack?.();
    return answer;
  };

  /** Changes, deletes or reads one thing. */
  const meetOne = async (call: OwnedCall, kind: Kind): Promise<ProxyAnswer> => {
    const { name, owner, id = "", body } = call;
    await ownership.requireOwn(kind, id, owner);
    await requireOwnIds(ownership, body, owner);
    const result = await send(call);
    if ("failure" in result) return result.failure;
    const answered = result.data?.id ?? id;
    if (kind !== "job" && answered !== id) return mixedUp("unknown");
    if (name.endsWith(".delete")) await ownership.forget(kind, id, owner);
    return answerOf(result);
  };

  /** Finds young jobs among ids, which are ordered from the newest on. */
  const youngOf = async (ids: readonly string[], owner: string): Promise<string[]> => {
    const young: string[] = [];
    for (const id of ids.slice(0, mostLookedUp)) {
      const at = await ownership.ownSince("job", id, owner);
      if (at === undefined) continue;
      if (Date.now() - at > youngMs) break;
      young.push(id);
    }
    return young;
  };

  /** Looks up young jobs that the service's list no longer has, as others have made more since. */
  const lookUp = async (
    { owner, signal }: OwnedCall,
    missing: readonly string[],
    found: Map<string, unknown>,
  ): Promise<UpstreamFailure | undefined> => {
    const looks = (await youngOf(missing, owner)).map(async (id) => {
      const result = await send({ name: "jobs.get", id, signal });
      if (!("failure" in result)) found.set(id, result.data);
      else if (result.failure.status !== 404) return result;
      return undefined;
    });
    return (await Promise.all(looks)).find((failed) => failed !== undefined);
  };

  /** @param field Field of the answer that holds the list */
  const list = async (call: OwnedCall, kind: Kind, field: string): Promise<ProxyAnswer> => {
    if (call.id !== undefined) await ownership.requireOwn("brand", call.id, call.owner);
    const own = await ownership.idsOf(kind, call.owner);
    const result = await send(call);
    if ("failure" in result) return result.failure;
    const found = new Map<string, unknown>();
    for (const item of result.data) found.set(item[idFieldOf(kind)], item);
    if (kind === "job") {
      const missing = own.slice(0, call.limit).filter((id) => !found.has(id));
      const failed = await lookUp(call, missing, found);
      if (failed !== undefined) return failed.failure;
    }
    const listed = own.filter((id) => found.has(id)).slice(0, call.limit);
    const shown = await ownership.ownOf(kind, listed, call.owner);
    return succeed(result.status, { [field]: shown.map((id) => found.get(id)) }, result);
  };

  const choose = (call: OwnedCall): Promise<ProxyAnswer> => {
    const { method, list: field }: Endpoint = endpoints[call.name];
    const kind = kindOf[call.name];
    if (field !== undefined) return list(call, kind, field);
    return method === "POST" ? create(call, kind) : meetOne(call, kind);
  };

  return async (call: OwnedCall): Promise<ProxyAnswer> => {
    try {
      return await choose(call);
    } catch (thrown) {
      if (thrown instanceof Refusal) return thrown.answer;
      report(thrown);
      // By then the service may have been asked.
      return fail(500, "the proxy failed", { outcome: "unknown" });
    }
  };
};
