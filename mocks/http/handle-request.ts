import { makeResult } from "../artwork/results.ts";
import { makeId } from "../domain/ids.ts";
import { readJson } from "../domain/json-values.ts";
import { isCarriedOut } from "../faults/fault.ts";
import { meetFaults } from "../faults/scheduled-faults.ts";
import { addRecord } from "../journal/journal.ts";
import { maskKey } from "../journal/redact.ts";
import { listSome } from "../options/require.ts";
import { type Answer, answerCall } from "./answer-call.ts";
import { artworkFolderOf } from "./artwork.ts";
import { composeReply } from "./compose-reply.ts";
import { isAnswered } from "./delivery.ts";
import { type Match, matchEndpoint } from "./match-endpoint.ts";
import { answerOnce } from "./page-calls.ts";
import { apiKeyOf } from "./read-request.ts";
import type { MockReply, ReadRequest } from "./reply.ts";
import { accountTime, type ServiceState } from "./service-state.ts";

const maxIdLength = 200;

/**
 * Explains a 401 in the log. The text lists the mock's keys, but never the key of the request.
 *
 * @param key - Key of the request, which no account has; `undefined` if the request has no key
 */
const explainWrongKey = ({ accounts }: ServiceState, key: string | undefined): string =>
  key === undefined
    ? 'the request has no header "Authorization: Bearer <key>"'
    : `no account has the key of the request; the mock has ${listSome([...accounts.keys()], 3) || "no account"}`;

/**
 * Handles a request from any adapter. START HERE to read the mock. It finds the account and the fault,
 * lets the service answer, composes the reply, and adds a record to the journal.
 *
 * @param isServed - Whether the adapter serves the files of results, so that answers can link to them
 * @throws TypeError when the URL cannot be parsed
 */
export const handleRequest = (
  state: ServiceState,
  request: ReadRequest,
  isServed: boolean,
): MockReply => {
  const { method } = request;
  const { config, clock } = state;
  const url = typeof request.url === "string" ? new URL(request.url) : request.url;
  state.requests += 1;
  const key = request.authorization === null ? config.pageKey : apiKeyOf(request.authorization);
  const slot = key === undefined ? undefined : state.accounts.get(key);
  const now = slot === undefined ? clock.now() : accountTime(slot, clock.now());
  const found = matchEndpoint(method, url, config.baseUrl);
  const { name: operation, endpoint, id = "" }: Partial<Match> = "name" in found ? found : {};
  const isKnown = slot !== undefined;
  const { fault, delayMs } = meetFaults(state.faults, config.seed, operation, key, isKnown, () =>
    readJson(request.body),
  );
  const accepted = fault === undefined || isCarriedOut(fault);

  const carryOut = (): Answer =>
    answerCall(slot?.state, found, url, request.body, {
      rules: config.rules,
      now,
      scheduledEnds: state.scheduledEnds,
      makeResult: (job) =>
        makeResult(job, isServed ? artworkFolderOf(config.baseUrl, url) : undefined),
    });
  const isPage = request.authorization === null && config.pageKey !== undefined;
  const isOnce = isPage && endpoint?.creates !== undefined;
  const carryOutOnce = isOnce ? () => answerOnce(slot, request, carryOut) : carryOut;
  const answered = accepted ? carryOutOnce() : undefined;

  const requestId = makeId("req", config.seed, state.requests);
  const { status, headers, body, delivery } = composeReply(method, answered, fault, requestId);
  const goesOut = isAnswered(delivery);
  const record = {
    number: state.requests,
    at: now,
    operation,
    method,
    path: url.pathname + url.search,
    requestId,
    accepted,
    fault,
    key,
    request: request.body,
    sent: request.headers,
    jobId: endpoint?.names === "job" ? id.slice(0, maxIdLength) : answered?.jobId,
    status: goesOut ? status : undefined,
    answer: goesOut ? body : "",
    hint: answered?.hint,
  };
  addRecord(state.journal, record, config.journalLimit);
  return {
    status,
    headers,
    body,
    delayMs,
    delivery,
    operation,
    account: slot?.masked ?? (key === undefined ? undefined : maskKey(key)),
    fault,
    hint: answered?.status === 401 ? explainWrongKey(state, key) : answered?.hint,
  };
};
