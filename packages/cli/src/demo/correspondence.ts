import {
  type ChatAccountView,
  type ConversationId,
  getMessage,
  type NewMessage,
  type Organization,
  receiveChatDelivery,
  sendDue,
  sendMessage,
  workDeliveries
} from "@parley/domain"
import { deliveryBody, type RunningChatSimulator, signatureOf } from "@parley/testkit/simulators/chat"
import { DateTime, Duration, Effect } from "effect"
import { asMember } from "../memberActor.ts"
import type { DemoCustomer } from "./customers.ts"
import { earlier } from "./earlier.ts"

/** The demo's number, and what is at its other end. */
export interface Line {
  readonly organization: Organization
  readonly account: ChatAccountView
  readonly appSecret: string
  readonly provider: RunningChatSimulator
}

const digits = (phone: string) => phone.slice(1)

/** What customers and members have written each other over the line, as the provider would have told it at the time. */
export const correspondenceOver = ({ account, appSecret, organization, provider }: Line) => {
  let count = 0

  const deliver = Effect.fnUntraced(function* (told: (seconds: string) => object) {
    const seconds = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1_000)
    const value = {
      messaging_product: "whatsapp",
      metadata: {
        display_phone_number: digits(account.phone ?? "+0"),
        phone_number_id: account.externalPhoneId
      },
      ...told(String(seconds))
    }
    const body = deliveryBody([{ businessId: account.externalAccountId, field: "messages", value }], seconds)
    yield* receiveChatDelivery(organization.id, {
      body: new TextEncoder().encode(body),
      headers: { "x-hub-signature-256": signatureOf(appSecret, body) }
    })
    yield* workDeliveries
  })

  const receipt = (id: string | null, phone: string, status: string, more: object = {}) =>
    deliver((timestamp) => ({ statuses: [{ id, status, timestamp, recipient_id: digits(phone), ...more }] }))

  const undeliverable = {
    errors: [
      {
        code: 131_026,
        title: "Message undeliverable",
        message: "Message undeliverable",
        error_data: { details: "The phone number has no account at the provider." }
      }
    ]
  }

  const send = Effect.fnUntraced(function* (author: string, conversation: ConversationId, message: NewMessage) {
    // What becomes of it is told here, at the time of the story.
    provider.misbehave({ on: "messages", what: { kind: "no_receipts" } })
    const { id } = yield* asMember(organization, author, sendMessage(conversation, message))
    yield* sendDue
    return yield* asMember(organization, author, getMessage(conversation, id))
  })

  return {
    /** A customer writes, so long ago. */
    wrote: ({ name, phone }: DemoCustomer, ago: Duration.Duration, text: string) =>
      deliver((timestamp) => ({
        contacts: [{ profile: { name }, wa_id: digits(phone) }],
        messages: [{ from: digits(phone), id: `wamid.demo.${++count}`, timestamp, type: "text", text: { body: text } }]
      })).pipe(earlier(ago)),

    /** A member writes, and the customer reads it within minutes. */
    answered: Effect.fnUntraced(function* (
      author: string,
      { phone }: DemoCustomer,
      conversation: ConversationId,
      ago: Duration.Duration,
      message: NewMessage
    ) {
      const { providerMessageId } = yield* earlier(ago)(send(author, conversation, message))
      const later = (minutes: number) => earlier(Duration.subtract(ago, Duration.minutes(minutes)))
      yield* later(1)(receipt(providerMessageId, phone, "delivered"))
      yield* later(4)(receipt(providerMessageId, phone, "read"))
    }),

    /** A member writes, and the provider cannot deliver it. */
    failed: (
      author: string,
      { phone }: DemoCustomer,
      conversation: ConversationId,
      ago: Duration.Duration,
      message: NewMessage
    ) =>
      send(author, conversation, message).pipe(
        Effect.flatMap(({ providerMessageId }) => receipt(providerMessageId, phone, "failed", undeliverable)),
        earlier(ago)
      )
  }
}
