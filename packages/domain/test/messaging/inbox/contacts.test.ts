import { assert, layer } from "@effect/vitest"
import { type Actor, AutomationTokenId, nextId, type Tenancy, transact, UserId } from "@parley/domain/kernel"
import { FileId, Files } from "@parley/domain/platform"
import {
  changeContacts,
  type Contact,
  deleteContact,
  eraseContact,
  mergeContacts,
  unmergeContacts,
  updateContact
} from "@parley/domain/crm"
import {
  ContactConversations,
  type Conversation,
  createNote,
  getConversation,
  getMessage,
  listConversations,
  listMessages,
  listNotes,
  Media,
  MediaId,
  MediaLibrary,
  openConversation,
  readMedia,
  sendMessage,
  wakeSnoozed
} from "@parley/domain/messaging"
import { exportContact, type Ports, readTimeline, type TimelineEntry } from "@parley/domain/composition"
import {
  actingIn,
  asOperatorOf,
  givenContact,
  givenConversation,
  givenMessage,
  givenNumber,
  givenOrganization,
  type Of,
  TestKit,
  queuedMessages
} from "@parley/testkit"
import { DateTime, Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { traced } from "../../crm/traces.ts"
import { tagOf } from "../../tagOf.ts"

const page = { limit: 50, cursor: null }

const givenFile = Effect.fnUntraced(function* (organization: Of) {
  const inside = asOperatorOf(organization)
  const fileId = yield* nextId(FileId)
  const { size } = yield* (yield* Files).write(fileId, Stream.make(Uint8Array.of(1, 2, 3))).pipe(inside)
  const media = new Media({
    id: yield* nextId(MediaId),
    kind: "image",
    mimeType: "image/png",
    filename: null,
    size,
    state: "stored",
    fileId,
    remote: null,
    createdAt: yield* DateTime.now
  })
  yield* transact(Effect.flatMap(MediaLibrary, (library) => library.insert([media]))).pipe(inside)
  return { ...media, fileId }
})

const isThere = (organization: Of, id: FileId) =>
  Effect.map(tagOf(Effect.flatMap(Files, (files) => Stream.runDrain(files.read(id, 0)))), (tag) => tag === "ok").pipe(
    asOperatorOf(organization)
  )

/** A conversation with a message with a file, a queued message, and a note. */
const givenMuch = Effect.fnUntraced(function* (organization: Of, contact: Pick<Contact, "id">) {
  const conversation = yield* givenConversation(organization, { contactId: contact.id })
  const media = yield* givenFile(organization)
  const message = yield* givenMessage(organization, conversation, {
    kind: "image",
    media: { id: media.id, mimeType: "image/png", filename: null }
  })
  const inside = asOperatorOf(organization)
  const waiting = yield* Effect.orDie(sendMessage({ id: conversation.id, kind: "text", text: "Wait" }).pipe(inside))
  yield* Effect.orDie(createNote({ id: conversation.id, text: "A note" }).pipe(inside))
  return { conversation, media, message, waiting }
})

const namely = { phone: "+491701234567" } as const

layer(TestKit.layer)("a contact that is gone", (it) => {
  const ways = {
    deleted: (id: Contact["id"]) => tagOf(deleteContact({ id, ifVersion: null })),
    erased: (id: Contact["id"]) => tagOf(eraseContact({ id, ifVersion: null })),
    "deleted with others": (id: Contact["id"]) =>
      tagOf(changeContacts({ change: { action: "delete" }, target: { ids: [id] } }))
  }

  it.effect.each(Object.keys(ways) as ReadonlyArray<keyof typeof ways>)(
    "because it was %s takes its conversations along, with all that is in them, and nothing else",
    (way) =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const inside = asOperatorOf(organization)
        const contact = yield* givenContact(organization, namely)
        const other = yield* givenContact(organization, { phone: "+491701234568" })
        const { conversation, media, message, waiting } = yield* givenMuch(organization, contact)
        const kept = yield* givenMuch(organization, other)
        const shared = yield* givenFile(organization)
        for (const each of [conversation, kept.conversation]) {
          yield* givenMessage(organization, each, { media: { id: shared.id, mimeType: "image/png", filename: null } })
        }
        assert.strictEqual(yield* inside<string, never, Ports | Tenancy>(ways[way](contact.id)), "ok")

        assert.deepStrictEqual(
          (yield* listConversations({ page }).pipe(inside)).data.map(({ id }) => id),
          [kept.conversation.id]
        )
        assert.deepStrictEqual(
          yield* Effect.all([
            tagOf(getConversation({ id: conversation.id }).pipe(inside)),
            tagOf(getMessage({ id: conversation.id, messageId: message.id }).pipe(inside)),
            tagOf(listMessages({ id: conversation.id, page }).pipe(inside)),
            tagOf(listNotes({ id: conversation.id, page }).pipe(inside)),
            tagOf(readMedia({ id: media.id }).pipe(inside))
          ]),
          ["NotFound", "NotFound", "NotFound", "NotFound", "NotFound"]
        )
        assert.isFalse(yield* isThere(organization, media.fileId))
        assert.isTrue(yield* isThere(organization, shared.fileId))
        assert.isTrue(yield* isThere(organization, kept.media.fileId))
        assert.strictEqual(yield* tagOf(readMedia({ id: shared.id }).pipe(inside)), "ok")
        assert.lengthOf((yield* listMessages({ id: kept.conversation.id, page }).pipe(inside)).data, 3)
        assert.lengthOf((yield* listNotes({ id: kept.conversation.id, page }).pipe(inside)).data, 1)
        const now = yield* DateTime.now
        const ids = yield* queuedMessages(now)
        assert.include(ids, kept.waiting.id)
        assert.notInclude(ids, waiting.id)
      })
  )
})

