import { keyOf } from "../domain/accounts.ts";
import type { JobRecord } from "../domain/job-timeline.ts";
import { meetFaults } from "../faults/planned-faults.ts";
import { maskKey } from "../journal/mask-key.ts";
import type { MockServiceConfig } from "../options/resolve-options.ts";
import { makeId } from "../seeded/ids.ts";
import { timeOf, type World } from "../world/world.ts";
import { composeReply, isAccepted } from "./compose-reply.ts";
import { isAnswered } from "./delivery.ts";
import type { MockReply } from "./reply.ts";
import { answer, type Exchange, match } from "./route.ts";

/** Where a served picture is, below an origin. */
export const pictureUrl =
  (origin: string) =>
  ({ id }: JobRecord, variation: number): string =>
    `${origin}/__mock/artwork/${id}/${variation}.svg`;

/** One request: which fault it meets, what the service says, what goes out, and the record of it. */
export const exchange = (
  world: World,
  config: MockServiceConfig,
  serviceNow: number,
  request: Exchange,
): MockReply => {
  world.requests += 1;
  const { method, url, authorization } = request;
  const key = keyOf(authorization);
  const tenant = key === undefined ? undefined : world.tenants.get(key);
  const now = tenant === undefined ? serviceNow : timeOf(tenant, serviceNow);
  const matched = match(request, config.baseUrl);
  const { fault, delayMs } = meetFaults(world.faults, world.seed, matched?.name, key);
  const accepted = isAccepted(fault);

  const answered = accepted
    ? answer(tenant?.state, matched, request, {
        rules: config.rules,
        now,
        outcomes: world.outcomes,
        pictureUrl: config.artwork === "served" ? pictureUrl(url.origin) : undefined,
      })
    : undefined;

  const requestId = makeId("req", world.seed, world.requests);
  const composed = composeReply(method, answered, fault, requestId);
  const { status, body, delivery } = composed;
  const answers = isAnswered(delivery);
  world.journal.add({
    number: world.requests,
    at: now,
    operation: matched?.name,
    method,
    path: url.pathname + url.search,
    requestId,
    accepted,
    fault,
    key,
    request: request.body,
    status: answers ? status : undefined,
    response: answers ? body : "",
  });
  return {
    ...composed,
    delayMs,
    operation: matched?.name,
    account: tenant?.masked ?? (key === undefined ? undefined : maskKey(key)),
    fault,
  };
};
