// The hash tag `{trending}` keeps all keys on one server of a Redis cluster.
// - `window`: sorted set of all counts, scored by their time in microseconds.
// - `terms`: sorted set of terms, scored by count * 2^32 + the Unix time in seconds of the newest count.
// - `spellings`: hash from term to `<time> <text>`, the time of the term's latest search and the text as typed.
// - `state`: hash; `until` is the time up to which counts were copied, `complete` is set once they cover 24 hours.
// - `fresh`: exists for one second after a sync.
export const trendingKeys = ['window', 'terms', 'spellings', 'state', 'fresh'].map((name) => `{trending}:${name}`)

const names = 'local window, terms, spellings, state, fresh = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]'

// Checks that Redis still has all trending keys. Redis can evict keys when its memory is full.
const consistencyCheck = `
local function is_consistent()
  local count = redis.call('ZCARD', terms)
  return count == redis.call('HLEN', spellings) and (count == 0) == (redis.call('ZCARD', window) == 0)
end`

/**
 * Script that reads the top terms. Returns `[complete, fresh, until, count1, spelling1, count2, spelling2, …]`, with 1
 * or 0 for `complete` and `fresh` (see `trendingKeys`).
 */
export const readTop = `${names}${consistencyCheck}
local synced = redis.call('HMGET', state, 'until', 'complete')
if not synced[1] or not is_consistent() then return {0, 0, '0'} end
local result = {synced[2] and 1 or 0, redis.call('EXISTS', fresh), synced[1]}
if not synced[2] then return result end
local top = redis.call('ZREVRANGE', terms, 0, ARGV[1] - 1, 'WITHSCORES')
for at = 1, #top, 2 do
  result[#result + 1] = string.format('%.0f', math.floor(top[at + 1] / 4294967296))
  result[#result + 1] = redis.call('HGET', spellings, top[at])
end
return result`

/**
 * Appends a batch of counted searches. The batch must start at or before the stored `until`; a start of 0 clears all
 * keys first. Appending a batch twice has no further effect. ARGV: start, `until` of the batch, whether it is the last
 * batch, then id, time, key and spelling of each count. Returns 1, or 0 if counts between the stored `until` and the
 * batch are missing.
 */
export const appendCounts = `${names}${consistencyCheck}
local from, upto = tonumber(ARGV[1]), tonumber(ARGV[2])
if from == 0 then redis.call('DEL', window, terms, spellings, state, fresh) end
local synced = tonumber(redis.call('HGET', state, 'until') or 0)
if from > synced or not is_consistent() then return 0 end
for at = 4, #ARGV, 4 do
  local id, time, key, spelling = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  if redis.call('ZADD', window, 'NX', time, id .. ' ' .. time .. ' ' .. key) == 1 then
    local score = tonumber(redis.call('ZSCORE', terms, key) or 0)
    local second = math.max(score % 4294967296, math.floor(time / 1000000))
    local count = math.floor(score / 4294967296) + 1
    redis.call('ZADD', terms, string.format('%.0f', count * 4294967296 + second), key)
    local stored = redis.call('HGET', spellings, key)
    if not stored or tonumber(string.match(stored, '^%d+')) <= tonumber(time) then
      redis.call('HSET', spellings, key, time .. ' ' .. spelling)
    end
  end
end
upto = math.max(synced, upto)
local old = string.format('(%.0f', upto - 86400000000)
for _, member in ipairs(redis.call('ZRANGEBYSCORE', window, '-inf', old)) do
  local key = string.match(member, '^%S+ %S+ (.*)$')
  local score = tonumber(redis.call('ZSCORE', terms, key)) - 4294967296
  if score < 4294967296 then
    redis.call('ZREM', terms, key)
    redis.call('HDEL', spellings, key)
  else
    redis.call('ZADD', terms, string.format('%.0f', score), key)
  end
end
redis.call('ZREMRANGEBYSCORE', window, '-inf', old)
redis.call('HSET', state, 'until', string.format('%.0f', upto))
if ARGV[3] == '1' then
  redis.call('HSET', state, 'complete', 1)
  redis.call('SET', fresh, 1, 'PX', 1000)
end
for at = 1, 4 do redis.call('PEXPIRE', KEYS[at], 60000) end
return 1`
