import type { DateTime } from "effect"
import type { Currency, Money } from "../kernel/index.ts"
import type { OrderId, RefundId, StoreConnectionId } from "./Ids.ts"
import type { StoredOrder } from "./Order.ts"
import type { StoreConnection } from "./StoreConnection.ts"
import { grossHistory } from "./orderAmounts.ts"
import { truncateOrder, supersedes } from "./recordRules.ts"
import type { OrderRecord } from "./shopRecords.ts"

/** What ISO 4217 calls no currency: for a shop of which none is known yet. */
const noCurrency: Currency = "XXX"

/** Nothing, in the currency of a shop. */
export const zeroShopMoney = ({ currency }: { readonly currency: Currency | null }): Money => ({
  amountMinor: 0,
  currency: currency ?? noCurrency
})

/** What an order that is new here is given. */
export interface NewOrderIds {
  readonly id: OrderId
  readonly refundIds: ReadonlyArray<RefundId>
}

/**
 * An order after the shop has told of it; the very same one where an older record changes nothing, or it is gone. `ids` are taken for what is new: an order
 * that is known keeps its own, and each of its refunds.
 */
export const applyOrderReport = (
  before: StoredOrder | null,
  told: OrderRecord,
  storeConnectionId: StoreConnectionId,
  { id, refundIds }: NewOrderIds,
  now: DateTime.Utc
): StoredOrder => {
  if (before !== null && (before.deletedAt !== null || !supersedes(told, before.record))) return before
  const record = truncateOrder(told)
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

/** An order that the shop does not have any more: nothing personal is kept of it. */
export const markOrderDeleted = (before: StoredOrder, now: DateTime.Utc): StoredOrder => ({
  ...before,
  record: { ...before.record, phone: null, email: null, statusUrl: null, checkoutToken: null, fulfilments: [] },
  deletedAt: before.deletedAt ?? now,
  updatedAt: now
})

/** An order that was gone before anything else was told of it: what is read of it late does not bring it back. */
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
