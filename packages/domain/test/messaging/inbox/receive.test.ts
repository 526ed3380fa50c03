import { assert, describe, it } from "@effect/vitest"
import { Contact, ContactId } from "@parley/domain/crm"
import {
  acceptedAt,
  type AcceptedAnswer,
  ChatAccountId,
  Conversation,
  ConversationId,
  isByPerson,
  type LoadedState,
  Message,
  MessageId,
  type ForAccount,
  type ContactEvent,
  receiveEvents,
  type ReceivingOutcome,
  type Recipient
} from "@parley/domain/messaging"
import { DateTime } from "effect"
import { delivered, eventsOf, moments, numbers, outgoing, people, retold, seeds, storyEnd } from "./story.ts"

const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`

const account = (index: number) => ChatAccountId.make(uuid(100 + index))

const long = DateTime.subtract(storyEnd, { days: 30 })

const known = (person: 2 | 3 | 4, blockedAt: DateTime.Utc | null = null) => {
  const { chatUser, name, phone } = people[person]
  const identity = { source: "api", addedAt: long } as const
  return new Contact({
    id: ContactId.make(uuid(200 + person)),
    name,
    phone,
    email: null,
    identities: [
      ...(phone === null ? [] : [{ ...identity, kind: "phone" as const, value: phone }]),
      ...(chatUser === null ? [] : [{ ...identity, kind: "chat_user" as const, value: chatUser }])
    ],
    locale: null,
    timezone: null,
    attributes: {},
    tags: [],
    consent: { marketing: "unknown", source: null, changedAt: null },
    blockedAt,
    lastSeenAt: null,
    lastInboundAt: null,
    createdAt: long,
    updatedAt: long,
    version: 1
  })
}

const conversation = (person: 2 | 3 | 4, status: Conversation["status"], fields: Partial<Conversation> = {}) =>
  new Conversation({
    id: ConversationId.make(uuid(300 + person)),
    contactId: ContactId.make(uuid(200 + person)),
    chatAccountId: account(0),
    status,
    priority: "high",
    assigneeId: null,
    snoozedUntil: status === "snoozed" ? DateTime.add(storyEnd, { days: 1 }) : null,
    labels: [],
    inboundCount: 3,
    readCount: 3,
    lastMessage: null,
    lastInboundAt: null,
    recipient: null,
    recipientAt: null,
    windowExpiresAt: null,
    otherWindows: [],
    resolvedAt: status === "resolved" ? long : null,
    lastActivityAt: long,
    createdAt: long,
    updatedAt: long,
    version: 1,
    ...fields
  })

const messageId = (index: number) => MessageId.make(uuid(400 + index))

/** The first two have the provider's id, the next two wait for it, and the last two have no report. */
const sent = Array.from({ length: outgoing - 2 }, (_, index) => {
  const isNamed = index < 2
  return new Message({
    id: messageId(index),
    conversationId: ConversationId.make(uuid(303)),
    direction: "outbound",
    kind: "text",
    text: "Hello",
    media: null,
    template: null,
    interactive: null,
    location: null,
    contacts: null,
    replyToId: null,
    recipient: null,
    author: { kind: "user", id: uuid(1) },
    status: isNamed ? "sent" : index === 2 ? "queued" : "in_doubt",
    error: null,
    providerMessageId: isNamed ? `wamid.out.${index}` : null,
    at: long,
    sentAt: isNamed ? storyEnd : null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: long
  })
})

/** Stored opt-outs of people who are unknown at the start of the story. */
const optOuts: LoadedState["optOuts"] = new Map([
  [`phone ${people[0].phone}`, DateTime.subtract(storyEnd, { seconds: 100_000 })],
  ["chat_user DE.2", DateTime.subtract(storyEnd, { seconds: 2 })]
])

/** A state that events change: it is in memory, and each batch gets all of it. */
class World {
  private count = 1_000
  contacts = new Map<string, Contact>()
  conversations = new Map<string, Conversation>()
  messages = new Map<string, ForAccount<Message>>()
  optOuts: LoadedState["optOuts"] = new Map()
  early: LoadedState["early"] = []
  answers = new Map<MessageId, AcceptedAnswer>()
  events: ReceivingOutcome["events"] = []

  constructor() {
    for (const contact of [known(2), known(3), known(4, long)]) this.contacts.set(contact.id, contact)
    for (const each of [conversation(2, "snoozed"), conversation(3, "resolved"), conversation(4, "resolved")]) {
      this.conversations.set(each.id, each)
    }
    for (const of of sent) this.messages.set(of.id, { chatAccountId: account(0), of })
  }

  tell(batch: ReadonlyArray<ContactEvent>, now = storyEnd) {
    const latest = Map.groupBy(this.conversations.values(), (each) => `${each.contactId} ${each.chatAccountId}`)
    const named = new Set(
      batch.flatMap((event) =>
        event.kind === "echo" || (event.kind === "receipt" && event.reference !== null) ? [event.id] : []
      )
    )
    const outcome = receiveEvents(
      {
        accounts: new Map(numbers.map((number, index) => [number, account(index)])),
        contacts: [...this.contacts.values()],
        optOuts: this.optOuts,
        conversations: Array.from(latest.values(), (all) => all.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
          .map((all) => all.find(({ status }) => status !== "resolved") ?? all.at(-1))
          .filter((each) => each !== undefined),
        waiting: [...this.conversations.values()],
        answers: [...this.answers.values()],
        messages: [...this.messages.values()],
        outside: new Set(),
        learned: new Set(),
        words: { optOutKeywords: {}, optInKeywords: {} },
        early: this.early.filter(({ of }) => named.has(of.providerMessageId))
      },
      batch,
      now,
      () => uuid((this.count += 1))
    )
    this.early = [...this.early.filter(({ of }) => !named.has(of.providerMessageId)), ...outcome.early]
    for (const contact of [...outcome.contacts.added, ...outcome.contacts.altered.map(({ after }) => after)]) {
      this.contacts.set(contact.id, contact)
    }
    for (const each of [...outcome.opened, ...outcome.changed]) this.conversations.set(each.id, each)
    for (const each of [...outcome.written, ...outcome.moved]) this.messages.set(each.of.id, each)
    for (const each of outcome.waiting) {
      const before = this.conversations.get(each.id)
      if (before !== undefined) this.conversations.set(each.id, new Conversation({ ...before, ...each }))
    }
    for (const [id, ending] of outcome.endings) {
      const of = this.messages.get(id)?.of
      const at = of === undefined ? null : acceptedAt(of)
      if (of === undefined || ending === null || at === null) this.answers.delete(id)
      else {
        const { conversationId } = of
        const answer = { conversationId, messageId: id, acceptedAt: at, byPerson: isByPerson(of), ...ending }
        this.answers.set(id, answer)
      }
    }
    this.events = [...this.events, ...outcome.events]
    return outcome
  }
}

const time = (at: DateTime.Utc | null) => (at === null ? null : DateTime.formatIso(at))

/** The reported messages in list order, newest first. */
const listed = (world: World, { id }: Conversation): ReadonlyArray<Message> =>
  Array.from(world.messages.values(), ({ of }) => of)
    .filter(
      ({ conversationId, providerMessageId }) =>
        conversationId === id && providerMessageId?.startsWith("wamid.out") === false
    )
    .toSorted((one, other) => DateTime.Order(other.at, one.at) || (one.id < other.id ? 1 : -1))

/** The final state, with ids that make two states comparable. */
const comparable = (world: World) => {
  const nameOf = (id: string) => {
    const identities = world.contacts.get(id)?.identities ?? []
    return identities
      .map(({ kind, value }) => `${kind} ${value}`)
      .toSorted()
      .join()
  }
  const conversationName = (each: Conversation | undefined) =>
    each === undefined ? "none" : `${nameOf(each.contactId)} ${each.chatAccountId} ${time(each.createdAt)}`
  return {
    contacts: Array.from(world.contacts.values(), ({ consent, id, lastInboundAt, lastSeenAt, name }) => [
      nameOf(id),
      name,
      consent.marketing,
      time(consent.changedAt),
      time(lastInboundAt),
      time(lastSeenAt)
    ]).toSorted(),
    conversations: Array.from(world.conversations.values(), (each) => [
      conversationName(each),
      each.status,
      time(each.snoozedUntil),
      each.inboundCount,
      each.readCount,
      time(each.lastInboundAt),
      time(each.windowExpiresAt),
      each.recipient,
      time(each.recipientAt),
      each.otherWindows.map(({ expiresAt, kind, value }) => [kind, value, time(expiresAt)]),
      time(each.lastActivityAt),
      time(each.lastMessage?.at ?? null),
      each.lastMessage?.id ?? null,
      listed(world, each).map(({ id }) => id)
    ]).toSorted(),
    messages: Array.from(world.messages.values(), ({ of }) => [
      of.id,
      of.direction,
      of.pricing === null ? null : { ...of.pricing, at: time(of.pricing.at) },
      conversationName(world.conversations.get(of.conversationId)),
      of.kind,
      of.text,
      of.status,
      of.providerMessageId,
      time(of.at),
      time(of.sentAt),
      time(of.deliveredAt),
      time(of.readAt),
      time(of.failedAt),
      of.error
    ]).toSorted()
  }
}

const past = (at: DateTime.Utc) => DateTime.min(at, storyEnd)

const rank = { queued: 0, in_doubt: 1, sent: 2, failed: 3, delivered: 4, read: 5, received: 9 }

describe("receiving", () => {
  it.prop(
    "has one result for shuffled, repeated and batched events",
    { story: moments, seed: seeds },
    ({ seed, story }) => {
      const events = delivered(eventsOf(story, messageId))
      const [once, other] = [new World(), new World()]
      for (const world of [once, other]) world.optOuts = optOuts
      once.tell(events)
      for (const batch of retold(events, seed)) other.tell(batch)
      assert.deepStrictEqual(comparable(other), comparable(once))
    },
    { arbitrary: { runs: 400, seed: "retold" } }
  )

  it.prop(
    "equals the reports: every message once in delivery order, the furthest status, the latest window, unread counts",
    { story: moments, seed: seeds },
    ({ seed, story }) => {
      const events = delivered(eventsOf(story, messageId))
      const world = new World()
      for (const batch of retold(events, seed)) world.tell(batch)
      const result = events.filter((event) => event.kind === "message" || event.kind === "echo")
      const all = Array.from(world.messages.values(), ({ of }) => of)
      const received = all.filter(({ providerMessageId }) => result.some(({ id }) => id === providerMessageId))
      assert.sameMembers(
        received.map(({ providerMessageId }) => providerMessageId),
        result.map(({ id }) => id)
      )

      for (const [index, before] of sent.entries()) {
        const mine = events.filter((event) => event.kind === "receipt" && event.id === `wamid.out.${index}`)
        const isKnown =
          before.providerMessageId !== null ||
          mine.some((event) => event.kind === "receipt" && event.reference !== null)
        const reached = (isKnown ? mine : []).flatMap((event): ReadonlyArray<Message["status"]> =>
          event.kind === "receipt" ? [event.status === "played" ? "read" : event.status] : []
        )
        const furthest = reached.reduce((best, status) => (rank[status] > rank[best] ? status : best), before.status)
        assert.strictEqual(world.messages.get(before.id)?.of.status, furthest)
      }

      for (const each of world.conversations.values()) {
        const contact = world.contacts.get(each.contactId)
        const mine = received.filter(
          ({ conversationId, direction }) => conversationId === each.id && direction === "inbound"
        )
        const asking = mine.filter(({ kind }) => kind !== "system" && kind !== "revocation")
        const unread = contact?.blockedAt === null ? asking.length : 0
        assert.strictEqual(each.inboundCount - each.readCount, unread)
        const here = result.flatMap((event) =>
          event.kind === "message" &&
          !["system", "edit", "revocation"].includes(event.content.kind) &&
          mine.some(({ providerMessageId }) => providerMessageId === event.id)
            ? [event]
            : []
        )
        const windowOf = (way: Recipient) =>
          here
            .filter(({ from: { chatUser, phone } }) => (way.kind === "phone" ? phone : chatUser) === way.value)
            .map(({ at }) => DateTime.add(past(at), { hours: 24 }))
            .reduce<DateTime.Utc | null>((best, end) => (best === null ? end : DateTime.max(best, end)), null)
        for (const { expiresAt, ...way } of each.otherWindows) {
          assert.strictEqual(time(expiresAt), time(windowOf(way)))
        }
        if (here.length === 0) continue
        if (each.recipient === null) assert.fail("No reply is sent")
        assert.strictEqual(time(each.windowExpiresAt), time(windowOf(each.recipient)))
        const last = here.reduce<DateTime.Utc>((best, { at }) => DateTime.max(best, past(at)), past(long))
        assert.strictEqual(time(each.recipientAt), time(last))
        const lastWays = here
          .filter(({ at }) => time(past(at)) === time(last))
          .map(({ from }) => from.phone ?? from.chatUser)
        assert.include(lastWays, each.recipient.value)
      }

      const toldAt = new Map(result.map(({ at, id }, place) => [id, { at: past(at), place }]))
      for (const each of world.conversations.values()) {
        const shown = listed(world, each)
        const places = shown.map(({ providerMessageId }) => toldAt.get(providerMessageId ?? "") ?? assert.fail())
        const inOrder = places.toSorted((one, other) => DateTime.Order(other.at, one.at) || other.place - one.place)
        assert.deepStrictEqual(places, inOrder)
        if (shown.length > 0) assert.strictEqual(each.lastMessage?.id, shown[0]?.id)
      }

      const open = Array.from(world.conversations.values()).filter(({ status }) => status !== "resolved")
      const pairs = open.map(({ chatAccountId, contactId }) => `${contactId} ${chatAccountId}`)
      assert.lengthOf(new Set(pairs), pairs.length)
      assert.isEmpty(open.filter(({ contactId }) => world.contacts.get(contactId)?.blockedAt !== null))
    },
    { arbitrary: { runs: 400, seed: "oracle" } }
  )

  it.prop(
    "publishes each change once",
    { story: moments, seed: seeds },
    ({ seed, story }) => {
      const events = delivered(eventsOf(story, messageId))
      const world = new World()
      for (const batch of retold(events, seed)) world.tell(batch)
      const messages = world.events
        .filter((event) => event.type === "message.received" || event.type === "message.echoed")
        .map((event) => event.messageId)
      assert.lengthOf(new Set(messages), messages.length)
      const again = world.tell(events)
      assert.deepStrictEqual(
        [
          again.events,
          again.opened,
          again.changed,
          again.written,
          again.moved,
          again.contacts.added,
          again.contacts.altered
        ],
        [[], [], [], [], [], [], []]
      )
    },
    { arbitrary: { runs: 200, seed: "once" } }
  )

  it("keeps a receipt for later that refers to the message of another account", () => {
    const world = new World()
    const [before = assert.fail()] = sent.slice(3)
    const result: ContactEvent = {
      kind: "receipt",
      phoneId: numbers[1],
      arrival: { deliveryId: uuid(1), position: 0, at: storyEnd },
      id: "wamid.new",
      at: storyEnd,
      status: "read",
      to: people[0],
      reference: before.id,
      error: null
    }
    const { early, moved } = world.tell([result])
    assert.deepStrictEqual([moved, early.map(({ chatAccountId }) => chatAccountId)], [[], [account(1)]])
    assert.strictEqual(world.tell([{ ...result, phoneId: numbers[0] }]).moved[0]?.of.status, "read")
  })
})
