-- The requests of one run of wrk. Arguments: payments|accounts|paths, a name for this run, API key, accounts, first account, first external account, exponent of Zipf's law or 0, paths.
local kind, run, count, firstAccount, firstExternal
local counter = 0
local paths = {}
local sums, total

function init(args)
  kind, run = args[1], args[2]
  count, firstAccount, firstExternal = tonumber(args[4]), tonumber(args[5]), tonumber(args[6])
  for index = 8, #args do paths[#paths + 1] = args[index] end
  local exponent = tonumber(args[7])
  if exponent > 0 then
    sums, total = {}, 0
    for number = 1, count do
      total = total + number ^ -exponent
      sums[number] = total
    end
  end
  math.randomseed(os.time())
  wrk.headers['X-Service-API-Key'] = args[3]
  if kind == 'payments' then wrk.headers['Content-Type'] = 'application/json' end
end

-- As openPicker of zipf.ts.
local function pick()
  if not sums then return math.random(0, count - 1) end
  local wanted, low, high = math.random() * total, 1, count
  while low < high do
    local middle = math.floor((low + high) / 2)
    if sums[middle] < wanted then low = middle + 1 else high = middle end
  end
  return low - 1
end

function request()
  if kind == 'paths' then return wrk.format('GET', paths[math.random(#paths)]) end
  local number = pick()
  local path = string.format('/v0/banking/accounts/%d', firstAccount + number)
  if kind == 'accounts' then return wrk.format('GET', path) end
  counter = counter + 1
  wrk.headers['Idempotency-Key'] = run .. '-' .. counter
  local body = string.format(
    '{"amount":1000,"counterpartyAccountId":"%d","description":"Rent","originalType":"ACH"}', firstExternal + number)
  return wrk.format('POST', path .. '/payments', nil, body)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"bad":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
