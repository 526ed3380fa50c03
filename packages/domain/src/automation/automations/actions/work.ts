import { DateTime, Duration, Effect } from "effect"
import { sweepTenants } from "../../../platform/background/index.ts"
import { ActionEffects } from "./ActionEffects.ts"

/** An action is performed again right after a crash, or never. */
const effectsKept = Duration.days(31)

const sweepAtOnce = 1_000

const sweepEffects = Effect.gen(function* () {
  const effects = yield* ActionEffects
  const before = DateTime.subtractDuration(yield* DateTime.now, effectsKept)
  while ((yield* effects.sweep(before, sweepAtOnce)) === sweepAtOnce) yield* Effect.yieldNow
})

/** What actions have come to is forgotten after 31 days. */
export const actionWorks = [sweepTenants("action effects", sweepEffects)] as const
