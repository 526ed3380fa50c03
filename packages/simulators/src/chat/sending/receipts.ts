import { Effect } from "effect"
import type { Timeline } from "../../Timeline.ts"
import { webhookError } from "../errorCodes.ts"
import type { Refusal } from "../failures.ts"
import type { ChatSimulatorOptions, SimulatedNumber } from "../Options.ts"
import { contactOf, type TellOfNumber } from "../values.ts"
import type { AcceptedMessage, Customer } from "../World.ts"
import { whenOnline } from "./online.ts"

const readableTitle = (message: string) => message.replace(/^\(#\d+\)\s*/u, "")

const groupOf = ({ groupId }: AcceptedMessage) => ({ recipient_id: groupId, recipient_type: "group" })

/** Recipient of a message: a group, a customer, or a user id that no customer has. */
const recipientOf = (customer: Customer | undefined, message: AcceptedMessage, status: string) => {
  if (message.groupId !== null) return groupOf(message)
  if (customer === undefined) return { recipient_user_id: message.to }
  const { parentUserId, phone, userId } = customer
  return {
    ...(phone === null ? {} : { recipient_id: phone }),
    ...(status === "failed" && phone !== null ? {} : { recipient_user_id: userId }),
    ...(parentUserId === null ? {} : { parent_recipient_user_id: parentUserId })
  }
}

const participantOf = ({ parentUserId, phone, userId }: Customer) => ({
  ...(phone === null ? {} : { recipient_participant_id: phone }),
  recipient_participant_user_id: userId,
  ...(parentUserId === null ? {} : { recipient_participant_parent_user_id: parentUserId })
})

export interface Progress {
  readonly pricing: { readonly category: string }
  /** Only in a free entry point window. */
  readonly conversation: { readonly id: string; readonly expiresAt: number; readonly origin: string } | null
  readonly isReaction: boolean
  readonly isVoice: boolean
}

const day = 24 * 3_600_000

/** Last version whose `sent` statuses all have a conversation. */
const lastWithConversations = 23

const versionOf = ({ webhookVersion = "v27.0" }: ChatSimulatorOptions) => Number.parseInt(webhookVersion.slice(1), 10)

/** Reports the states of messages. */
export const makeReceipts = (
  timeline: Timeline,
  tell: TellOfNumber,
  hasIdentity: (number: SimulatedNumber) => boolean,
  options: ChatSimulatorOptions
) => {
  const hasConversations = versionOf(options) <= lastWithConversations
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
          ...recipientOf(customer, message, status),
          ...(customer !== undefined && hasIdentity(number)
            ? { recipient_identity_key_hash: customer.identityHash }
            : {}),
          ...(message.reference === null ? {} : { biz_opaque_callback_data: message.reference }),
          ...details
        }
      ]
    })

  /** Conversation of a message outside of a free entry point, in the form until v23.0. */
  const dailyConversation = ({ id }: AcceptedMessage, { category }: Progress["pricing"]): Progress["conversation"] => ({
    id: `c${id.slice(6)}`,
    expiresAt: timeline.now() + day,
    origin: category
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
    /** Reports `sent` for a group, and later states for its participants together. */
    succeedInGroup: (number: SimulatedNumber, participants: ReadonlyArray<Customer>, message: AcceptedMessage) => {
      after(delays.sent, () => report(number, undefined, message, "sent", {}))
      for (const [status, millis] of [
        ["delivered", delays.delivered],
        ["read", delays.read]
      ] as const) {
        if (millis === null) continue
        after(millis, () =>
          tell(number, "messages", {
            contacts: participants.map((customer) => contactOf(customer)),
            statuses: participants.map((customer) => ({
              id: message.id,
              status,
              timestamp: seconds(timeline.now()),
              ...groupOf(message),
              ...participantOf(customer),
              ...(message.reference === null ? {} : { biz_opaque_callback_data: message.reference })
            }))
          })
        )
      }
    },
    /** Reports `sent`, `delivered`, `read` and `played`; `onRead` follows the reading. */
    succeed: (
      number: SimulatedNumber,
      customer: Customer,
      message: AcceptedMessage,
      { conversation: entryPoint, isReaction, isVoice, pricing }: Progress,
      onRead: () => void
    ) => {
      const conversation = entryPoint ?? (hasConversations && !isReaction ? dailyConversation(message, pricing) : null)
      const conversationFields =
        conversation === null ? {} : { id: conversation.id, origin: { type: conversation.origin } }
      const pricedAt = (status: string) =>
        status === customer.pricedReceipt
          ? { pricing, ...(conversation === null ? {} : { conversation: conversationFields }) }
          : {}
      after(delays.sent, () =>
        report(number, customer, message, "sent", {
          ...(conversation === null
            ? {}
            : { conversation: { ...conversationFields, expiration_timestamp: seconds(conversation.expiresAt) } }),
          ...(isReaction ? {} : { pricing })
        })
      )
      // The provider reports no later state of a reaction.
      if (isReaction) return
      after(delays.delivered, () =>
        whenOnline(customer, message.at + message.ttlMillis, () =>
          report(number, customer, message, "delivered", pricedAt("delivered"))
        )
      )
      const { read } = delays
      if (read === null) return
      after(read, () =>
        whenOnline(customer, message.at + message.ttlMillis, () => {
          report(number, customer, message, "read", pricedAt("read"))
          if (isVoice) report(number, customer, message, "played", {})
          onRead()
        })
      )
    }
  }
}
export type Receipts = ReturnType<typeof makeReceipts>
