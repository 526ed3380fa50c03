import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { refusePlainly } from "../checks.ts"
import type { World } from "../World.ts"
import type { AccountState } from "../world/AccountState.ts"
import type { Call, Response } from "./Call.ts"

const hour = 3_600_000
const minute = 60_000

/** Calls of an hour for an account without and with a registered number. */
const idleCallsPerHour = 200
const activeCallsPerHour = 5_000

const callsPerHour = (world: World, { id }: AccountState): number => {
  const isActive = [...world.numbers.values()].some(
    (number) => number.businessId === id && world.stateOf(number).platformType === "CLOUD_API"
  )
  return isActive ? activeCallsPerHour : idleCallsPerHour
}

const recentCalls = ({ managementCalls }: AccountState, now: number): ReadonlyArray<number> => {
  while ((managementCalls[0] ?? now) <= now - hour) managementCalls.shift()
  return managementCalls
}

/** Counts a management call, or refuses it at the limit of the last hour. */
export const countCall = (world: World, account: AccountState, now: number): void => {
  if (recentCalls(account, now).length >= callsPerHour(world, account)) {
    refusePlainly(80_007, "(#80007) Rate limit issues")
  }
  account.managementCalls.push(now)
}

/** Edges of management calls. The empty edge is an account, a number or a template. */
const managementEdges: ReadonlySet<string> = new Set(["", "phone_numbers", "message_templates", "subscribed_apps"])

const accountOf = (world: World, { edge, id }: Call): AccountState | undefined => {
  if (!managementEdges.has(edge)) return undefined
  const template = [...world.templates.values()].find((each) => each.id === id)
  return world.accounts.get(world.numbers.get(id)?.businessId ?? template?.businessId ?? id)
}

/** Adds the usage headers to the answers of management calls, also to refusals. */
export const withUsage = (
  world: World,
  now: () => number,
  call: Call,
  answer: Effect.Effect<Response>
): Effect.Effect<Response> =>
  Effect.map(answer, (response) => {
    const account = accountOf(world, call)
    if (account === undefined) return response
    const calls = recentCalls(account, now())
    const percent = Math.floor((calls.length / callsPerHour(world, account)) * 100)
    const usage = { call_count: percent, total_cputime: 0, total_time: 0 }
    const regained = percent < 100 ? 0 : Math.ceil(((calls[0] ?? now()) + hour - now()) / minute)
    return HttpServerResponse.setHeaders(response, {
      "x-app-usage": JSON.stringify(usage),
      "x-business-use-case-usage": JSON.stringify({
        [account.id]: [{ type: "whatsapp", ...usage, estimated_time_to_regain_access: regained }]
      })
    })
  })
