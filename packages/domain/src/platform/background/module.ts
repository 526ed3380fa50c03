import { Effect } from "effect"
import { CurrentOrganization, defineArea, IdempotencyKeys, noOrganization, RateLimits } from "../../kernel/index.ts"
import { Lanes } from "./Lane.ts"
import { LaneQueue } from "./LaneQueue.ts"
import { Shards } from "./Shards.ts"
import { OrganizationIds, sweep, sweepOrganizations } from "./BackgroundTask.ts"

/** Background tasks of the kernel. The kernel is below this area and cannot declare them. */
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

const backgroundStorage = [LaneQueue, Lanes, OrganizationIds, Shards] as const

export const backgroundArea = defineArea({
  name: "platform/background",
  storage: backgroundStorage,
  backgroundTasks: kernelTasks
})
