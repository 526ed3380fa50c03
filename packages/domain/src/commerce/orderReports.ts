import type { DateTime } from "effect"
import type { Currency, Money } from "../kernel/index.ts"
import type { OrderId, RefundId, StoreConnectionId } from "./Ids.ts"
import type { StoredOrder } from "./Order.ts"
import type { StoreConnection } from "./StoreConnection.ts"
import { grossHistory } from "./orderAmounts.ts"
import { truncateOrder, supersedes } from "./recordRules.ts"
import type { OrderRecord } from "./shopRecords.ts"

/** ISO 4217 code for no currency, for a shop whose currency is not known yet. */
const noCurrency: Currency = "XXX"

/** Returns zero in the currency of a shop. */
export const zeroShopMoney = ({ currency }: { readonly currency: Currency | null }): Money => ({
  amountMinor: 0,
  currency: currency ?? noCurrency
})

/** Ids for a new order. */
export interface NewOrderIds {
  readonly id: OrderId
  readonly refundIds: ReadonlyArray<RefundId>
}

/**
 * Applies a report of the shop to an order. Returns the same object for an older record or a deleted order. `ids` are for new records. A known order
 * and its known refunds keep their ids.
 */
export const applyOrderReport = (
  before: StoredOrder | null,
  reported: OrderRecord,
  storeConnectionId: StoreConnectionId,
  { id, refundIds }: NewOrderIds,
  now: DateTime.Utc
): StoredOrder => {
  if (before !== null && (before.deletedAt !== null || !supersedes(reported, before.record))) return before
  const record = truncateOrder(reported)
  const known = new Map(before?.record.refunds.map(({ externalId }, place) => [externalId, before.refundIds[place]]))
  return {
    id: before?.id ?? id,
    storeConnectionId,
    contactId: before?.contactId ?? null,
    record,
    refundIds: record.refunds.flatMap(({ externalId }, place) => known.get(externalId) ?? refundIds[place] ?? []),
    gross: grossHistory(before, record, now),
    deletedAt: null,
    createdAt: before?.createdAt ?? now,
    updatedAt: now
  }
}

/** Marks an order as deleted in the shop, and deletes its personal data. */
export const markOrderDeleted = (before: StoredOrder, now: DateTime.Utc): StoredOrder => ({
  ...before,
  record: { ...before.record, phone: null, email: null, statusUrl: null, checkoutToken: null, fulfilments: [] },
  deletedAt: before.deletedAt ?? now,
  updatedAt: now
})

/** Creates a deleted order for a deletion that arrives before any other report. Late reads then do not restore it. */
export const newDeletedOrder = (
  id: OrderId,
  connection: Pick<StoreConnection, "currency" | "id">,
  externalId: string,
  now: DateTime.Utc
): StoredOrder => {
  const nothing = zeroShopMoney(connection)
  return {
    id,
    storeConnectionId: connection.id,
    contactId: null,
    record: {
      externalId,
      name: "",
      externalCustomerId: null,
      phone: null,
      email: null,
      checkoutToken: null,
      placedAt: now,
      cancelledAt: null,
      test: false,
      paymentStatus: "voided",
      fulfilmentStatus: "unfulfilled",
      total: nothing,
      currentTotal: nothing,
      tax: nothing,
      shipping: nothing,
      discount: nothing,
      paid: nothing,
      refunded: nothing,
      presentmentTotal: nothing,
      statusUrl: null,
      adminUrl: null,
      lines: [],
      fulfilments: [],
      refunds: [],
      truncated: false,
      updatedAt: now
    },
    refundIds: [],
    gross: [],
    deletedAt: now,
    createdAt: now,
    updatedAt: now
  }
}
