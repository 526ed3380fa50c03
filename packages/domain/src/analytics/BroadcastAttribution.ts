import { type Context, Effect, Layer } from "effect"
import { BroadcastAttribution } from "../campaigns/index.ts"
import { type Tenancy, withContext } from "../kernel/index.ts"
import { readBroadcastCredits } from "./reading/credits.ts"

type Needs = Exclude<Effect.Services<ReturnType<typeof readBroadcastCredits>>, Tenancy>

/** Reads attribution from the ledger, so broadcast reports and analytics show the same figures. */
export const layerBroadcastAttribution = Layer.effect(
  BroadcastAttribution,
  Effect.contextWith((outside: Context.Context<Needs>) =>
    Effect.succeed(BroadcastAttribution.of({ read: (id) => withContext<Tenancy>(outside)(readBroadcastCredits(id)) }))
  )
)
