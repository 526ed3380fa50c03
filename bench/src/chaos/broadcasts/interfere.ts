import { type BroadcastId, cancelBroadcast, pauseBroadcast, resumeBroadcast } from "@parley/domain"
import { Effect } from "effect"
import { within } from "../../campaigns/given.ts"
import type { Drawing } from "../drawing.ts"
import { type Campaign, sendUnlisted } from "./campaign.ts"

/** A broadcast on its way. */
export interface Underway {
  readonly id: BroadcastId
  readonly organizationId: string
}

/** From the answer of a pause or a cancel until the resume, no call may start. Times are milliseconds since 1970. */
export interface Stop {
  readonly id: BroadcastId
  readonly from: number
  until: number
}

/** A request of a member is repeated after a lost connection. A broadcast that ended by then needs none. */
const asked = <A, E, R>(wish: Effect.Effect<A, E, R>) => Effect.exit(Effect.retry(Effect.sandbox(wish), { times: 3 }))

/** Pauses and resumes broadcasts at random moments until interrupted. Cancels the last one at the end of the time. */
export const interfere = Effect.fnUntraced(function* (
  draws: Drawing,
  underway: ReadonlyArray<Underway>,
  stops: Array<Stop>
) {
  while (true) {
    yield* Effect.sleep(draws.between(1_000, 4_000))
    const { id, organizationId } = draws.pick(underway)
    const paused = yield* asked(within(organizationId)(pauseBroadcast({ id })))
    if (paused._tag === "Failure") continue
    const stop: Stop = { id, from: Date.now(), until: Number.POSITIVE_INFINITY }
    stops.push(stop)
    yield* Effect.sleep(draws.between(500, 3_000))
    stop.until = Date.now()
    yield* asked(within(organizationId)(resumeBroadcast({ id })))
  }
})

/** Resumes all paused broadcasts. */
export const letGo = Effect.fnUntraced(function* (underway: ReadonlyArray<Underway>, stops: ReadonlyArray<Stop>) {
  for (const stop of stops) if (stop.until === Number.POSITIVE_INFINITY) stop.until = Date.now()
  for (const { id, organizationId } of underway) yield* asked(within(organizationId)(resumeBroadcast({ id })))
})

/** Cancels a broadcast. Returns the time after which no call of it is allowed. */
export const cancel = Effect.fnUntraced(function* ({ id, organizationId }: Underway, stops: Array<Stop>) {
  const cancelled = yield* asked(within(organizationId)(cancelBroadcast({ id })))
  if (cancelled._tag === "Failure") return false
  stops.push({ id, from: Date.now(), until: Number.POSITIVE_INFINITY })
  return true
})

/** Starts broadcasts whose lists are built in the background, and cancels each at a random moment of that. Returns them. */
export const cancelUnlisted = Effect.fnUntraced(function* (
  draws: Drawing,
  campaigns: ReadonlyArray<Campaign>,
  stops: Array<Stop>
) {
  const begun = yield* Effect.forEach(campaigns, (campaign) => {
    const { organizationId } = campaign
    const wait = draws.between(0, 2_000)
    return Effect.gen(function* () {
      const id = yield* sendUnlisted(campaign)
      yield* Effect.sleep(wait)
      return (yield* cancel({ id, organizationId }, stops)) ? [id] : []
    })
  })
  return begun.flat()
})
