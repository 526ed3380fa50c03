import type { DateTime } from "effect"
import { noMoney } from "../money/noMoney.ts"
import type { OrderId } from "../Ids.ts"
import type { KeptOrder } from "../Order.ts"
import type { StoreConnection } from "../StoreConnection.ts"

/** An order that was gone before anything else was told of it: what is read of it late does not bring it back. */
export const unknownOrder = (
  id: OrderId,
  connection: Pick<StoreConnection, "currency" | "id">,
  externalId: string,
  now: DateTime.Utc
): KeptOrder => {
  const nothing = noMoney(connection)
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