layer(TestKit.layer)("two contacts that become one", (it) => {
  it.effect("have all conversations, at most one unresolved per number", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const survivor = yield* givenContact(organization, namely)
      const other = yield* givenContact(organization, { name: "Other", phone: "+491701234568" })
      const [one, two] = [yield* givenNumber(organization), yield* givenNumber(organization)]
      const now = yield* DateTime.now
      const at = (hours: number) => DateTime.add(now, { hours })
      const given = (contact: Contact, chatAccountId: typeof one.id, input: Partial<Conversation>) =>
        givenConversation(organization, { contactId: contact.id, chatAccountId, ...input })
      const mineOverOne = yield* given(survivor, one.id, { lastActivityAt: at(1), status: "pending" })
      const theirsOverOne = yield* given(other, one.id, { lastActivityAt: at(2) })
      const mineOverTwo = yield* given(survivor, two.id, { lastActivityAt: at(4) })
      const theirsOverTwo = yield* given(other, two.id, {
        lastActivityAt: at(3),
        status: "snoozed",
        snoozedUntil: at(5)
      })
      const theirFormer = yield* given(other, two.id, { status: "resolved" })

      const { answer, events } = yield* traced(
        organization,
        mergeContacts({ id: survivor.id, contactId: other.id, ifVersion: null })
      ).pipe(inside)
      const show = (id: Conversation["id"]) =>
        Effect.map(getConversation({ id }).pipe(inside), ({ contact, snoozedUntil, status, version }) => [
          contact.id,
          status,
          snoozedUntil,
          version
        ])
      const all = [mineOverOne, theirsOverOne, mineOverTwo, theirsOverTwo, theirFormer]
      assert.deepStrictEqual<unknown>(yield* Effect.forEach(all, ({ id }) => show(id)), [
        [survivor.id, "resolved", null, 2],
        [survivor.id, "open", null, 2],
        [survivor.id, "open", null, 2],
        [survivor.id, "resolved", null, 2],
        [survivor.id, "resolved", null, 2]
      ])
      assert.sameDeepMembers(
        events.filter(({ type }) => type === "conversation.status_changed"),
        [
          {
            type: "conversation.status_changed",
            conversationId: mineOverOne.id,
            from: "pending",
            to: "resolved",
            chatAccountId: mineOverOne.chatAccountId
          },
          {
            type: "conversation.status_changed",
            conversationId: theirsOverTwo.id,
            from: "snoozed",
            to: "resolved",
            chatAccountId: theirsOverTwo.chatAccountId
          }
        ]
      )

      const result = ({ id }: Pick<Conversation, "id">) =>
        Effect.map(listMessages({ id, page }).pipe(inside), ({ data }) =>
          data.flatMap(({ kind, text }) => (kind === "system" ? [text] : []))
        )
      const goesOn = `The contacts were merged. The conversation continues in ${theirsOverOne.id}.`
      const joins = `The contacts were merged. The conversation ${mineOverOne.id} was merged into this one.`
      assert.deepStrictEqual(yield* Effect.forEach([mineOverOne, theirsOverOne, theirFormer], result), [
        [goesOn],
        [joins],
        []
      ])
      const [kept] = yield* Effect.forEach([theirsOverOne], ({ id }) => getConversation({ id })).pipe(inside)
      assert.strictEqual(kept?.unreadCount, 2)
      assert.deepInclude(events, {
        type: "conversation.updated",
        conversationId: theirsOverOne.id,
        fields: ["unreadCount"]
      })

      const since = yield* Effect.orDie(
        openConversation({ contactId: survivor.id, chatAccountId: (yield* givenNumber(organization)).id }).pipe(inside)
      )
      // The snooze of one of them ends while they are merged.
      yield* TestClock.adjust("6 hours")
      yield* wakeSnoozed
      const undone = yield* traced(
        organization,
        unmergeContacts({ id: survivor.id, mergeId: answer.mergeId, ifVersion: null })
      ).pipe(inside)
      assert.sameDeepMembers(
        undone.events.filter(({ type }) => type === "conversation.status_changed"),
        [
          {
            type: "conversation.status_changed",
            conversationId: mineOverOne.id,
            from: "resolved",
            to: "pending",
            chatAccountId: mineOverOne.chatAccountId
          },
          {
            type: "conversation.status_changed",
            conversationId: theirsOverTwo.id,
            from: "resolved",
            to: "snoozed",
            chatAccountId: theirsOverTwo.chatAccountId
          }
        ]
      )
      assert.deepStrictEqual(
        yield* Effect.forEach(all, ({ id }) => Effect.map(getConversation({ id }), ({ status }) => status)).pipe(
          inside
        ),
        all.map(({ status }) => status)
      )
      yield* wakeSnoozed
      assert.strictEqual((yield* getConversation({ id: theirsOverTwo.id }).pipe(inside)).status, "open")
      assert.lengthOf(yield* result(mineOverOne), 2)
      assert.deepStrictEqual(
        yield* Effect.forEach([...all, since], ({ id }) =>
          Effect.map(getConversation({ id }).pipe(inside), ({ contact }) => contact)
        ),
        [survivor, other, survivor, other, other, survivor].map(({ id, name, phone }) => ({ id, name, phone }))
      )
    })
  )

  it.effect("are parted with what each merge brought, one after the other", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [a, b, c] = [
        yield* givenContact(organization, { name: "A" }),
        yield* givenContact(organization, { name: "B" }),
        yield* givenContact(organization, { name: "C" })
      ]
      const ofA = yield* givenConversation(organization, { contactId: a.id })
      const ofB = yield* givenConversation(organization, { contactId: b.id })
      const first = yield* mergeContacts({ id: b.id, contactId: a.id, ifVersion: null }).pipe(inside)
      const second = yield* mergeContacts({ id: c.id, contactId: b.id, ifVersion: null }).pipe(inside)
      const owners = Effect.forEach([ofA, ofB], ({ id }) =>
        Effect.map(getConversation({ id }), ({ contact }) => contact.name)
      ).pipe(inside)
      assert.deepStrictEqual(yield* owners, ["C", "C"])
      yield* unmergeContacts({ id: c.id, mergeId: second.mergeId, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* owners, ["B", "B"])
      yield* unmergeContacts({ id: b.id, mergeId: first.mergeId, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* owners, ["A", "B"])
    })
  )

  it.effect("are forgotten together", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const survivor = yield* givenContact(organization, namely)
      const other = yield* givenContact(organization, { phone: "+491701234568" })
      const { conversation, media } = yield* givenMuch(organization, other)
      yield* mergeContacts({ id: survivor.id, contactId: other.id, ifVersion: null }).pipe(inside)
      yield* eraseContact({ id: survivor.id, ifVersion: null }).pipe(inside)
      assert.strictEqual(yield* tagOf(getConversation({ id: conversation.id }).pipe(inside)), "NotFound")
      assert.isFalse(yield* isThere(organization, media.fileId))
    })
  )
})

