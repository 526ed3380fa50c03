import { DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { sweepTenants } from "../../platform/background/index.ts"
import { DailyReach } from "./DailyReach.ts"
import { templateFetches } from "./refreshTemplates.ts"

const sweepReach = Effect.gen(function* () {
  yield* transact((yield* DailyReach).forget(yield* DateTime.now))
})

/** Templates that have changed at the provider are fetched, and whom a business wrote to more than a day ago is forgotten. */
export const chatWorks = [templateFetches, sweepTenants("daily reach", sweepReach)] as const
