import { Effect } from "effect"
import type { Timeline } from "../../Timeline.ts"
import { webhookError } from "../errorCodes.ts"
import type { Refusal } from "../failures.ts"
import type { ChatSimulatorOptions, SimulatedNumber } from "../Options.ts"
import { contactOf, type TellOfNumber } from "../values.ts"
import type { AcceptedMessage, Customer } from "../World.ts"
import { whenOnline } from "./online.ts"

const readableTitle = (message: string) => message.replace(/^\(#\d+\)\s*/u, "")

const recipientOf = (customer: Customer | undefined, { groupId }: AcceptedMessage) => {
  const phone = customer?.phone ?? null
  if (groupId !== null) {
    return {
      recipient_id: groupId,
      recipient_type: "group",
      ...(phone === null ? {} : { recipient_participant_id: phone })
    }
  }
  if (customer === undefined) return {}
  return {
    ...(phone === null ? {} : { recipient_id: phone }),
    recipient_user_id: customer.userId,
    ...(customer.parentUserId === null ? {} : { parent_recipient_user_id: customer.parentUserId })
  }
}

export interface Progress {
  readonly pricing: object
  /** Only in a free entry point window. */
  readonly conversation: { readonly id: string; readonly expiresAt: number; readonly origin: string } | null
  readonly isReaction: boolean
  readonly isVoice: boolean
}

/** Reports the states of messages. */
export const makeReceipts = (timeline: Timeline, tell: TellOfNumber, options: ChatSimulatorOptions) => {
  const delays = { sent: 50, delivered: 200, read: 800, ...options.receipts }
  const seconds = (millis: number) => String(Math.floor(millis / 1_000))

  const report = (
    number: SimulatedNumber,
    customer: Customer | undefined,
    message: AcceptedMessage,
    status: string,
    details: object
  ) =>
    tell(number, "messages", {
      ...(customer === undefined || status === "failed" ? {} : { contacts: [contactOf(customer, status !== "sent")] }),
      statuses: [
        {
          id: message.id,
          status,
          timestamp: seconds(timeline.now()),
          ...recipientOf(customer, message),
          ...(message.reference === null ? {} : { biz_opaque_callback_data: message.reference }),
          ...details
        }
      ]
    })

  const after = (millis: number, run: () => void) => timeline.after(millis, Effect.sync(run))

  return {
    delays,
    fail: (
      number: SimulatedNumber,
      customer: Customer | undefined,
      message: AcceptedMessage,
      { code, details, message: title }: Refusal
    ) =>
      after(delays.sent, () =>
        report(number, customer, message, "failed", {
          errors: [webhookError(code, details ?? readableTitle(title), readableTitle(title))]
        })
      ),
    /** Reports `sent`, `delivered`, `read` and `played`; `onRead` follows the reading. */
    succeed: (
      number: SimulatedNumber,
      customer: Customer,
      message: AcceptedMessage,
      { conversation, isReaction, isVoice, pricing }: Progress,
      onRead: () => void
    ) => {
      const said = conversation === null ? {} : { id: conversation.id, origin: { type: conversation.origin } }
      const inConversation = conversation === null ? {} : { conversation: said }
      after(delays.sent, () =>
        report(number, customer, message, "sent", {
          ...(conversation === null
            ? {}
            : { conversation: { ...said, expiration_timestamp: seconds(conversation.expiresAt) } }),
          pricing
        })
      )
      // The provider reports no later state of a reaction.
      if (isReaction) return
      after(delays.delivered, () =>
        whenOnline(customer, message.at + message.ttlMillis, () =>
          report(number, customer, message, "delivered", { ...inConversation, pricing })
        )
      )
      const { read } = delays
      if (read === null) return
      after(read, () =>
        whenOnline(customer, message.at + message.ttlMillis, () => {
          report(number, customer, message, "read", {})
          if (isVoice) report(number, customer, message, "played", {})
          onRead()
        })
      )
    }
  }
}
export type Receipts = ReturnType<typeof makeReceipts>
