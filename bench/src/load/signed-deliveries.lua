-- Sends deliveries that were signed before, each once. ARGV: the file of templates, the file of signatures, the number of
-- the first delivery, how many there are, how many threads. A line of the first file has three parts with tabs between:
-- the path, and the body before and after the id. The delivery with the number n is made of template n % count.
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("place", threads)
end

function init(args)
  templates = {}
  for line in io.lines(args[1]) do
    local path, before, after = line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)$")
    templates[#templates + 1] = {
      before = before,
      after = after,
      head = "POST " .. path .. " HTTP/1.1\r\nHost: " .. wrk.host .. ":" .. wrk.port ..
        "\r\nContent-Type: application/json\r\nContent-Length: " .. (#before + 24 + #after) ..
        "\r\nX-Hub-Signature-256: sha256="
    }
  end
  local share = math.floor(tonumber(args[4]) / tonumber(args[5]))
  local skipped = (place - 1) * share
  signatures = io.open(args[2], "rb")
  signatures:seek("set", skipped * 64)
  number = tonumber(args[3]) + skipped
  last = number + share - 1
end

function request()
  if number > last then
    io.stderr:write("There are not enough signed deliveries.\n")
    os.exit(1)
  end
  local template = templates[number % #templates + 1]
  local signature = signatures:read(64)
  local id = string.format("%024d", number)
  number = number + 1
  return template.head .. signature .. "\r\n\r\n" .. template.before .. id .. template.after
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"micros":%d,"refused":%d,"broken":%d,"p50":%d,"p99":%d,"p999":%d}\n',
    summary.requests, summary.duration, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)
  ))
end
