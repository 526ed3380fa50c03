import type { DateTime } from "effect"
import type { KeptOrder } from "../Order.ts"
import type { OrderId, RefundId, StoreConnectionId } from "../Ids.ts"
import { cutOrder } from "../records/cutRecords.ts"
import type { OrderRecord } from "../records/OrderRecord.ts"
import { supersedes } from "../records/supersedes.ts"
import { grossAfter } from "./gross.ts"

/** What an order that is new here is given. */
export interface NewOrderIds {
  readonly id: OrderId
  readonly refundIds: ReadonlyArray<RefundId>
}

/**
 * An order after the shop has told of it; the very same one where an older record changes nothing, or it is gone. `ids` are taken for what is new: an order
 * that is known keeps its own, and each of its refunds.
 */
export const toldOrder = (
  before: KeptOrder | null,
  told: OrderRecord,
  storeConnectionId: StoreConnectionId,
  { id, refundIds }: NewOrderIds,
  now: DateTime.Utc
): KeptOrder => {
  if (before !== null && (before.deletedAt !== null || !supersedes(told, before.record))) return before
  const record = cutOrder(told)
  const known = new Map(before?.record.refunds.map(({ externalId }, place) => [externalId, before.refundIds[place]]))
  return {
    id: before?.id ?? id,
    storeConnectionId,
    contactId: before?.contactId ?? null,
    record,
    refundIds: record.refunds.flatMap(({ externalId }, place) => known.get(externalId) ?? refundIds[place] ?? []),
    gross: grossAfter(before, record, now),
    deletedAt: null,
    createdAt: before?.createdAt ?? now,
    updatedAt: now
  }
}

/** An order that the shop does not have any more: nothing personal is kept of it. */
export const deletedOrder = (before: KeptOrder, now: DateTime.Utc): KeptOrder => ({
  ...before,
  record: { ...before.record, phone: null, email: null, statusUrl: null, checkoutToken: null, fulfilments: [] },
  deletedAt: before.deletedAt ?? now,
  updatedAt: now
})
