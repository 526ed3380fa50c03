import { Effect } from "effect"
import { NotFound, type PageRequest, type PluginId, useCase } from "../../../kernel/index.ts"
import { pageOfDeliveries, type WebhookDeliveryFilter } from "../../webhooks/index.ts"
import { subscriptionOf } from "../Ids.ts"
import { Plugins } from "../Plugins.ts"

/** Reads what was delivered to a plugin in the last thirty days, and what waits, the latest first. */
export const listPluginDeliveries = useCase(
  "plugins.listDeliveries",
  { access: { permission: "plugins.read" } },
  Effect.fnUntraced(function* (id: PluginId, filter: WebhookDeliveryFilter, page: PageRequest) {
    if ((yield* (yield* Plugins).find(id)) === null) return yield* new NotFound({ resource: "plugin" })
    return yield* pageOfDeliveries(subscriptionOf(id), filter, page)
  })
)
