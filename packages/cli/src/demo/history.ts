import type { Organization } from "@parley/domain/platform"
import { createContact, createContactField, createSegment, createTag } from "@parley/domain/crm"
import {
  type ChatAccountView,
  type ConversationId,
  createCannedReply,
  createNote,
  getMessage,
  listConversations,
  type NewMessage,
  openConversation,
  readConversation,
  receiveChatDelivery,
  resolveConversation,
  sendMessage,
  snoozeConversation,
  updateConversation
} from "@parley/domain/messaging"
import { sendDueMessages, processDueDeliveries } from "@parley/domain/composition"
import { deliveryBody, type RunningChatSimulator, signatureOf } from "@parley/simulators/chat"
import { DateTime, Duration, Effect, Record } from "effect"
import { asMember } from "../tenant/selection.ts"
import { type CustomerKey, type DemoCustomer, demoCustomers, demoTags, earlier } from "./customers.ts"
import { demoTenants } from "./tenants.ts"

/** The number of the demo, and its simulated provider. */
export interface Line {
  readonly organization: Organization
  readonly account: ChatAccountView
  readonly appSecret: string
  readonly provider: RunningChatSimulator
}

const digits = (phone: string) => phone.slice(1)

/** Sends messages of customers and members over the number, with past times, in the format of the provider. */
const correspondenceOver = ({ account, appSecret, organization, provider }: Line) => {
  let count = 0

  const deliver = Effect.fnUntraced(function* (eventAt: (seconds: string) => object) {
    const seconds = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1_000)
    const value = {
      messaging_product: "whatsapp",
      metadata: {
        display_phone_number: digits(account.phone ?? "+0"),
        phone_number_id: account.externalPhoneId
      },
      ...eventAt(String(seconds))
    }
    const body = deliveryBody([{ businessId: account.externalAccountId, field: "messages", value }], seconds)
    yield* receiveChatDelivery({
      organizationId: organization.id,
      body: new TextEncoder().encode(body),
      headers: { "x-hub-signature-256": signatureOf(appSecret, body) }
    })
    yield* processDueDeliveries
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
    // The history sends the receipts itself, at past times.
    provider.misbehave({ on: "messages", what: { kind: "no_receipts" } })
    const { id } = yield* asMember(organization, author, sendMessage({ id: conversation, ...message }))
    yield* sendDueMessages
    return yield* asMember(organization, author, getMessage({ id: conversation, messageId: id }))
  })

  return {
    /** A customer writes, the given time ago. */
    wrote: ({ name, phone }: DemoCustomer, ago: Duration.Duration, text: string) =>
      deliver((timestamp) => ({
        contacts: [{ profile: { name }, wa_id: digits(phone) }],
        messages: [{ from: digits(phone), id: `wamid.demo.${++count}`, timestamp, type: "text", text: { body: text } }]
      })).pipe(earlier(ago)),

    /** A member writes, and the customer reads the message within minutes. */
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

    /** A member writes, and the provider fails to deliver the message. */
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

const [{ users }] = demoTenants
const [{ email: dana }, { email: cleo }] = users

const { days, hours } = Duration

const orderUpdate = (name: string, order: string) => ({
  kind: "template" as const,
  template: { name: "order_update", language: "en", values: { "body.1": name, "body.2": order } }
})

const text = (words: string) => ({ kind: "text" as const, text: words })

/** Adds the customers of Acme, with creation times over the last months. */
const addCustomers = Effect.gen(function* () {
  yield* createContactField({ key: "city", name: "City", type: "text" })
  const tags = yield* Effect.all(Record.map(demoTags, (name) => createTag({ name })))
  yield* createSegment({
    name: "VIPs who want news",
    filter: {
      all: [
        { field: "tag", op: "any_of", value: [tags.vip.id] },
        { field: "consent", op: "is", value: "subscribed" }
      ]
    }
  })
  yield* createCannedReply({
    shortcut: "shipping",
    text: "We ship within two working days, and you get a link to follow it."
  })
  return yield* Effect.all(
    Record.map(demoCustomers, (customer) =>
      createContact({
        name: customer.name,
        phone: customer.phone,
        email: customer.email,
        locale: customer.locale,
        attributes: { city: customer.city },
        tags: customer.tags.map((tag) => tags[tag].id),
        marketing: { state: customer.marketing, source: "checkout" }
      }).pipe(earlier(days(customer.days)))
    )
  )
}).pipe(earlier(days(1)))

/** Creates the history of Acme: a team, customers and an active inbox. */
export const tellHistory = Effect.fnUntraced(function* (line: Line) {
  const { account, organization } = line
  const { ana, jonas, marie, omar, tom } = demoCustomers
  const { answered, failed, wrote } = correspondenceOver(line)
  const contacts = yield* asMember(organization, dana, addCustomers)

  const by =
    (email: string, hoursAgo: number) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      earlier(hours(hoursAgo))(asMember(organization, email, effect))

  /** A customer starts a conversation, and the member `reader` reads it. */
  const began = Effect.fnUntraced(function* (key: CustomerKey, hoursAgo: number, words: string, reader: string | null) {
    yield* wrote(demoCustomers[key], hours(hoursAgo), words)
    const { data } = yield* by(
      dana,
      hoursAgo
    )(listConversations({ contactId: contacts[key].id, page: { limit: 1, cursor: null } }))
    const { id } = yield* Effect.fromNullishOr(data[0])
    if (reader !== null) yield* by(reader, hoursAgo - 0.1)(readConversation({ id }))
    return id
  })

  const opened = (key: CustomerKey, hoursAgo: number) =>
    by(
      cleo,
      hoursAgo
    )(
      openConversation({
        contactId: contacts[key].id,
        chatAccountId: account.id,
        assigneeId: "me",
        labels: ["delivery"]
      })
    )

  const toTom = yield* began("tom", 74, "Do you have a price list for shops? We would take 40 a month.", dana)
  yield* by(
    dana,
    73.5
  )(updateConversation({ id: toTom, assigneeId: "me", labels: ["wholesale"], priority: "medium", ifVersion: null }))
  yield* answered(dana, tom, toTom, hours(73), text("Gladly! I have asked our wholesale desk and come back to you."))
  yield* by(dana, 72.9)(updateConversation({ id: toTom, status: "pending", ifVersion: null }))
  yield* by(cleo, 30)(createNote({ id: toTom, text: "The wholesale desk answers on Monday. Tom bought 25 in spring." }))

  const toAna = yield* began("ana", 50, "Hi! Can I still change the address of order 1038?", cleo)
  yield* by(cleo, 49.8)(updateConversation({ id: toAna, assigneeId: "me", labels: ["address"], ifVersion: null }))
  yield* answered(cleo, ana, toAna, hours(49.7), text("Of course. Where should it go?"))
  yield* wrote(ana, hours(49.5), "Rua Augusta 900, São Paulo. Perfect, thank you!")
  yield* by(cleo, 49.4)(readConversation({ id: toAna }))
  yield* by(cleo, 49.3)(resolveConversation({ id: toAna }))

  const toJonas = yield* began("jonas", 20, "The jacket is too small. Can I swap it for an L?", cleo)
  yield* answered(cleo, jonas, toJonas, hours(19.5), text("Yes. I look where there is an L and write to you."))
  yield* by(cleo, 19.4)(createNote({ id: toJonas, text: "L comes back in with the next delivery." }))
  yield* by(cleo, 19.3)(updateConversation({ id: toJonas, assigneeId: "me", labels: ["exchange"], ifVersion: null }))
  const tomorrow = DateTime.add(yield* DateTime.now, { hours: 18 })
  yield* by(cleo, 19.2)(snoozeConversation({ id: toJonas, until: tomorrow }))

  const toOmar = yield* opened("omar", 6)
  yield* failed(cleo, omar, toOmar.id, hours(5.9), orderUpdate("Omar", "1040"))

  const toMarie = yield* opened("marie", 5)
  yield* answered(cleo, marie, toMarie.id, hours(4.9), orderUpdate("Marie", "1041"))
  yield* wrote(marie, hours(3), "Merci ! At what time will it be here?")
  yield* by(cleo, 2.9)(readConversation({ id: toMarie.id }))

  const toPriya = yield* began("priya", 0.8, "Do you ship to Pune, and what does it cost?", null)
  yield* by(dana, 0.7)(updateConversation({ id: toPriya, priority: "high", labels: ["shipping"], ifVersion: null }))
})
