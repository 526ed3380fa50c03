import { followLog, layerSubscribers, type Organization, Subscribers } from "@parley/domain"
import { Effect } from "effect"
import { inside } from "./tenants.ts"

/** Has everybody who follows the organization's log handle what it has. */
export const settleReactions = (organization: Organization) =>
  Effect.gen(function* () {
    for (const subscriber of (yield* Subscribers).values()) {
      yield* Effect.repeat(followLog(subscriber), { while: (again) => again !== null })
    }
  }).pipe(inside(organization), Effect.provide(layerSubscribers))
