-- Sends random ones of some requests. ARGV: the file of requests, the seed.
-- A line of that file: organization id, token, path.
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("place", threads)
end

function init(args)
  math.randomseed(tonumber(args[2]) + place * 7919)
  targets = {}
  local rests = {}
  for line in io.lines(args[1]) do
    local organization, token, path = line:match("^(%S+) (%S+) (%S+)$")
    rests[token] = rests[token] or " HTTP/1.1\r\nHost: " .. wrk.host .. ":" .. wrk.port .. "\r\nAuthorization: Bearer " ..
      token .. "\r\nX-Organization-Id: " .. organization .. "\r\nAccept: application/json\r\n\r\n"
    targets[#targets + 1] = { path = path, rest = rests[token] }
  end
end

function request()
  local target = targets[math.random(#targets)]
  return "GET " .. target.path .. target.rest
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"micros":%d,"refused":%d,"broken":%d,"p50":%d,"p99":%d,"p999":%d}\n',
    summary.requests, summary.duration, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)
  ))
end
