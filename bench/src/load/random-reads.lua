-- Reads random automations as random callers. ARGV: the file of callers, the seed.
-- A line of that file: organization id, token, number of the first automation, how many.
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("place", threads)
end

function init(args)
  math.randomseed(tonumber(args[2]) + place * 7919)
  callers = {}
  for line in io.lines(args[1]) do
    local organization, token, first, count = line:match("^(%S+) (%S+) (%d+) (%d+)$")
    callers[#callers + 1] = {
      first = tonumber(first),
      count = tonumber(count),
      rest = " HTTP/1.1\r\nHost: " .. wrk.host .. ":" .. wrk.port .. "\r\nAuthorization: Bearer " .. token ..
        "\r\nX-Organization-Id: " .. organization .. "\r\nAccept: application/json\r\n\r\n"
    }
  end
end

function request()
  local caller = callers[math.random(#callers)]
  local number = caller.first + math.random(caller.count) - 1
  return "GET /api/v1/automations/00000000-0000-7000-8000-000000" .. string.format("%d", number) .. caller.rest
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"micros":%d,"refused":%d,"broken":%d,"p50":%d,"p99":%d,"p999":%d}\n',
    summary.requests, summary.duration, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)
  ))
end
