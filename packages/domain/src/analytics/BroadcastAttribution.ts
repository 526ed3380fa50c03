import { type Context, Effect, Layer } from "effect"
import { BroadcastAttribution } from "../campaigns/index.ts"
import { type Tenancy, withContext } from "../kernel/index.ts"
import { readBroadcastCredits } from "./reading/credits.ts"

type Needs = Exclude<Effect.Services<ReturnType<typeof readBroadcastCredits>>, Tenancy>

/** Attribution as the books have it: reports of broadcasts show the same figures as analytics. */
export const layerBroadcastAttribution = Layer.effect(
  BroadcastAttribution,
  Effect.contextWith((outside: Context.Context<Needs>) =>
    Effect.succeed(BroadcastAttribution.of({ read: (id) => withContext<Tenancy>(outside)(readBroadcastCredits(id)) }))
  )
)
