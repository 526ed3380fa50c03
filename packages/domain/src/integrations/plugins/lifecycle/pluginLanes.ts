import { DateTime, Duration, Effect } from "effect"
import { asSystem, PluginId } from "../../../kernel/index.ts"
import { type LaneLease, laneWork } from "../../../platform/background/index.ts"
import { LifecycleCalls } from "../LifecycleCalls.ts"
import { Plugins } from "../Plugins.ts"
import { isRunning } from "./isRunning.ts"
import { pluginsWork } from "./pluginLane.ts"
import { workPlugin } from "./workPlugin.ts"

/** Plugins mostly are waited for, so there is room for many. */
const pluginsAtOnce = 32

/** When to look again whether a suspended organization is active, or its plan has plugins. */
const whileStopped = Duration.minutes(10)

const inName = asSystem("plugins")

const nextDue = Effect.fnUntraced(function* ({ key }: LaneLease) {
  const id = PluginId.make(key)
  const call = yield* (yield* LifecycleCalls).next(id)
  const plugin = yield* (yield* Plugins).find(id)
  const rotatesAt = plugin?.status === "enabled" ? plugin.rotatesAt : null
  const due = call?.dueAt ?? rotatesAt
  if (due === null) return null
  if (!(yield* isRunning)) return DateTime.addDuration(yield* DateTime.now, whileStopped)
  return rotatesAt === null ? due : DateTime.min(due, rotatesAt)
})

/** Each plugin is told of its life by one process at a time. */
export const pluginLanes = laneWork({
  name: pluginsWork,
  concurrency: pluginsAtOnce,
  run: (lease) => inName(lease.organizationId)(workPlugin(lease)),
  nextDue: (lease) => inName(lease.organizationId)(nextDue(lease))
})
