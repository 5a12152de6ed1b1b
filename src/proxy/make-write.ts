import { endpoints } from "../contract/endpoint.ts";
import { outcomeOf, type ProxyAnswer, Refusal } from "./answer.ts";
import { createOnce, type GivenAnswer } from "./once.ts";
import type { OwnedCall } from "./perform.ts";
import { type createRequestReader, digestOf, readCallId } from "./read-request.ts";
import type { ProxyConfig } from "./resolve-proxy-config.ts";
import type { SteadyStore } from "./steady-store.ts";

/** Things that writes are made with. */
interface Means extends Pick<ReturnType<typeof createRequestReader>, "readWrite"> {
  readonly config: ProxyConfig;
  readonly store: SteadyStore;
  readonly perform: (call: OwnedCall) => Promise<ProxyAnswer>;
}

const digestOfCall = ({ name, id, body }: OwnedCall): Promise<string> => {
  const target = id === undefined ? "" : ` ${JSON.stringify(id)}`;
  return digestOf(`${name}${target} ${JSON.stringify(body) ?? ""}`);
};

/** Makes the function that makes writes: those that carry a call id at most once. */
export const createWriter = ({ config, store, perform, readWrite }: Means) => {
  const { callWindowMs, storeTimeoutMs, timeoutMs = 60_000 } = config;
  // A call asks the store before it is sent and after it was answered, and none may last for ever.
  const beforeMs = Math.max(10_000, 3 * storeTimeoutMs);
  const once = createOnce(store, callWindowMs, beforeMs + timeoutMs + 6 * storeTimeoutMs);

  /** Tells whether a call is on record; one that cannot be read may be. */
  const isOnRecord = (key: string): Promise<boolean> =>
    store.get(key).then(
      (record) => record !== undefined,
      () => true,
    );

  return async (
    request: Request,
    { name, id, owner }: Pick<OwnedCall, "name" | "id" | "owner">,
  ): Promise<GivenAnswer> => {
    const isRepeatable = endpoints[name].method === "DELETE";
    const callId = readCallId(request);
    const key = `call:${encodeURIComponent(owner)}:${encodeURIComponent(callId ?? "")}`;
    let call: OwnedCall = { name, id, owner };
    try {
      if (!isRepeatable) call = { ...call, ...(await readWrite(request, name, owner)) };
    } catch (thrown) {
      const isRefused = thrown instanceof Refusal && outcomeOf(thrown.answer) === "refused";
      if (!isRefused || callId === undefined || (await isOnRecord(key))) throw thrown;
      // No request of its id has come further, so none was carried out.
      return { answer: thrown.answer, repeated: false };
    }
    if (callId === undefined) return { answer: await perform(call), repeated: false };
    return once({ key, digest: await digestOfCall(call), isRepeatable }, () =>
      perform({ ...call, isRecorded: true, leaveBy: Date.now() + beforeMs }),
    );
  };
};
