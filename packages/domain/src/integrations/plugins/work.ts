import { DateTime, Duration, Effect } from "effect"
import { sweepTenants } from "../../platform/background/index.ts"
import { callLanes } from "./calls/callLanes.ts"
import { PluginCalls } from "./calls/PluginCalls.ts"
import { pluginLanes } from "./lifecycle/pluginLanes.ts"
import { Plugins } from "./Plugins.ts"
import { tokenLife } from "./tokens.ts"

/** For how long it is kept what plugins were asked to do. */
const callsKept = Duration.days(30)

const sweepAtOnce = 1_000

const sweepCalls = Effect.gen(function* () {
  const calls = yield* PluginCalls
  const before = DateTime.subtractDuration(yield* DateTime.now, callsKept)
  while ((yield* calls.sweep(before, sweepAtOnce)) === sweepAtOnce) yield* Effect.yieldNow
})

/** A token that was ended is refused for what it is until it would have ended by itself. */
const sweepTokens = Effect.gen(function* () {
  const plugins = yield* Plugins
  const before = DateTime.subtractDuration(yield* DateTime.now, tokenLife)
  while ((yield* plugins.sweepTokens(before, sweepAtOnce)) === sweepAtOnce) yield* Effect.yieldNow
})

/** Plugins are told of their lives and asked to act, and what they were asked is forgotten after thirty days, as are their tokens once they have ended. */
export const pluginsWorks = [
  pluginLanes,
  callLanes,
  sweepTenants("plugin calls", sweepCalls),
  sweepTenants("plugin tokens", sweepTokens)
] as const
