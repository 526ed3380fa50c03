import { DateTime, Duration, Effect } from "effect"
import { asSystem, PluginId } from "../../../kernel/index.ts"
import { type LaneLease, laneWork } from "../../../platform/background/index.ts"
import { isRunning } from "../lifecycle/isRunning.ts"
import { pluginCallsWork } from "./callLane.ts"
import { PluginCalls } from "./PluginCalls.ts"
import { workCalls } from "./workCalls.ts"

/** Plugins mostly are waited for, so there is room for many: a slow one keeps no other waiting. */
const pluginsAtOnce = 128

/** When to look again whether a suspended organization is active, or its plan has plugins. */
const whileStopped = Duration.minutes(10)

const inName = asSystem("plugins")

const nextDue = Effect.fnUntraced(function* ({ key }: LaneLease) {
  const due = yield* (yield* PluginCalls).nextDue(PluginId.make(key))
  if (due === null || (yield* isRunning)) return due
  return DateTime.addDuration(yield* DateTime.now, whileStopped)
})

/** Each plugin is asked to act by one process at a time. */
export const callLanes = laneWork({
  name: pluginCallsWork,
  concurrency: pluginsAtOnce,
  run: (lease) => inName(lease.organizationId)(workCalls(lease)),
  nextDue: (lease) => inName(lease.organizationId)(nextDue(lease))
})
