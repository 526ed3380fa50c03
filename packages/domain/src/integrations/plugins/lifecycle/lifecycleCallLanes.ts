import { DateTime, Duration, Effect, Redacted, Schema } from "effect"
import { asSystem, CurrentOrganization, PluginId, transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue, defineLaneWorker } from "../../../platform/background/index.ts"
import { managedSecrets, type WebhookOutcome, WebhookSender } from "../../webhooks/index.ts"
import { toPluginUrl } from "../PluginManifest.ts"
import { type StoredPlugin, Plugins } from "../Plugins.ts"
import { openSettings } from "../pluginSettings.ts"
import {
  uninstallNotices,
  type LifecycleCall,
  LifecycleCalls,
  pluginLifecycleTaskName,
  subscriptionOf
} from "./LifecycleCalls.ts"
import {
  addToken,
  failPlugin,
  canRunPlugins,
  lockInstalled,
  nextRotation,
  signToken,
  startDeliveries
} from "./pluginLifecycle.ts"
import { UninstallNotice, queueLifecycleCall } from "./pluginCredentials.ts"

/** Content and target of a call. */
interface ComposedCall {
  readonly url: string
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  readonly body: Readonly<Record<string, unknown>>
}

const composePluginCall = Effect.fnUntraced(function* (
  plugin: StoredPlugin,
  path: string,
  { hasSecret, tokenId }: LifecycleCall
) {
  const secrets = yield* managedSecrets(subscriptionOf(plugin.id))
  const token = tokenId === null ? null : yield* (yield* Plugins).token(tokenId)
  const [secret] = secrets
  return {
    url: toPluginUrl(plugin.manifest, path),
    secrets,
    body: {
      version: plugin.manifest.version,
      ...(token !== null && { token: Redacted.value(yield* signToken(token)), tokenExpiresAt: token.expiresAt }),
      ...(hasSecret && secret !== undefined && { secret: Redacted.value(secret) }),
      settings: yield* openSettings(plugin)
    }
  } satisfies ComposedCall
})

const composeUninstallNotice = Effect.fnUntraced(function* (id: PluginId, sealed: string) {
  const opened = yield* uninstallNotices.open(id, sealed)
  const { secrets, url, version } = yield* Effect.orDie(Schema.decodeEffect(UninstallNotice)(Redacted.value(opened)))
  return { url, secrets: secrets.map((secret) => Redacted.make(secret)), body: { version, settings: {} } }
})

/** Makes one attempt of a call; returns `null` without a recipient. */
const callPlugin = Effect.fnUntraced(function* (plugin: StoredPlugin | null, call: LifecycleCall) {
  const path = plugin?.manifest.lifecycle
  const composed: ComposedCall | null =
    call.farewell !== null
      ? yield* composeUninstallNotice(call.pluginId, call.farewell)
      : plugin !== null && path !== undefined
        ? yield* composePluginCall(plugin, path, call)
        : null
  if (composed === null) return null
  const at = yield* DateTime.now
  const { id: organizationId } = yield* CurrentOrganization
  const { body: input, secrets, url } = composed
  const body = JSON.stringify({ type: call.type, timestamp: at, organizationId, pluginId: call.pluginId, ...input })
  return yield* (yield* WebhookSender).post({
    url,
    secrets,
    id: call.id,
    at,
    attempt: call.tries + 1,
    headers: {},
    body
  })
})

/** Delays before the second and the third attempt. No fourth attempt follows. */
const retryDelays = [Duration.seconds(5), Duration.seconds(30)] as const

const describeFailure = ({ error, status }: WebhookOutcome): string =>
  error === "status" || error === null ? `it answered ${status}` : error.replaceAll("_", " ")

/** Stores the result of an attempt. A success completes the lifecycle change; the third failure fails the plugin. */
const saveOutcome = Effect.fnUntraced(function* (
  lease: LaneLease,
  call: LifecycleCall,
  outcome: WebhookOutcome | null
) {
  const calls = yield* LifecycleCalls
  const plugins = yield* Plugins
  const now = yield* DateTime.now
  const plugin = yield* lockInstalled(call.pluginId)
  const gap = retryDelays[call.tries]
  if ((yield* calls.next(call.pluginId))?.id !== call.id) {
    // The plugin was disabled or uninstalled concurrently. Its answer to the earlier state does not count, even if it is active again.
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
    // A disabled plugin receives nothing anyway, and a deleted plugin cannot fail.
    if (plugin !== null && (plugin.status === "installing" || plugin.status === "enabled")) {
      const message = `Three calls for ${call.type} failed: ${describeFailure(outcome)}.`
      yield* failPlugin(plugin, { code: "lifecycle_failed", message, at: now })
    }
  }
  yield* (yield* LaneQueue).hold(lease)
}, transact)

/** Issues the next token of a plugin some time before the current one ends. */
const rotate = Effect.fnUntraced(function* (lease: LaneLease, id: PluginId) {
  const plugins = yield* Plugins
  const plugin = yield* lockInstalled(id)
  if (plugin === null) return
  const { rotatesAt, status } = plugin
  if (status !== "enabled" || rotatesAt === null || DateTime.isGreaterThan(rotatesAt, yield* DateTime.now)) return
  yield* plugins.keep({ ...plugin, rotatesAt: yield* nextRotation(plugin) })
  yield* queueLifecycleCall(plugin, "plugin.token_rotated", { token: yield* addToken(id) })
  yield* (yield* LaneQueue).hold(lease)
}, transact)

/** Sends the due lifecycle calls of a plugin in order, until none is due. */
const processPlugin = Effect.fnUntraced(function* (lease: LaneLease) {
  const id = PluginId.make(lease.key)
  const calls = yield* LifecycleCalls
  if (!(yield* canRunPlugins)) return
  yield* rotate(lease, id)
  while (true) {
    const call = yield* calls.next(id)
    if (call === null || DateTime.isGreaterThan(call.dueAt, yield* DateTime.now)) return
    const outcome = yield* callPlugin(yield* (yield* Plugins).find(id), call)
    yield* saveOutcome(lease, call, outcome)
  }
})

/** Most time is spent waiting for plugins, so the limit is high. */
const maxConcurrentPlugins = 32

/** Interval between checks whether a suspended organization is active, or its plan includes plugins. */
const stoppedRecheckInterval = Duration.minutes(10)

const asPluginSystem = asSystem("plugins")

const nextDue = Effect.fnUntraced(function* ({ key }: LaneLease) {
  const id = PluginId.make(key)
  const call = yield* (yield* LifecycleCalls).next(id)
  const plugin = yield* (yield* Plugins).find(id)
  const rotatesAt = plugin?.status === "enabled" ? plugin.rotatesAt : null
  const due = call?.dueAt ?? rotatesAt
  if (due === null) return null
  if (!(yield* canRunPlugins)) return DateTime.addDuration(yield* DateTime.now, stoppedRecheckInterval)
  return rotatesAt === null ? due : DateTime.min(due, rotatesAt)
})

/** One process at a time sends the lifecycle calls of a plugin. */
export const pluginLifecycleLaneWorker = defineLaneWorker({
  name: pluginLifecycleTaskName,
  concurrency: maxConcurrentPlugins,
  run: (lease) => asPluginSystem(lease.organizationId)(processPlugin(lease)),
  nextDue: (lease) => asPluginSystem(lease.organizationId)(nextDue(lease))
})