/** A member who can read and export contacts, without access to the inbox. */
const outsider: Actor = {
  kind: "token",
  tokenId: AutomationTokenId.make("01990000-0000-7000-8000-0000000000aa"),
  responsibleUserId: UserId.make("01990000-0000-7000-8000-0000000000bb"),
  permissions: new Set(["contacts.read", "contacts.export"])
}

/** A contact with alternating events in the inbox and elsewhere, and these events, newest first. */
const givenStory = Effect.fnUntraced(function* (organization: Of) {
  const inside = asOperatorOf(organization)
  const contact = yield* givenContact(organization, namely)
  const other = yield* givenContact(organization, { phone: "+491701234568" })
  const after = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.andThen(TestClock.adjust("1 minute"), effect)
  yield* after(updateContact({ id: contact.id, blocked: true, ifVersion: null }).pipe(inside))
  const now = yield* DateTime.now
  const conversation = yield* after(givenConversation(organization, { contactId: contact.id, createdAt: now }))
  const media = yield* after(givenFile(organization))
  const photo = {
    kind: "image",
    text: "Two loaves",
    media: { id: media.id, mimeType: "image/png", filename: null }
  } as const
  yield* after(Effect.flatMap(DateTime.now, (at) => givenMessage(organization, conversation, { ...photo, at })))
  yield* after(updateContact({ id: contact.id, blocked: false, ifVersion: null }).pipe(inside))
  const note = yield* after(createNote({ id: conversation.id, text: "Asks each Friday" }).pipe(inside))
  const theirs = yield* after(
    Effect.flatMap(DateTime.now, (createdAt) => givenConversation(organization, { contactId: other.id, createdAt }))
  )
  yield* after(mergeContacts({ id: contact.id, contactId: other.id, ifVersion: null }).pipe(inside))
  const late = yield* givenMessage(organization, theirs, { text: "Told late", at: note.createdAt })
  const result = [
    "merged",
    `conversation_opened ${theirs.id}`,
    "message Told late",
    "note Asks each Friday",
    "unblocked",
    "message Two loaves",
    `conversation_opened ${conversation.id}`,
    "blocked"
  ]
  return { contact, conversation, late, media, note, theirs, result }
}, Effect.orDie)

