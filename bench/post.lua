-- A form post with a fresh idempotency key each time; the path comes from wrk's command line.
local seed = 0
local count = 0
function setup(thread) seed = seed + 1; thread:set("mark", seed .. "-" .. os.time()) end
function request()
  count = count + 1
  local body = "envio=bench-" .. mark .. "-" .. count .. "&relato=" .. string.rep("A+van+passou+direto+no+ponto.+", 12)
  return wrk.format("POST", nil, { ["Content-Type"] = "application/x-www-form-urlencoded" }, body)
end
