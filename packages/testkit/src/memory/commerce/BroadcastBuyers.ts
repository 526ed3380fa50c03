import { BroadcastBuyers, type BuyerCount } from "@parley/domain/campaigns"
import { isCountedOrder } from "@parley/domain/commerce"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type Tenant } from "../store/State.ts"
import type { BroadcastRecipientRow } from "../campaigns/state.ts"
import { Store } from "../store/Store.ts"

type Drawn = BroadcastRecipientRow & { readonly drawnFor: DateTime.Utc }

const isDrawn = (row: BroadcastRecipientRow): row is Drawn => row.drawnFor !== null && row.reason !== "duplicate"

/** Whether the recipient placed a counted order within the time limit. */
const hasBought = ({ storeOrders }: Tenant, { contactId, drawnFor }: Drawn, days: number) => {
  const until = DateTime.add(drawnFor, { hours: days * 24 })
  return HashMap.toValues(storeOrders).some(
    (order) =>
      order.contactId === contactId &&
      isCountedOrder(order) &&
      DateTime.isGreaterThanOrEqualTo(order.record.placedAt, drawnFor) &&
      DateTime.isLessThan(order.record.placedAt, until)
  )
}

export const layer = Layer.effect(
  BroadcastBuyers,
  Effect.map(Store, (store) =>
    BroadcastBuyers.of({
      areKnown: () =>
        store.readTenant(({ storeConnections }) =>
          HashMap.toValues(storeConnections).some(({ connection }) => connection.status !== "pending")
        ),
      count: (id, days) =>
        store.readTenant((tenant) => {
          const drawn = (rowAt(tenant.broadcastRecipients, id) ?? []).filter(isDrawn)
          const groups = Map.groupBy(drawn, ({ status, variant }) => `${variant} ${status === "held_out"}`)
          return Array.from(groups.values()).flatMap((group): ReadonlyArray<BuyerCount> => {
            const last = group.toSorted((one, other) => DateTime.Order(one.drawnFor, other.drawnFor)).at(-1)
            return last === undefined
              ? []
              : [
                  {
                    variant: last.variant,
                    isHeldOut: last.status === "held_out",
                    assigned: group.length,
                    converted: group.filter((each) => hasBought(tenant, each, days)).length,
                    lastDueAt: last.drawnFor
                  }
                ]
          })
        })
    })
  )
)
