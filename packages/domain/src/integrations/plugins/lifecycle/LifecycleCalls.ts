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

/** A call of a plugin about its own life. */
export const LifecycleCallId = Uuid.pipe(Schema.brand("LifecycleCallId"))
export type LifecycleCallId = typeof LifecycleCallId.Type

/** The subscription that delivers events to a plugin has the plugin's own id. */
export const subscriptionOf = (id: PluginId): WebhookSubscriptionId => WebhookSubscriptionId.make(id)

/** What a plugin is told of its own life. */
export type LifecycleType =
  | "plugin.disabled"
  | "plugin.enabled"
  | "plugin.installed"
  | "plugin.settings_changed"
  | "plugin.token_rotated"
  | "plugin.uninstalled"
  | "plugin.upgraded"

/** A call that waits to be made. Tokens and secrets are not in it: they are put in when it is made. */
export interface LifecycleCall {
  readonly id: LifecycleCallId
  readonly pluginId: PluginId
  readonly type: LifecycleType
  /** The token that it carries. */
  readonly tokenId: AutomationTokenId | null
  /** Whether it carries the secret that signs. */
  readonly hasSecret: boolean
  /** Where it goes and what it is signed with once the plugin is gone, sealed. */
  readonly farewell: string | null
  readonly tries: number
  readonly dueAt: DateTime.Utc
}

/** What plugins are to be told, each in its order. */
export class LifecycleCalls extends Context.Service<
  LifecycleCalls,
  TenantScoped<{
    readonly add: (call: LifecycleCall) => Effect.Effect<void, never, Transaction>
    /** The first one that waits of a plugin. */
    readonly next: (pluginId: PluginId) => Effect.Effect<LifecycleCall | null>
    /** Notes a try that was in vain. */
    readonly retry: (id: LifecycleCallId, tries: number, dueAt: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** It is not to be made any more. */
    readonly drop: (id: LifecycleCallId) => Effect.Effect<void, never, Transaction>
    /** None of a plugin is. */
    readonly dropAll: (pluginId: PluginId) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/integrations/plugins/LifecycleCalls") {}

/** The last call to an uninstalled plugin. Sealed as one text, with its URL and its signing secrets. */
export const uninstallNotices = defineSealedValue(
  "plugin_call/farewell",
  { kind: "never_sent", reason: "It signs the last call, whose URL is sealed with it." },
  () => Effect.map(CurrentOrganization, ({ id }) => `plugin_farewell/${id}`)
)

/** What the life of plugins is called among the works: each has a lane, so that it is told everything in its order. */
export const pluginLifecycleTaskName: TaskName = "plugins"

/** Has somebody look after a plugin at this time. */
export const schedulePluginLane = Effect.fnUntraced(function* (
  key: PluginId,
  priority: "person" | "bulk",
  dueAt: DateTime.Utc
) {
  yield* (yield* Lanes).open({ work: pluginLifecycleTaskName, key, priority, dueAt })
})
