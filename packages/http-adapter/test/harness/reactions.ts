import { consumeLog, type Organization, EventConsumers } from "@parley/domain/platform"
import { layerEventConsumers } from "@parley/domain/composition"
import { Effect } from "effect"
import { inside } from "./tenants.ts"

/** Runs all event consumers on the organization's log until it is processed. */
export const settleReactions = (organization: Organization) =>
  Effect.gen(function* () {
    for (const consumer of (yield* EventConsumers).values()) {
      yield* Effect.repeat(consumeLog(consumer), { while: (again) => again !== null })
    }
  }).pipe(inside(organization), Effect.provide(layerEventConsumers))
