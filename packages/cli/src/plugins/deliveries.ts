import { WebhookDelivery } from "@parley/domain"
import { DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import { collect, queryOf } from "../console/collect.ts"
import * as Flags from "../console/flags.ts"
import { listFlags } from "../console/listing.ts"
import { printList, type View } from "../console/print.ts"
import { deliveryFilters } from "../subscriptions/subscription.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { plugin } from "./plugin.ts"

const at = (time: DateTime.Utc | null) => (time === null ? "" : DateTime.formatIso(time))

const view: View<WebhookDelivery> = {
  schema: WebhookDelivery,
  none: "Nothing was delivered to the plugin that fits.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "TYPE", of: ({ type }) => type },
    { heading: "POSITION", of: ({ position }) => String(position ?? ""), align: "right" },
    { heading: "STATE", of: ({ state }) => state },
    { heading: "ATTEMPTS", of: ({ attempts }) => String(attempts), align: "right" },
    { heading: "NEXT", of: ({ nextAttemptAt }) => at(nextAttemptAt) },
    { heading: "DELIVERED", of: ({ deliveredAt }) => at(deliveredAt) }
  ]
}

/** Lists what was delivered to a plugin. */
export const deliveriesCommand = Command.make(
  "deliveries",
  { org: Flags.org, plugin, ...listFlags(deliveryFilters) },
  Effect.fn(function* ({ filter, json, limit, org, plugin, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ plugins }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          plugins.listDeliveries({ params: { id: plugin }, query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(view, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the events that were delivered to a plugin in the last 30 days, the latest first"))
