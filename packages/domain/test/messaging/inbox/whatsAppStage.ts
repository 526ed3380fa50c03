import type { Organization } from "@parley/domain/platform"
import type { ChatAccount } from "@parley/domain/messaging"
import { applyReportedEvents, asOperatorOf, givenOrganization, type ReportedEvent } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { eventsIn, givenChatAccount } from "./given.ts"
import { storyEnd } from "./story.ts"

export const phone = "+491701234561"

export const user = "DE.1"

/** An organization with one number. */
export const givenNumber = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(storyEnd))
  const organization = yield* givenOrganization({ plan: "scale" })
  return { organization, account: yield* givenChatAccount(organization) }
})

let count = 0

type Reported<Kind extends ReportedEvent["kind"]> = Extract<ReportedEvent, { readonly kind: Kind }>

/** A message of the contact. */
export const incoming = (
  { externalPhoneId: phoneId }: ChatAccount,
  fields: Partial<Reported<"message">> = {}
): Reported<"message"> => {
  count += 1
  return {
    kind: "message",
    phoneId,
    id: `wamid.${count}`,
    at: storyEnd,
    from: { phone, chatUser: null, name: null },
    content: { kind: "text", text: "Hello" },
    replyTo: null,
    fromAdvertisement: false,
    ...fields
  }
}

/** A receipt for a message to the contact. */
export const receipt = (
  { externalPhoneId: phoneId }: ChatAccount,
  fields: Partial<Reported<"receipt">> & Pick<Reported<"receipt">, "id">
): Reported<"receipt"> => ({
  kind: "receipt",
  phoneId,
  at: storyEnd,
  status: "delivered",
  to: { phone, chatUser: null },
  reference: null,
  error: null,
  ...fields
})

/** A payment of an order that the number sent. */
export const payment = (
  { externalPhoneId: phoneId }: ChatAccount,
  fields: Partial<Reported<"payment">> & Pick<Reported<"payment">, "id" | "payment">
): Reported<"payment"> => ({ kind: "payment", phoneId, at: storyEnd, reference: null, ...fields })

/** A message from before the connection of the number. */
export const past = (
  { externalPhoneId: phoneId }: ChatAccount,
  fields: Partial<Reported<"history">> = {}
): Reported<"history"> => {
  count += 1
  return {
    kind: "history",
    phoneId,
    id: `wamid.past.${count}`,
    at: DateTime.subtract(storyEnd, { days: 3 }),
    direction: "inbound",
    person: { phone, chatUser: null },
    content: { kind: "text", text: "Are you open?" },
    replyTo: null,
    status: null,
    ...fields
  }
}

export const tell = (organization: Organization, ...events: ReadonlyArray<ReportedEvent>) =>
  applyReportedEvents(events).pipe(asOperatorOf(organization))

export const typesIn = (organization: Organization) =>
  Effect.map(eventsIn(organization), (events) => events.map(({ type }) => type))
