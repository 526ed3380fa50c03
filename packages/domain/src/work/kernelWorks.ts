import { Effect } from "effect"
import { IdempotencyKeys, RateLimits } from "../kernel/index.ts"
import { sweep } from "./Work.ts"

/** What the kernel has done in the background. It stands below this area and cannot declare it itself. */
export const kernelWorks = [
  sweep(
    "idempotency keys",
    Effect.flatMap(IdempotencyKeys, (keys) => keys.sweep)
  ),
  sweep(
    "rate limits",
    Effect.flatMap(RateLimits, (limits) => limits.sweep)
  )
] as const
