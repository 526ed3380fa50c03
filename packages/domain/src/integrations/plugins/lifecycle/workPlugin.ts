import { DateTime, Duration, Effect } from "effect"
import { PluginId, transact } from "../../../kernel/index.ts"
import { type WebhookOutcome } from "../../webhooks/index.ts"
import { type LaneLease, LaneQueue } from "../../../platform/background/index.ts"
import { type LifecycleCall, LifecycleCalls } from "../LifecycleCalls.ts"
import { Plugins } from "../Plugins.ts"
import { addToken } from "../tokens.ts"
import { callPlugin } from "./callPlugin.ts"
import { isRunning } from "./isRunning.ts"
import { lockInstalled } from "./lockInstalled.ts"
import { fail, nextRotation, startDeliveries } from "./life.ts"
import { tell } from "./supply.ts"

/** How long to wait before the second and the third try. There is no fourth. */
const gaps = [Duration.seconds(5), Duration.seconds(30)] as const

const wordsOf = ({ error, status }: WebhookOutcome): string =>
  error === "status" || error === null ? `it answered ${status}` : error.replaceAll("_", " ")

/** Keeps what came of a try: an answer of success begins what it was about, the third failure ends everything. */
const keep = Effect.fnUntraced(function* (lease: LaneLease, call: LifecycleCall, outcome: WebhookOutcome | null) {
  const calls = yield* LifecycleCalls
  const plugins = yield* Plugins
  const now = yield* DateTime.now
  const plugin = yield* lockInstalled(call.pluginId)
  const gap = gaps[call.tries]
  if ((yield* calls.next(call.pluginId))?.id !== call.id) {
    // Somebody has disabled or uninstalled it meanwhile: what it says to what was before counts no more, even if it works again.
    yield* (yield* LaneQueue).hold(lease)
    return
  }
  if (outcome === null || outcome.error === null) {
    yield* calls.drop(call.id)
    const isStart = call.type === "plugin.installed" || call.type === "plugin.enabled"
    if (isStart && plugin?.status === "installing") {
      yield* plugins.keep({ ...plugin, status: "enabled", isGreeted: true, lastError: null })
      yield* startDeliveries(plugin)
    }
  } else if (gap !== undefined) {
    yield* calls.retry(call.id, call.tries + 1, DateTime.addDuration(now, gap))
  } else {
    yield* calls.drop(call.id)
    // One that is disabled gets nothing anyway, and one that is gone is not there to fail.
    if (plugin !== null && (plugin.status === "installing" || plugin.status === "enabled")) {
      const message = `It was told of ${call.type} three times in vain: ${wordsOf(outcome)}.`
      yield* fail(plugin, { code: "lifecycle_failed", message, at: now })
    }
  }
  yield* (yield* LaneQueue).hold(lease)
}, transact)

/** Gives a plugin the next token some time before the one it has ends. */
const rotate = Effect.fnUntraced(function* (lease: LaneLease, id: PluginId) {
  const plugins = yield* Plugins
  const plugin = yield* lockInstalled(id)
  if (plugin === null) return
  const { rotatesAt, status } = plugin
  if (status !== "enabled" || rotatesAt === null || DateTime.isGreaterThan(rotatesAt, yield* DateTime.now)) return
  yield* plugins.keep({ ...plugin, rotatesAt: yield* nextRotation(plugin) })
  yield* tell(plugin, "plugin.token_rotated", { token: yield* addToken(id) })
  yield* (yield* LaneQueue).hold(lease)
}, transact)

/** Tells a plugin what it is to be told, one after another, until nothing is due. */
export const workPlugin = Effect.fnUntraced(function* (lease: LaneLease) {
  const id = PluginId.make(lease.key)
  const calls = yield* LifecycleCalls
  if (!(yield* isRunning)) return
  yield* rotate(lease, id)
  while (true) {
    const call = yield* calls.next(id)
    if (call === null || DateTime.isGreaterThan(call.dueAt, yield* DateTime.now)) return
    const outcome = yield* callPlugin(yield* (yield* Plugins).find(id), call)
    yield* keep(lease, call, outcome)
  }
})
