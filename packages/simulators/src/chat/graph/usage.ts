import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { World } from "../World.ts"
import type { Call, Response } from "./Call.ts"

const callsPerHour = 5_000

/** Adds the usage headers to the answers of management calls. */
export const withUsage = (world: World, { id }: Call, answer: Effect.Effect<Response>): Effect.Effect<Response> => {
  const account = world.accounts.get(world.numbers.get(id)?.businessId ?? id)
  if (account === undefined) return answer
  return Effect.map(answer, (response) => {
    const percent = Math.floor((account.managementCalls.length / callsPerHour) * 100)
    const usage = { call_count: percent, total_cputime: 0, total_time: 0 }
    return HttpServerResponse.setHeaders(response, {
      "x-app-usage": JSON.stringify(usage),
      "x-business-use-case-usage": JSON.stringify({
        [account.id]: [{ type: "whatsapp", ...usage, estimated_time_to_regain_access: percent >= 100 ? 60 : 0 }]
      })
    })
  })
}
