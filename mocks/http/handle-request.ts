import { makeResult } from "../artwork/results.ts";
import { readJson } from "../domain/depth.ts";
import { makeId } from "../domain/ids.ts";
import { isCarriedOut } from "../faults/fault.ts";
import { meetFaults } from "../faults/planned-faults.ts";
import { addRecord } from "../journal/journal.ts";
import { maskKey } from "../journal/redact.ts";
import { listSome } from "../options/require.ts";
import type { MockServiceConfig } from "../options/resolve-options.ts";
import { type Answer, answer } from "./answer.ts";
import { folderOf } from "./artwork.ts";
import { composeReply } from "./compose-reply.ts";
import { isAnswered } from "./delivery.ts";
import { match } from "./match.ts";
import { answerOnce } from "./page-calls.ts";
import { apiKeyOf } from "./read-request.ts";
import type { MockReply, ReadRequest } from "./reply.ts";
import { timeOf, type World } from "./service-state.ts";

const maxIdLength = 200;

/**
 * Explains a 401 to the person who looks for the mistake. The text names keys of the mock, but never
 * the key of the request.
 *
 * @param key - Key of the request, which no account has; `undefined` when it has none
 */
const explainWrongKey = ({ accounts }: World, key: string | undefined): string =>
  key === undefined
    ? 'the request has no header "Authorization: Bearer <key>"'
    : `no account has the key of the request; the mock has ${listSome([...accounts.keys()], 3) || "no account"}`;

/**
 * Handles one request of any adapter. START HERE to read the mock. It finds the account and the
 * fault, lets the service answer, composes the reply, and writes the journal.
 *
 * @param isServed - The adapter serves the files of results, so that answers name them by URL
 * @throws TypeError when the URL cannot be parsed
 */
export const handleRequest = (
  world: World,
  config: MockServiceConfig,
  serviceNow: number,
  request: ReadRequest,
  isServed: boolean,
): MockReply => {
  const { method } = request;
  const url = typeof request.url === "string" ? new URL(request.url) : request.url;
  world.requests += 1;
  const key = request.authorization === null ? config.pageKey : apiKeyOf(request.authorization);
  const slot = key === undefined ? undefined : world.accounts.get(key);
  const now = slot === undefined ? serviceNow : timeOf(slot, serviceNow);
  const found = match(method, url, config.baseUrl);
  const operation = "name" in found ? found.name : undefined;
  const isKnown = slot !== undefined;
  const { fault, delayMs } = meetFaults(world.faults, world.seed, operation, key, isKnown, () =>
    readJson(request.body),
  );
  const accepted = fault === undefined || isCarriedOut(fault);

  const carryOut = (): Answer =>
    answer(slot?.state, found, url, request.body, {
      rules: config.rules,
      now,
      plannedEnds: world.plannedEnds,
      makeResult: (job) => makeResult(job, isServed ? folderOf(config.baseUrl, url) : undefined),
    });
  const isPage = request.authorization === null && config.pageKey !== undefined;
  const carryOutOnce = isPage ? () => answerOnce(slot, request, carryOut) : carryOut;
  const answered = accepted ? carryOutOnce() : undefined;

  const requestId = makeId("req", world.seed, world.requests);
  const { status, headers, body, delivery } = composeReply(method, answered, fault, requestId);
  const goesOut = isAnswered(delivery);
  const record = {
    number: world.requests,
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
    jobId:
      "name" in found && found.name === "jobs.get"
        ? found.id.slice(0, maxIdLength)
        : answered?.jobId,
    status: goesOut ? status : undefined,
    answer: goesOut ? body : "",
    hint: answered?.hint,
  };
  addRecord(world.journal, record, config.journalLimit);
  return {
    status,
    headers,
    body,
    delayMs,
    delivery,
    operation,
    account: slot?.masked ?? (key === undefined ? undefined : maskKey(key)),
    fault,
    hint: answered?.status === 401 ? explainWrongKey(world, key) : answered?.hint,
  };
};
