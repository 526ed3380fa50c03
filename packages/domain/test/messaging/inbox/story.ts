import type { InboundContent, InboundEvent, ContactEvent, ReceiptStatus } from "@parley/domain/messaging"
import { among, either, type ReportedEvent } from "@parley/testkit"
import { Arbitrary, DateTime, Schema } from "effect"

/** When stories end. Nothing in them is later, but for clocks that go wrong. */
export const storyEnd = DateTime.makeUnsafe("2026-03-10T12:00:00Z")

/** The numbers that the organization writes from, as the provider knows them. */
export const numbers = ["phone-1", "phone-2"] as const

/** The sender: by phone number, by the provider's id, or by both. */
export const people = [
  { phone: "+491701234561", chatUser: null, name: "Ada" },
  { phone: "+491701234562", chatUser: "DE.2", name: "Blaise" },
  { phone: null, chatUser: "DE.3", name: null },
  { phone: "+491701234564", chatUser: null, name: "Dorothy" },
  { phone: "+491701234565", chatUser: "DE.5", name: "Emmy" },
  // The second one again, from another phone.
  { phone: "+491701234569", chatUser: "DE.2", name: "Blaise" }
] as const

/** Number of messages before the story starts. The known data of each follows from its number. */
export const outgoing = 6

const integers = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/** Seconds before the end of the story: a wrong clock can report a future time. */
const secondsAgo = either(integers(0, 200_000), among([0, 1, 2, -30]))

const at = (ago: number) => DateTime.subtract(storyEnd, { seconds: ago })

const contents: ReadonlyArray<InboundContent> = [
  { kind: "text", text: "Hello" },
  { kind: "text", text: "stop" },
  { kind: "text", text: "a\0b\ud800" },
  { kind: "image", media: { mediaId: "77", mimeType: "image/png", sha256: null, caption: "Look", filename: null } },
  { kind: "location", latitude: 52.5, longitude: 13.4, name: null, address: "Berlin" },
  { kind: "location", latitude: 123, longitude: 456, name: "Nowhere", address: null },
  { kind: "interactive", id: "yes", title: "Yes" },
  { kind: "reaction", to: "wamid.out.0", emoji: "👍" },
  { kind: "contacts", contacts: [{ name: "Grace", phones: ["+15550100"] }] },
  { kind: "unsupported", type: "hologram" },
  {
    kind: "order",
    catalogId: "c",
    note: "Sliced\0",
    items: [{ productId: "rye", quantity: 2, price: { amountMinor: 450, currency: "EUR" } }]
  },
  { kind: "edit", of: "wamid.in.1", content: { kind: "text", text: "Hello there" } },
  { kind: "edit", of: "wamid.out.0", content: { kind: "text", text: "Hello there" } },
  { kind: "revocation", of: "wamid.in.0" },
  { kind: "system", text: "The number is the same.", newPhone: null }
]

const persons = among([0, 1, 2, 3, 4, 5] as const)

const messages = Arbitrary.map(
  Arbitrary.all({
    person: persons,
    number: among(numbers),
    ago: secondsAgo,
    content: among(contents),
    replyTo: among([null, null, "wamid.in.0", "wamid.in.1", "wamid.in.5", "wamid.out.0", "wamid.out.2"]),
    fromAdvertisement: among([false, true])
  }),
  ({ ago, content, fromAdvertisement, number, person, replyTo }) =>
    (index: number): InboundEvent => ({
      kind: "message",
      phoneId: number,
      id: `wamid.in.${index}`,
      at: at(ago),
      from: people[person],
      content,
      replyTo,
      fromAdvertisement
    })
)

/** Messages that the business writes elsewhere. Some have receipts. */
const echoes = Arbitrary.map(
  Arbitrary.all({ person: persons, number: among(numbers), ago: secondsAgo, content: among(contents) }),
  ({ ago, content, number, person }) =>
    (index: number): InboundEvent => ({
      kind: "echo",
      phoneId: number,
      id: `wamid.echo.${index}`,
      at: at(ago),
      to: people[person],
      content,
      replyTo: null
    })
)