const inWords = (entry: TimelineEntry) => {
  if (entry.kind === "conversation_opened") return `${entry.kind} ${entry.conversationId}`
  return "text" in entry ? `${entry.kind} ${entry.text}` : entry.kind
}

layer(TestKit.layer)("the history of a contact", (it) => {
  it.effect("is one timeline of the inbox and other areas, newest first, for every page size", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { contact, result: reported } = yield* givenStory(organization)
      for (const limit of [1, 2, 3, 7, 50]) {
        const pages: Array<string> = []
        let cursor: string | null = null
        do {
          const page: { readonly data: ReadonlyArray<TimelineEntry>; readonly nextCursor: string | null } =
            yield* readTimeline({ id: contact.id, page: { limit, cursor } }).pipe(asOperatorOf(organization))
          pages.push(...page.data.map(inWords))
          cursor = page.nextCursor
        } while (cursor !== null)
        assert.deepStrictEqual(pages, reported, `pages of ${limit}`)
      }
    })
  )

  it.effect("shows sender and delivery state of a message", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { contact, late, theirs } = yield* givenStory(organization)
      const { data } = yield* readTimeline({ id: contact.id, page }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        data.find(({ id }) => id === late.id),
        {
          kind: "message",
          id: late.id,
          at: late.at,
          conversationId: theirs.id,
          direction: "inbound",
          messageKind: "text",
          text: "Told late",
          status: "received",
          author: late.author
        }
      )
    })
  )

  it.effect("hides message texts without conversations.read", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { contact } = yield* givenStory(organization)
      const outside = actingIn(organization, outsider)
      const one = yield* readTimeline({ id: contact.id, page: { limit: 2, cursor: null } }).pipe(outside)
      const two = yield* readTimeline({ id: contact.id, page: { limit: 2, cursor: one.nextCursor } }).pipe(outside)
      assert.deepStrictEqual([...one.data, ...two.data].map(inWords), ["merged", "unblocked", "blocked"])
      assert.isNull(two.nextCursor)
      const { complete, conversations, media, messages, notes, timeline } = yield* exportContact({
        id: contact.id
      }).pipe(outside)
      assert.deepStrictEqual([complete, conversations, messages, notes, media], [false, [], [], [], []])
      assert.deepStrictEqual(timeline.map(inWords), ["merged", "unblocked", "blocked"])
    })
  )

  it.effect("is exported with all messages, including messages of merged contacts", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { contact, conversation, late, media, note, theirs, result: reported } = yield* givenStory(organization)
      const known = yield* exportContact({ id: contact.id }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(known.timeline.map(inWords), reported)
      assert.deepStrictEqual(
        known.conversations.map(({ id }) => id),
        [theirs.id, conversation.id]
      )
      assert.deepStrictEqual(
        known.messages.map(({ text }) => text),
        ["Told late", "Two loaves"]
      )
      assert.deepStrictEqual(known.messages[0], late)
      assert.deepStrictEqual(known.notes, [note])
      assert.deepStrictEqual(known.media, [
        {
          id: media.id,
          kind: "image",
          mimeType: "image/png",
          filename: null,
          size: 3,
          createdAt: media.createdAt,
          url: `/api/v1/media/${media.id}`
        }
      ])
      assert.isTrue(known.complete)
    })
  )

  it.effect("is not complete where more was written than fits", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { contact } = yield* givenStory(organization)
      const real = yield* ContactConversations
      const much = ContactConversations.of({
        ...real,
        correspondence: (id, limit) =>
          Effect.map(real.correspondence(id, limit), ({ messages, ...rest }) => ({
            ...rest,
            messages: Array.from({ length: limit }, () => messages[0]).filter((message) => message !== undefined)
          }))
      })
      const known = yield* exportContact({ id: contact.id }).pipe(
        Effect.provideService(ContactConversations, much),
        asOperatorOf(organization)
      )
      assert.deepStrictEqual([known.complete, known.messages.length], [false, 10_000])
    })
  )
})
