import { Context, type DateTime, Effect, Schema } from "effect"
import {
  type AutomationTokenId,
  CurrentOrganization,
  type PluginId,
  defineSealedValue,
  type TenantScoped,
  type Transaction,
  Uuid
} from "../../../kernel/index.ts"
import { Lanes, type TaskName } from "../../../platform/background/index.ts"
import { WebhookSubscriptionId } from "../../webhooks/index.ts"

export const LifecycleCallId = Uuid.pipe(Schema.brand("LifecycleCallId"))
export type LifecycleCallId = typeof LifecycleCallId.Type

/** Returns the id of the subscription that delivers events to a plugin. It equals the plugin's id. */
export const subscriptionOf = (id: PluginId): WebhookSubscriptionId => WebhookSubscriptionId.make(id)

export type LifecycleType =
  | "plugin.disabled"
  | "plugin.enabled"
  | "plugin.installed"
  | "plugin.settings_changed"
  | "plugin.token_rotated"
  | "plugin.uninstalled"
  | "plugin.upgraded"

/** Pending lifecycle call. It contains no tokens or secrets; the worker adds them to the request. */
export interface LifecycleCall {
  readonly id: LifecycleCallId
  readonly pluginId: PluginId
  readonly type: LifecycleType
  /** Id of the token in the call. */
  readonly tokenId: AutomationTokenId | null
  /** Whether the call contains the signing secret. */
  readonly hasSecret: boolean
  /** Sealed URL and signing secrets for the call after the uninstallation. */
  readonly farewell: string | null
  readonly tries: number
  readonly dueAt: DateTime.Utc
}

/** Pending lifecycle calls. Each plugin gets its calls in order. */
export class LifecycleCalls extends Context.Service<
  LifecycleCalls,
  TenantScoped<{
    readonly add: (call: LifecycleCall) => Effect.Effect<void, never, Transaction>
    /** Returns the first pending call of a plugin. */
    readonly next: (pluginId: PluginId) => Effect.Effect<LifecycleCall | null>
    /** Stores a failed attempt. */
    readonly retry: (id: LifecycleCallId, tries: number, dueAt: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Deletes a pending call. */
    readonly drop: (id: LifecycleCallId) => Effect.Effect<void, never, Transaction>
    /** Deletes all pending calls of a plugin. */
    readonly dropAll: (pluginId: PluginId) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/integrations/plugins/LifecycleCalls") {}

/** Notice to an uninstalled plugin. Sealed as one text, with its URL and its signing secrets. */
export const uninstallNotices = defineSealedValue(
  "plugin_call/farewell",
  { kind: "never_sent", reason: "It signs the last call, whose URL is sealed with it." },
  () => Effect.map(CurrentOrganization, ({ id }) => `plugin_farewell/${id}`)
)

/** Name of the background task for lifecycle calls. Each plugin has a lane, because its calls are ordered. */
export const pluginLifecycleTaskName: TaskName = "plugins"

/** Schedules the lifecycle lane of a plugin. */
export const schedulePluginLane = Effect.fnUntraced(function* (
  key: PluginId,
  priority: "person" | "bulk",
  dueAt: DateTime.Utc
) {
  yield* (yield* Lanes).open({ task: pluginLifecycleTaskName, key, priority, dueAt })
})
