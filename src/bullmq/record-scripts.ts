/**
 * The changes of a submission's record, each in one step for the whole fleet. Redis runs a script
 * whole or not at all. A client sends it again after a broken connection, so each may run twice.
 *
 * States: `added`, `intent` (a POST may be under way), `known` (it has a job id), `held`,
 * `dropped`, `refused`.
 */
interface Script {
  readonly numberOfKeys: number;
  readonly lua: string;
}

/** Keys: record. Arguments: digest, action, time. */
const add = `
local digest = redis.call('HGET', KEYS[1], 'digest')
if digest then return digest == ARGV[1] and 0 or -1 end
redis.call('HSET', KEYS[1],
  'digest', ARGV[1], 'action', ARGV[2], 'state', 'added', 'addedAt', ARGV[3])
return 1`;

/** Keys: record, open, last job. Arguments: id, token, time, digest, action. */
const claim = `
local function get(field) return redis.call('HGET', KEYS[1], field) end
if get('jobId') then return 'known' end
local state = get('state')
if state == 'held' or state == 'dropped' then return state end
if state == 'intent' and get('token') ~= ARGV[2] then return 'taken' end
local decided = get('decided')
redis.call('HSET', KEYS[1], 'digest', ARGV[4], 'action', ARGV[5],
  'state', 'intent', 'token', ARGV[2], 'intentAt', ARGV[3])
if decided then redis.call('HSET', KEYS[1], 'carriedOut', decided) end
redis.call('HDEL', KEYS[1], 'unknownAt', 'error', 'candidates', 'isComplete', 'decided')
local previous = redis.call('GET', KEYS[3])
if previous then redis.call('HSET', KEYS[1], 'previousJobId', previous) end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 'go'`;

/**
 * The answer of a POST is a fact: it is kept whoever has claimed the submission since.
 * Keys: record, open, held, jobs, last job, unknown outcomes, contradictions.
 * Arguments: id, job id, time, Retry-After.
 */
const settle = `
local owner = redis.call('HGET', KEYS[4], ARGV[2])
redis.call('HSET', KEYS[4], ARGV[2], ARGV[1])
redis.call('SET', KEYS[5], ARGV[2])
redis.call('DEL', KEYS[6])
local known = redis.call('HGET', KEYS[1], 'jobId')
if known and known ~= ARGV[2] then
  redis.call('HSET', KEYS[7], ARGV[2],
    cjson.encode({ id = ARGV[1], jobId = ARGV[2], otherJobId = known }))
  return 'second:' .. known
end
redis.call('HSET', KEYS[1], 'state', 'known', 'jobId', ARGV[2], 'submittedAt', ARGV[3],
  'retryAfterMs', ARGV[4])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
if owner and owner ~= ARGV[1] then
  redis.call('HSET', KEYS[7], ARGV[2],
    cjson.encode({ id = ARGV[1], jobId = ARGV[2], otherId = owner }))
  return 'taken-from:' .. owner
end
return 'known'`;

/** Keys: record, open. Arguments: id, token, error, next state. */
const release = `
if redis.call('HGET', KEYS[1], 'state') ~= 'intent' then return 0 end
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[4], 'error', ARGV[3])
redis.call('HDEL', KEYS[1], 'token', 'intentAt')
redis.call('ZREM', KEYS[2], ARGV[1])
return 1`;

/** Keys: record, unknown outcomes. Arguments: token, time, error. */
const doubt = `
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
local isNew = redis.call('HEXISTS', KEYS[1], 'unknownAt') == 0
redis.call('HSET', KEYS[1], 'unknownAt', ARGV[2], 'error', ARGV[3])
return isNew and redis.call('INCR', KEYS[2]) or tonumber(redis.call('GET', KEYS[2]) or 0)`;

/**
 * Keys: record, open, held.
 * Arguments: id, intent's token, time, candidates, open, complete or not.
 */
const hold = `
if redis.call('HGET', KEYS[1], 'state') ~= 'intent' then return 0 end
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'state', 'held', 'heldAt', ARGV[3], 'candidates', ARGV[4],
  'openElsewhere', ARGV[5], 'isComplete', ARGV[6])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[1])
return 1`;

/**
 * The same decision again is carried out: its process may have died before the next step. One that
 * comes when the submission runs again has nothing left to do.
 * Keys: record, held, jobs. Arguments: id, decision, job id.
 */
const decide = `
local made = ARGV[2] .. ' ' .. ARGV[3]
if redis.call('HGET', KEYS[1], 'state') ~= 'held' then
  if redis.call('HGET', KEYS[1], 'decided') == made then return 'decided' end
  return redis.call('HGET', KEYS[1], 'carriedOut') == made and 'carried-out' or 'not-held'
end
if ARGV[2] == 'job' then
  local owner = redis.call('HGET', KEYS[3], ARGV[3])
  if owner and owner ~= ARGV[1] then return 'owned:' .. owner end
  redis.call('HSET', KEYS[3], ARGV[3], ARGV[1])
  redis.call('HSET', KEYS[1], 'state', 'known', 'jobId', ARGV[3])
elseif ARGV[2] == 'resubmit' then
  redis.call('HSET', KEYS[1], 'state', 'added')
  redis.call('HDEL', KEYS[1], 'token', 'intentAt')
else
  redis.call('HSET', KEYS[1], 'state', 'dropped')
end
redis.call('HSET', KEYS[1], 'decided', made)
redis.call('ZREM', KEYS[2], ARGV[1])
return 'decided'`;

/** Keys: record, open, held, jobs, contradictions. Arguments: id. */
const forget = `
local job = redis.call('HGET', KEYS[1], 'jobId')
if job then redis.call('HDEL', KEYS[4], job) end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
for _, text in ipairs(redis.call('HVALS', KEYS[5])) do
  local found = cjson.decode(text)
  if found.id == ARGV[1] then
    redis.call('HDEL', KEYS[5], found.jobId)
    redis.call('HDEL', KEYS[4], found.jobId)
  end
end
return 1`;

/** One by one: `unpack` fails beyond 8,000 of them. Keys: jobs. Arguments: job ids. */
const ownersOf = `
local owners = {}
for index, job in ipairs(ARGV) do owners[index] = redis.call('HGET', KEYS[1], job) end
return owners`;

/** Keys: held or open. */
const members = "return redis.call('ZRANGE', KEYS[1], 0, -1)";

/** The scripts, by the names that the fleet registers them under. */
export const recordScripts = {
  adgenAdd: { numberOfKeys: 1, lua: add },
  adgenClaim: { numberOfKeys: 3, lua: claim },
  adgenSettle: { numberOfKeys: 7, lua: settle },
  adgenRelease: { numberOfKeys: 2, lua: release },
  adgenDoubt: { numberOfKeys: 2, lua: doubt },
  adgenHold: { numberOfKeys: 3, lua: hold },
  adgenDecide: { numberOfKeys: 3, lua: decide },
  adgenForget: { numberOfKeys: 5, lua: forget },
  adgenOwners: { numberOfKeys: 1, lua: ownersOf },
  adgenMembers: { numberOfKeys: 1, lua: members },
} satisfies Record<string, Script>;
