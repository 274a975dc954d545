-- Prints the result of wrk as one line of JSON. With `contact` as argument it posts contact messages.

local counter = 0
local thread_count = 0

function setup(thread)
  thread:set("thread_id", thread_count)
  thread_count = thread_count + 1
end

function init(args)
  if args[1] ~= "contact" then return end
  local seed = args[2]
  wrk.method = "POST"
  -- Every message is different, because an identical one counts once.
  request = function()
    counter = counter + 1
    return wrk.format(nil, nil, nil, string.format(
      '{"naam":"Roya Moradi","email":"roya@example.nl","tel":"043 123 45 67",' ..
      '"bericht":"Goedendag, ik zoek een website voor mijn praktijk. Bericht %s-%d-%d."}',
      seed, thread_id, counter))
  end
end

function done(summary, latency, requests)
  local errors = summary.errors
  print(string.format(
    '{"seconds":%f,"responses":%d,"p99Ms":%f,"wrongStatus":%d,"failed":%d}',
    summary.duration / 1e6, summary.requests, latency:percentile(99) / 1e3, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
