import type { JobView } from "../domain/job-view.ts";
import { isCarriedOut } from "../faults/fault.ts";
import { meetFaults } from "../faults/planned-faults.ts";
import type { JournalRecord } from "../journal/entry.ts";
import { maskKey, shortenKey } from "../journal/mask-key.ts";
import type { MockServiceConfig } from "../options/resolve-options.ts";
import { makeId } from "../seeded/ids.ts";
import { timeOf, type World } from "../world/world.ts";
import { type Answer, answer } from "./answer.ts";
import { keyOf } from "./authorization.ts";
import { composeReply } from "./compose-reply.ts";
import { isAnswered } from "./delivery.ts";
import { explainWrongKey } from "./explain-key.ts";
import { type Match, match, methodsAt } from "./match.ts";
import { pictureUrl } from "./picture-url.ts";
import type { MockReply, ReadRequest } from "./reply.ts";

const longestId = 200;

/** Finds the id of the job that a request asks for, or has made. */
const jobIdOf = (matched: Match | undefined, answered: Answer | undefined): string | undefined => {
  if (matched?.name === "jobs.get") return matched.id.slice(0, longestId);
  if (matched?.name !== "jobs.submit" || answered?.envelope.success !== true) return undefined;
  return (answered.envelope.data as Pick<JobView, "job_id">).job_id;
};

/**
 * Handles one request of any face. START HERE to read the mock. It finds the account and the
 * fault, lets the service answer, composes the reply, and writes the journal.
 *
 * @throws TypeError when the URL is none
 */
export const handleRequest = (
  world: World,
  config: MockServiceConfig,
  serviceNow: number,
  request: ReadRequest,
): MockReply => {
  const startedAt = performance.now();
  const { method } = request;
  const url = typeof request.url === "string" ? new URL(request.url) : request.url;
  const picturesAt = request.picturesAt ?? url.origin;
  world.requests += 1;
  const key = keyOf(request.authorization);
  const slot = key === undefined ? undefined : world.accounts.get(key);
  const now = slot === undefined ? serviceNow : timeOf(slot, serviceNow);
  const matched = match(method, url, config.baseUrl);
  const { fault, delayMs } = meetFaults(world.faults, world.seed, matched?.name, key);
  const accepted = fault === undefined || isCarriedOut(fault);
  if (fault !== undefined) world.moves.count += 1;

  const answered = accepted
    ? answer(slot?.state, matched ?? methodsAt(url, config.baseUrl), url, request.body, {
        rules: config.rules,
        now,
        plannedEnds: world.plannedEnds,
        moves: world.moves,
        pictureUrl:
          config.artwork === "served"
            ? pictureUrl(picturesAt, config.rules.pictureFormat)
            : undefined,
        answerOrigin: picturesAt,
      })
    : undefined;

  const requestId = makeId("req", world.seed, world.requests);
  const composed = composeReply(method, answered, fault, requestId);
  const goesOut = isAnswered(composed.delivery);
  const record: JournalRecord = {
    number: world.requests,
    at: now,
    operation: matched?.name,
    method,
    path: url.pathname + url.search,
    requestId,
    accepted,
    fault,
    key: key === undefined ? undefined : shortenKey(key),
    request: request.body,
    jobId: jobIdOf(matched, answered),
    status: goesOut ? composed.status : undefined,
    response: goesOut ? composed.body : "",
  };
  world.journal.add(record);
  return {
    ...composed,
    delayMs,
    operation: matched?.name,
    account: slot?.masked ?? (key === undefined ? undefined : maskKey(key)),
    fault,
    hint: answered?.status === 401 ? explainWrongKey(world, key) : undefined,
    delivered: () => {
      // A clock that a test has faked meanwhile may stand before the start.
      if (goesOut) record.tookMs = Math.max(0, performance.now() - startedAt);
    },
  };
};
