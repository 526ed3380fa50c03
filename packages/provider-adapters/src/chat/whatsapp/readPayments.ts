import type { InboundEvent, ReportedPayment } from "@parley/domain/messaging"
import { Predicate } from "effect"
import { at, idAt, numberAt, storableText, textAt } from "../../json.ts"
import { type Place, timeAt, unknownEvent } from "./readPlace.ts"

const longestWord = 100

const wordAt = (value: unknown, key: string) => storableText(idAt(value, key) ?? "", longestWord) || null

const amountIn = (amount: unknown) => {
  const [value, offset] = [numberAt(amount, "value"), numberAt(amount, "offset")]
  return value !== null && offset !== null && Number.isSafeInteger(value) && Number.isSafeInteger(offset)
    ? { value, offset }
    : null
}

const transactionIn = (transaction: unknown): ReportedPayment["transaction"] =>
  Predicate.isObject(transaction)
    ? { id: wordAt(transaction, "id"), type: wordAt(transaction, "type"), status: wordAt(transaction, "status") }
    : null

/** Reads the status of the payment of an order. The provider sends it among the receipts. */
export const paymentIn = (place: Place, receipt: unknown): InboundEvent => {
  const { phoneId } = place
  const id = textAt(receipt, "id")
  const reportedAt = timeAt(receipt, "timestamp")
  const status = wordAt(receipt, "status")
  if (phoneId === null || id === null || reportedAt === null || status === null) {
    return unknownEvent(place, "messages", "status", "payment")
  }
  const payment = at(receipt, "payment")
  return {
    kind: "payment",
    phoneId,
    id,
    at: reportedAt,
    reference: textAt(receipt, "biz_opaque_callback_data"),
    payment: {
      status: status.toLowerCase(),
      referenceId: wordAt(payment, "reference_id"),
      amount: amountIn(at(payment, "amount")),
      currency: wordAt(payment, "currency"),
      transaction: transactionIn(at(payment, "transaction"))
    }
  }
}
