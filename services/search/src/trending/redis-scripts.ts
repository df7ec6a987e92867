// Three tables under one tag, so that a cluster keeps them on one server: `window` has every count by its time, `terms`
// every term by its number of counts and, below the point of 2^32, the second of its newest; `spellings` the newest
// spelling with its time; `state` up to when the history was taken in, and whether it was from 24 hours back.
export const trendingKeys = ['window', 'terms', 'spellings', 'state', 'fresh'].map((name) => `{trending}:${name}`)

const names = 'local window, terms, spellings, state, fresh = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]'

// A server short of memory may throw away one table and keep the others.
const whole = `
local function is_whole()
  local count = redis.call('ZCARD', terms)
  return count == redis.call('HLEN', spellings) and (count == 0) == (redis.call('ZCARD', window) == 0)
end`

/** Answers `{is complete, is fresh, until}` and then the time, number and spelling of each term. */
export const readTop = `${names}${whole}
local known = redis.call('HMGET', state, 'until', 'complete')
if not known[1] or not is_whole() then return {0, 0, '0'} end
local answer = {known[2] and 1 or 0, redis.call('EXISTS', fresh), known[1]}
if not known[2] then return answer end
local top = redis.call('ZREVRANGE', terms, 0, ARGV[1] - 1, 'WITHSCORES')
for at = 1, #top, 2 do
  answer[#answer + 1] = string.format('%.0f', math.floor(top[at + 1] / 4294967296))
  answer[#answer + 1] = redis.call('HGET', spellings, top[at])
end
return answer`

/**
 * Takes in a stretch of the history from ARGV[1], which must follow what is there; 0 begins anew. Taking it in twice changes nothing.
 * ARGV: from, until, is last, then id, time, key, spelling of each. Answers 1, or 0 when there is a gap.
 */
export const takeIn = `${names}${whole}
local from, upto = tonumber(ARGV[1]), tonumber(ARGV[2])
if from == 0 then redis.call('DEL', window, terms, spellings, state, fresh) end
local known = tonumber(redis.call('HGET', state, 'until') or 0)
if from > known or not is_whole() then return 0 end
for at = 4, #ARGV, 4 do
  local id, time, key, spelling = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  if redis.call('ZADD', window, 'NX', time, id .. ' ' .. time .. ' ' .. key) == 1 then
    local score = tonumber(redis.call('ZSCORE', terms, key) or 0)
    local second = math.max(score % 4294967296, math.floor(time / 1000000))
    local count = math.floor(score / 4294967296) + 1
    redis.call('ZADD', terms, string.format('%.0f', count * 4294967296 + second), key)
    local spelt = redis.call('HGET', spellings, key)
    if not spelt or tonumber(string.match(spelt, '^%d+')) <= tonumber(time) then
      redis.call('HSET', spellings, key, time .. ' ' .. spelling)
    end
  end
end
upto = math.max(known, upto)
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