const prices = [
  undefined,
  { billable: true, model: "PMP", category: "marketing", type: "regular" },
  { billable: false, model: "PMP", category: "service", type: null },
  {
    billable: null,
    model: "PMP",
    category: "referral_conversion",
    type: "free_entry_point",
    freeEntryPointExpiresAt: storyEnd
  }
] as const

const failure = { code: 131_026, reason: "Undeliverable", remedy: "skip_recipient" } as const

/** A receipt has a reference at random. The last two messages have no report. */
const receipts = Arbitrary.map(
  Arbitrary.all({
    message: integers(0, outgoing - 1),
    status: among<ReceiptStatus>(["sent", "delivered", "read", "played", "failed"]),
    ago: secondsAgo,
    isReferred: among([true, false]),
    ofEcho: among([null, null, 0, 1, 2, 3]),
    pricing: among(prices)
  }),
  ({ ago, isReferred, message, ofEcho, pricing, status }) =>
    (_: number, idOf: (message: number) => string): InboundEvent => ({
      kind: "receipt",
      phoneId: numbers[0],
      id: ofEcho === null ? `wamid.out.${message}` : `wamid.echo.${ofEcho}`,
      at: at(ago),
      status,
      to: { phone: people[3].phone, chatUser: null },
      reference: ofEcho === null && isReferred && message < outgoing - 2 ? idOf(message) : null,
      error: status === "failed" ? failure : null,
      ...(pricing !== undefined && { pricing })
    })
)

const preferences = Arbitrary.map(
  Arbitrary.all({ person: persons, ago: secondsAgo, marketing: among<"stop" | "resume">(["stop", "resume"]) }),
  ({ ago, marketing, person }) =>
    (): InboundEvent => ({ kind: "preference", phoneId: numbers[0], at: at(ago), from: people[person], marketing })
)

type Moment = (index: number, idOf: (message: number) => string) => InboundEvent

/** The events of a story, each once and unordered. */
export const moments: Arbitrary.Arbitrary<ReadonlyArray<Moment>> = Arbitrary.array(
  either<Moment>(messages, receipts, preferences, echoes),
  { minLength: 1, maxLength: 24 }
)

/** The events of a story. */
export const eventsOf = (story: ReadonlyArray<Moment>, idOf: (message: number) => string) =>
  story.map((moment, index) => moment(index, idOf) as ReportedEvent)

/** Number of events per delivery in an ordered story. */
const perDelivery = 3

/** The events at their places: a repeated event is in the same delivery. */
export const delivered = (events: ReadonlyArray<ReportedEvent>): ReadonlyArray<ContactEvent> =>
  events.map((event, index) => {
    const number = String(Math.floor(index / perDelivery)).padStart(4, "0")
    const deliveryId = `00000000-0000-7000-9000-${number}${"f".repeat(8)}`
    return { ...event, arrival: { deliveryId, at: storyEnd, position: index % perDelivery } }
  })

/** A seed of chance. */
export const seeds = integers(1, 2 ** 30)

/** Chance that can be had again. */
export const chance = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const shuffled = <A>(items: ReadonlyArray<A>, draw: (below: number) => number): ReadonlyArray<A> =>
  items
    .map((item) => ({ item, key: draw(2 ** 30) }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item)

/** The same events, each one to five times, in any order, in batches of any size. */
export const retold = <A>(items: ReadonlyArray<A>, seed: number): ReadonlyArray<ReadonlyArray<A>> => {
  const draw = chance(seed)
  const copies = items.flatMap((item) => Array.from({ length: 1 + draw(5) }, () => item))
  const batches: Array<Array<A>> = [[]]
  for (const item of shuffled(copies, draw)) {
    if (draw(4) === 0) batches.push([])
    batches.at(-1)?.push(item)
  }
  return batches
}
