import { type StoreConnectionId, syncStore } from "@parley/domain"
import type { RunningStoreSimulator } from "@parley/simulators/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { within } from "../../campaigns/given.ts"
import type { Drawing } from "../drawing.ts"

/** A store, and whose it is. */
export interface Store {
  readonly id: StoreConnectionId
  readonly organizationId: string
  readonly shop: string
}

/** Moves the last poll back in time, so the next one is due. Sometimes also the last full sync. */
const age = Effect.fnUntraced(function* (isFullDue: boolean) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE store_connections SET as_of = as_of - interval '11 minutes' WHERE as_of IS NOT NULL`
  if (isFullDue) {
    yield* sql`UPDATE store_connections SET full_as_of = full_as_of - interval '8 days' WHERE full_as_of IS NOT NULL`
  }
})

/** Longer than access is good for. */
const hourAndMore = 3_700_000

/** Advances the time of stores at random moments: background reads become due, members request reads, and access expires. */
export const passTime = Effect.fnUntraced(function* (
  simulator: RunningStoreSimulator,
  stores: ReadonlyArray<Store>,
  draws: Drawing
) {
  for (let turn = 1; ; turn += 1) {
    yield* Effect.sleep(draws.between(1_500, 4_000))
    yield* Effect.ignoreCause(age(draws.chance(0.2)))
    const { id, organizationId } = draws.pick(stores)
    const [isAsked, isFull] = [draws.chance(0.3), draws.chance(0.5)]
    if (isAsked) yield* Effect.ignoreCause(within(organizationId)(syncStore({ id, full: isFull })))
    if (turn % 8 === 0) simulator.advance(hourAndMore)
  }
})
