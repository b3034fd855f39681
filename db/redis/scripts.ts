import type { Result } from 'ioredis'

/** A stored value is its expiry in epoch milliseconds, a colon, and the value itself. */
const read = `
local function read(key, now)
  local stored = redis.call('GET', key)
  local expiry, value = string.match(stored or '', '^(%d+):(.*)$')
  if expiry and tonumber(expiry) > tonumber(now) then return value, tonumber(expiry) end
end
local function write(key, value, expiry, now, slack)
  local text = string.format('%.0f', expiry)
  redis.call('SET', key, text .. ':' .. value, 'PX', string.format('%.0f', expiry - now + slack))
  return text
end
`

/** Scripts, which the server runs as a whole. Numbers are texts on their way: Lua would shorten large ones. */
export const scripts = {
  // Arguments: by, ttl, now, slack. Returns the count and the expiry.
  rollcallIncrement: {
    numberOfKeys: 1,
    lua: `${read}
local by, ttl, now, slack = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local value, expiry = read(KEYS[1], now)
local count = value and (tonumber(value) + by) or math.max(by, 0)
local text = string.format('%.0f', count)
return {text, write(KEYS[1], text, expiry or (now + ttl), now, slack)}`,
  },
  // Arguments: by, max, now, slack. Returns the expiry.
  rollcallProlong: {
    numberOfKeys: 1,
    lua: `${read}
local by, max, now, slack = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local value, expiry = read(KEYS[1], now)
return write(KEYS[1], value or '', math.min((expiry or now) + by, now + max), now, slack)`,
  },
  // Arguments: value, milliseconds until Redis deletes it. The keys are set at one moment.
  rollcallSet: {
    lua: `for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', ARGV[2]) end`,
  },
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    rollcallIncrement: (
      key: string,
      by: number,
      ttl: number,
      now: number,
      slack: number,
    ) => Result<[string, string], Context>
    rollcallProlong: (key: string, by: number, max: number, now: number, slack: number) => Result<string, Context>
    rollcallSet: (count: number, ...keysAndArguments: (string | number)[]) => Result<null, Context>
  }
}
