import { DateTime, Effect } from "effect"
import { defineSubscriber } from "../../platform/events/index.ts"
import { IdentityEvent } from "../../platform/identity/index.ts"
import { PluginId } from "../../kernel/index.ts"
import { wakeHeld, WebhookEvent } from "../webhooks/index.ts"
import { subscriptionOf } from "./Ids.ts"
import { fail } from "./lifecycle/life.ts"
import { lockInstalled } from "./lifecycle/lockInstalled.ts"
import { openPluginLane } from "./lifecycle/pluginLane.ts"
import { type KeptPlugin, Plugins } from "./Plugins.ts"

/** A plugin that takes no events for days, or says that it is gone, has failed. */
const endUnreachable = defineSubscriber({
  name: "plugins.end_unreachable",
  schema: WebhookEvent,
  events: ["webhook_subscription.disabled"],
  beginsWith: "first_event",
  batch: 20,
  handle: Effect.fnUntraced(function* (events) {
    for (const { event } of events) {
      const plugin = yield* lockInstalled(PluginId.make(event.webhookSubscriptionId))
      if (plugin?.status !== "enabled") continue
      const message =
        event.reason === "gone" ? "It answered to an event that it is gone." : "It has taken no event for five days."
      yield* fail(plugin, { code: "deliveries_failed", message, at: yield* DateTime.now })
    }
  })
})

const pageSize = 50

/** What has waited while the plan had no plugins goes on as soon as it has. */
const wakeAll = defineSubscriber({
  name: "plugins.wake_all",
  schema: IdentityEvent,
  events: ["organization.plan_changed"],
  beginsWith: "next_event",
  batch: 20,
  handle: Effect.fnUntraced(function* () {
    const plugins = yield* Plugins
    let after: ReadonlyArray<string> | null = null
    for (;;) {
      const page: ReadonlyArray<KeptPlugin> = yield* plugins.list({ limit: pageSize, after })
      for (const { id } of page) {
        yield* wakeHeld(subscriptionOf(id))
        yield* openPluginLane(id, "bulk", yield* DateTime.now)
      }
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return
      after = [last.id]
    }
  })
})

/** What this area does about events. */
export const pluginsReactions = [endUnreachable, wakeAll] as const
