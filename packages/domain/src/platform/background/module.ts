import { Effect } from "effect"
import { CurrentOrganization, defineArea, IdempotencyKeys, noOrganization, RateLimits } from "../../kernel/index.ts"
import { Lanes } from "./Lane.ts"
import { LaneQueue } from "./LaneQueue.ts"
import { Shards } from "./Shards.ts"
import { OrganizationIds, sweep, sweepOrganizations } from "./BackgroundTask.ts"

/** What the kernel has done in the background. The kernel is below this area and cannot declare it itself. */
export const kernelTasks = [
  sweepOrganizations(
    "idempotency keys",
    Effect.gen(function* () {
      return yield* (yield* IdempotencyKeys).sweep((yield* CurrentOrganization).id)
    })
  ),
  // Keys of sign-ins and sign-ups have no organization, so no organization sweep covers them.
  sweep(
    "idempotency keys of callers without an organization",
    Effect.flatMap(IdempotencyKeys, (keys) => keys.sweep(noOrganization))
  ),
  sweep(
    "rate limits",
    Effect.flatMap(RateLimits, (limits) => limits.sweep)
  )
] as const

/** The ports that a storage adapter provides of this area. */
const backgroundStorage = [LaneQueue, Lanes, OrganizationIds, Shards] as const

/** What this area says of itself. */
export const backgroundArea = defineArea({
  name: "platform/background",
  storage: backgroundStorage,
  works: kernelTasks
})
