import type { InboundEvent, ReceiptStatus } from "@parley/domain/messaging"
import { idAt, listAt, numberAt, textAt } from "../../json.ts"
import { preferenceValues } from "./assumptions.ts"
import { errorClassOf, remedyOf } from "./errorTable.ts"
import { pricingIn } from "./readDetails.ts"
import { contactOf, isPerson, personIn } from "./readMessages.ts"
import { paymentIn } from "./readPayments.ts"
import { type Place, timeAt, unknownEvent, usernameIn } from "./readPlace.ts"
import { reasonOf } from "./refusals.ts"

const statuses = ["sent", "delivered", "read", "played", "failed"] as const

const receiptStatus = (status: string | null): ReceiptStatus | null =>
  statuses.find((known) => known === status) ?? null

const giveUp = "give_up" as const

/** A failed message is final, so the reason promises no later attempt. */
const promise = / Parley (?:repeats|retries|sends|waits)[^.]*\.(?: Repeat other calls later\.)?/u

/** Reason of a failure. Without a code it is final: the code `0` stands for an unknown one here, not for the provider's `0`. */
const failureIn = (status: unknown) => {
  const [error] = listAt(status, "errors")
  const code = Number(idAt(error, "code") ?? Number.NaN)
  const reason = reasonOf(error, []).replace(promise, "")
  return Number.isSafeInteger(code)
    ? {
        code,
        reason,
        remedy: remedyOf(code) ?? giveUp,
        ...(errorClassOf(code)?.scope === "business_account" && { scope: "business_account" as const })
      }
    : { code: 0, reason, remedy: giveUp }
}

/** Recipient of a message. In a group it is the participant; the recipient is the group. */
const recipientIn = (receipt: unknown, isGroup: boolean) =>
  isGroup
    ? personIn(receipt, {
        phone: "recipient_participant_id",
        user: "recipient_participant_user_id",
        parent: "recipient_participant_parent_user_id"
      })
    : personIn(receipt, {
        phone: "recipient_id",
        user: "recipient_user_id",
        parent: "parent_recipient_user_id"
      })

/** Reads the delivery status of a sent message. Failures have no contacts. */
export const receiptIn = (place: Place, value: unknown, receipt: unknown): InboundEvent => {
  const { phoneId } = place
  const id = textAt(receipt, "id")
  const at = timeAt(receipt, "timestamp")
  const named = textAt(receipt, "status")
  const status = receiptStatus(named)
  if (textAt(receipt, "type") === "payment") return paymentIn(place, receipt)
  if (phoneId === null || id === null || at === null) return unknownEvent(place, "messages", "status")
  if (status === null) return unknownEvent(place, "messages", "status", named ?? "none")
  const pricing = pricingIn(receipt)
  const isGroup = textAt(receipt, "recipient_type") === "group"
  const groupId = isGroup ? textAt(receipt, "recipient_id") : null
  const to = recipientIn(receipt, isGroup)
  const contact = contactOf(value, textAt(receipt, "recipient_id"), to.chatUser)
  const username = usernameIn(textAt(contact, "profile", "username"))
  return {
    kind: "receipt",
    phoneId,
    id,
    at,
    status,
    to: {
      ...to,
      chatUser: to.chatUser ?? textAt(contact, "user_id"),
      ...(username !== null && { username })
    },
    reference: textAt(receipt, "biz_opaque_callback_data"),
    error: status === "failed" ? failureIn(receipt) : null,
    ...(pricing !== null && { pricing }),
    ...(groupId !== null && { groupId })
  }
}

/** Reads an error that concerns the number, and none of its messages. */
export const errorIn = (place: Place, error: unknown): InboundEvent => {
  const code = numberAt(error, "code")
  return code === null || !Number.isSafeInteger(code)
    ? unknownEvent(place, "messages", "errors")
    : {
        kind: "notice",
        ...place,
        displayPhone: null,
        topic: "errors",
        event: String(code),
        detail: reasonOf(error, [])
      }
}

/** Reads the marketing consent of a customer. */
export const preferenceIn = (place: Place, preference: unknown): InboundEvent => {
  const { phoneId } = place
  const marketing = preferenceValues.get(textAt(preference, "value") ?? "")
  const at = timeAt(preference, "timestamp")
  const from = personIn(preference, { phone: "wa_id", user: "user_id", parent: "parent_user_id" })
  if (
    phoneId === null ||
    at === null ||
    marketing === undefined ||
    textAt(preference, "category") !== "marketing_messages" ||
    !isPerson(from)
  ) {
    return unknownEvent(place, "user_preferences")
  }
  return { kind: "preference", phoneId, at, from, marketing }
}
