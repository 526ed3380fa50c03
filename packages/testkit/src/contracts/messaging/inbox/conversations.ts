import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { ContactMergeId } from "@parley/domain/crm"
import {
  ChatAccountId,
  ContactConversations,
  Conversation,
  ConversationId,
  Conversations,
  MessageId,
  SnoozeTimers
} from "@parley/domain/messaging"
import { Deferred, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { evening, givenContact, idsOf, inNewOrganization, sorted } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import {
  givenConversation,
  insertConversations,
  insertMessages,
  minutes,
  newConversation,
  newMessage,
  plainConversation,
  saveConversations
} from "./given.ts"

const stored = (id: ConversationId) => Effect.flatMap(Conversations, (conversations) => conversations.get(id))

const lockLatest = (pairs: ReadonlyArray<Pick<Conversation, "contactId" | "chatAccountId">>) =>
  Effect.flatMap(Conversations, (conversations) => conversations.lockLatest(pairs))

const counted = (me: UserId | null) => Effect.flatMap(Conversations, (conversations) => conversations.counts(me))

const nothing = { open: 0, pending: 0, snoozed: 0, resolved: 0, mine: 0, unassigned: 0, unread: 0 }

/** Opens a conversation if none exists. */
const open = Effect.fnUntraced(function* (pair: Pick<Conversation, "contactId" | "chatAccountId">) {
  const [latest] = yield* lockLatest([pair])
  if (latest !== undefined && latest.status !== "resolved") return latest.id
  const conversation = newConversation(pair)
  yield* (yield* Conversations).insert([conversation])
  return conversation.id
}, transact)

/** Contract of the conversations port, except its lists. */
export const conversations: StorageContract = {
  port: "Conversations",
  promises: (it, overlap) => {
    it.effect("gives a conversation back as it was stored, and whom it is with", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const contact = yield* givenContact({ name: 'Bäcker "O\'Neill" \\ 🥐', phone: "+4915112345678" })
          const conversation = yield* givenConversation({
            contactId: contact.id,
            status: "snoozed",
            priority: "urgent",
            assigneeId: freshId(UserId),
            snoozedUntil: minutes(7),
            labels: ["VIP, {really}", 'with "quotes"', "🥐\\"],
            inboundCount: 3,
            readCount: 2,
            lastMessage: {
              id: freshId(MessageId),
              direction: "outbound",
              kind: "image",
              text: 'Say "bread" \\ 🥖',
              at: minutes(3)
            },
            lastInboundAt: minutes(2),
            recipient: { kind: "chat_user", value: 'DE.1 "\\🥖' },
            recipientAt: minutes(2),
            windowExpiresAt: minutes(1_442),
            otherWindows: [
              { kind: "phone", value: "+491701234567", expiresAt: minutes(1_500) },
              { kind: "chat_user", value: "DE.2", expiresAt: minutes(12) }
            ],
            lastActivityAt: minutes(4),
            createdAt: minutes(1),
            updatedAt: minutes(5),
            version: 7
          })
          const there = yield* stored(conversation.id)
          assert.deepStrictEqual(plainConversation(there.conversation), plainConversation(conversation))
          assert.deepStrictEqual({ ...there.contact }, { id: contact.id, name: contact.name, phone: contact.phone })
          const bare = yield* givenConversation()
          assert.deepStrictEqual(plainConversation((yield* stored(bare.id)).conversation), plainConversation(bare))
          assert.strictEqual((yield* Effect.flip(stored(freshId(ConversationId)))).resource, "conversation")
        })
      )
    )

    it.effect("gives the latest end of a free entry point in the prices of its messages", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [conversation, other] = [yield* givenConversation(), yield* givenConversation()]
          const endOf = Effect.map(stored(conversation.id), ({ freeEntryPointExpiresAt }) => freeEntryPointExpiresAt)
          assert.isNull(yield* endOf)
          const priced = (of: Conversation, minute: number | null) =>
            newMessage(of, {
              direction: "outbound",
              status: "sent",
              pricing: {
                billable: false,
                model: "PMP",
                category: "referral_conversion",
                type: "free_entry_point",
                freeEntryPointExpiresAt: minute === null ? null : minutes(minute),
                at: minutes(1)
              }
            })
          const prices = [50, 90, 70, null].map((minute) => priced(conversation, minute))
          yield* insertMessages(conversation.chatAccountId, prices)
          yield* insertMessages(other.chatAccountId, [priced(other, 95)])
          assert.deepStrictEqual(yield* endOf, minutes(90))
        })
      )
    )

    it.effect("returns the windows with contacts over a number, in every status", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const chatAccountId = freshId(ChatAccountId)
          const windows = {
            recipient: { kind: "phone", value: "+491701234567" },
            windowExpiresAt: minutes(9),
            otherWindows: [{ kind: "chat_user", value: "DE.2", expiresAt: minutes(12) }]
          } as const
          const whole = yield* givenConversation({ chatAccountId, ...windows })
          const { contactId } = whole
          const over = { status: "resolved", windowExpiresAt: minutes(3), resolvedAt: minutes(4) } as const
          const resolved = yield* givenConversation({ chatAccountId, contactId, ...over })
          const silent = yield* givenConversation({ chatAccountId })
          const elsewhere = yield* givenConversation({ contactId, ...windows })
          const asked = (account: ChatAccountId, ids: ReadonlyArray<Conversation["contactId"]>) =>
            Effect.flatMap(Conversations, (port) => port.windows(account, ids))
          const found = yield* asked(chatAccountId, [contactId, silent.contactId])
          assert.sameDeepMembers(
            found.map((each) => ({ ...each })),
            [
              { contactId, ...windows },
              { contactId, recipient: resolved.recipient, windowExpiresAt: minutes(3), otherWindows: [] }
            ]
          )
          assert.deepStrictEqual(yield* asked(chatAccountId, [silent.contactId]), [])
          assert.lengthOf(yield* asked(elsewhere.chatAccountId, [contactId]), 1)
        })
      )
    )

    it.effect("returns contacts with an unresolved conversation over a number", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const chatAccountId = freshId(ChatAccountId)
          const open = yield* givenConversation({ chatAccountId, status: "open" })
          const snoozed = yield* givenConversation({ chatAccountId, status: "snoozed", snoozedUntil: minutes(9) })
          const over = { status: "resolved", resolvedAt: minutes(4) } as const
          const resolved = yield* givenConversation({ chatAccountId, ...over })
          yield* givenConversation({ chatAccountId, contactId: open.contactId, ...over })
          const elsewhere = yield* givenConversation({ status: "open" })
          const all = [open, snoozed, resolved, elsewhere].map(({ contactId }) => contactId)
          const asked = (ids: typeof all) => Effect.flatMap(Conversations, (port) => port.talking(chatAccountId, ids))
          assert.sameMembers([...(yield* asked(all))], [open.contactId, snoozed.contactId])
          assert.deepStrictEqual([...(yield* asked([snoozed.contactId, resolved.contactId]))], [snoozed.contactId])
          assert.isEmpty([...(yield* asked([]))])
        })
      )
    )

    it.effect("saves with the next version, for every given version", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [one, two, other] = [yield* givenConversation(), yield* givenConversation(), yield* givenConversation()]
          const changed = [one, two].map((conversation, at) =>
            newConversation({
              ...conversation,
              status: at === 0 ? "resolved" : "pending",
              priority: "high",
              assigneeId: freshId(UserId),
              labels: ["a", "b"],
              inboundCount: 2,
              readCount: 1,
              lastMessage: { id: freshId(MessageId), direction: "inbound", kind: "text", text: null, at: minutes(8) },
              lastInboundAt: minutes(8),
              recipient: at === 0 ? { kind: "phone", value: "+491701234567" } : null,
              recipientAt: at === 0 ? minutes(8) : null,
              windowExpiresAt: minutes(9),
              otherWindows: at === 0 ? [{ kind: "chat_user", value: "DE.2", expiresAt: minutes(9) }] : [],
              resolvedAt: at === 0 ? minutes(10) : null,
              lastActivityAt: minutes(11),
              updatedAt: minutes(12),
              version: 99
            })
          )
          const saved = yield* saveConversations(changed)
          const expected = changed.map((each) => ({ ...plainConversation(each), version: 2 }))
          assert.sameDeepMembers(saved.map(plainConversation), expected)
          assert.deepStrictEqual(
            (yield* Effect.forEach([one, two], ({ id }) => stored(id))).map(({ conversation }) =>
              plainConversation(conversation)
            ),
            expected
          )
          assert.deepStrictEqual(plainConversation((yield* stored(other.id)).conversation), plainConversation(other))
          assert.deepStrictEqual(yield* saveConversations([]), [])
        })
      )
    )

    it.effect("locks existing ones, once each", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [one, two] = [yield* givenConversation(), yield* givenConversation()]
          yield* givenConversation()
          const port = yield* Conversations
          const taken = yield* transact(port.lock([two.id, one.id, freshId(ConversationId), one.id]))
          assert.deepStrictEqual(sorted(idsOf(taken)), sorted([one.id, two.id]))
          assert.deepStrictEqual(yield* transact(port.lock([])), [])
        })
      )
    )

    it.effect("takes of each pair the unresolved one, or else the one resolved last", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [one, two, three, fresh] = [
            yield* givenContact(),
            yield* givenContact(),
            yield* givenContact(),
            yield* givenContact()
          ]
          const [account, another] = [freshId(ChatAccountId), freshId(ChatAccountId)]
          const given = (contactId: Conversation["contactId"], input: Partial<Conversation>) =>
            givenConversation({ contactId, chatAccountId: account, ...input })
          yield* given(one.id, { status: "resolved", resolvedAt: minutes(900) })
          const unresolved = yield* given(one.id, { status: "pending" })
          const elsewhere = yield* given(one.id, { chatAccountId: another })
          yield* given(two.id, { status: "resolved", resolvedAt: minutes(5), lastActivityAt: minutes(99) })
          const last = yield* given(two.id, { status: "resolved", resolvedAt: minutes(6) })
          yield* given(two.id, { status: "resolved", resolvedAt: minutes(4), lastActivityAt: minutes(98) })
          yield* given(three.id, {})
          const taken = yield* transact(
            lockLatest([
              { contactId: one.id, chatAccountId: account },
              { contactId: one.id, chatAccountId: another },
              { contactId: two.id, chatAccountId: account },
              { contactId: two.id, chatAccountId: another },
              { contactId: fresh.id, chatAccountId: account },
              { contactId: two.id, chatAccountId: account }
            ])
          )
          assert.deepStrictEqual(sorted(idsOf(taken)), sorted([unresolved.id, elsewhere.id, last.id]))
          assert.deepStrictEqual(yield* transact(lockLatest([])), [])
        })
      )
    )

    it.effect(
      "lets a contact and an account have one unresolved conversation, and writes none of those told with another",
      () =>
        inNewOrganization(
          Effect.gen(function* () {
            const contact = yield* givenContact()
            const there = yield* givenConversation({ contactId: contact.id, status: "pending" })
            const pair = { contactId: contact.id, chatAccountId: there.chatAccountId }
            const other = newConversation({ contactId: contact.id, chatAccountId: freshId(ChatAccountId) })
            const clash = yield* Effect.flip(insertConversations([other, newConversation(pair)]))
            assert.strictEqual(clash.conversationId, there.id)
            assert.strictEqual((yield* Effect.flip(stored(other.id)))._tag, "NotFound")

            const former = yield* givenConversation({ ...pair, status: "resolved" })
            yield* givenConversation({ ...pair, status: "resolved" })
            const touched = newConversation({ ...other, priority: "high" })
            yield* insertConversations([other])
            const reopened = newConversation({ ...former, status: "open", resolvedAt: null })
            const again = yield* Effect.flip(saveConversations([touched, reopened]))
            assert.strictEqual(again.conversationId, there.id)
            assert.strictEqual((yield* stored(other.id)).conversation.priority, "none")
            assert.strictEqual((yield* stored(former.id)).conversation.status, "resolved")

            const twins = [0, 1].map(() =>
              newConversation({ contactId: contact.id, chatAccountId: freshId(ChatAccountId) })
            )
            const [first, second] = twins
            if (first === undefined || second === undefined) return assert.fail()
            const within = yield* Effect.flip(
              insertConversations([first, newConversation({ ...second, chatAccountId: first.chatAccountId })])
            )
            assert.include(idsOf(twins), within.conversationId)
            assert.strictEqual((yield* Effect.flip(stored(first.id)))._tag, "NotFound")
          })
        )
    )

    it.effect("goes on in a unit of work that met an unresolved conversation", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const there = yield* givenConversation()
          const another = newConversation({ contactId: there.contactId, chatAccountId: freshId(ChatAccountId) })
          yield* transact(
            Effect.gen(function* () {
              const port = yield* Conversations
              yield* Effect.flip(port.insert([newConversation({ ...there, id: freshId(ConversationId) })]))
              yield* port.insert([another])
            })
          )
          assert.strictEqual((yield* stored(another.id)).conversation.id, another.id)
        })
      )
    )

    it.effect("resolves one and reopens another of a pair together", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const unresolved = yield* givenConversation()
          const { chatAccountId, contactId } = unresolved
          const former = yield* givenConversation({ chatAccountId, contactId, status: "resolved" })
          yield* saveConversations([
            newConversation({ ...former, status: "open", resolvedAt: null }),
            newConversation({ ...unresolved, status: "resolved", resolvedAt: evening })
          ])
          assert.deepStrictEqual(
            (yield* Effect.forEach([unresolved, former], ({ id }) => stored(id))).map(
              ({ conversation: { status } }) => status
            ),
            ["resolved", "open"]
          )
        })
      )
    )

    it.effect("opens one conversation under concurrency", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const { id: contactId } = yield* givenContact()
          const pair = { contactId, chatAccountId: freshId(ChatAccountId) }
          const opened = yield* Effect.all(
            Array.from({ length: 12 }, () => open(pair)),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(new Set(opened).size, 1)
          assert.deepStrictEqual(yield* counted(null), { ...nothing, open: 1, unassigned: 1 })
        })
      )
    )

    if (overlap === "writers") {
      it.effect("serializes locks of a pair across units of work, also without a conversation", () =>
        inNewOrganization(
          Effect.gen(function* () {
            const { id: contactId } = yield* givenContact()
            const pair = { contactId, chatAccountId: freshId(ChatAccountId) }
            const asked = yield* Deferred.make<void>()
            const go = yield* Deferred.make<void>()
            const conversation = newConversation(pair)
            const first = yield* Effect.forkChild(
              transact(
                Effect.gen(function* () {
                  yield* lockLatest([pair])
                  yield* Deferred.succeed(asked, undefined)
                  yield* Deferred.await(go)
                  yield* (yield* Conversations).insert([conversation])
                })
              )
            )
            yield* Deferred.await(asked)
            const second = yield* Effect.forkChild(transact(lockLatest([pair])))
            yield* Deferred.succeed(go, undefined)
            yield* Fiber.join(first)
            assert.deepStrictEqual(idsOf(yield* Fiber.join(second)), [conversation.id])
          })
        )
      )
    }

    it.effect("counts what there is right after every change", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [me, another] = [freshId(UserId), freshId(UserId)]
          assert.deepStrictEqual(yield* counted(me), nothing)
          const mine = yield* givenConversation({ assigneeId: me, inboundCount: 2, readCount: 1 })
          const pending = yield* givenConversation({ status: "pending", inboundCount: 1 })
          yield* givenConversation({ status: "snoozed", assigneeId: another, inboundCount: 3, readCount: 3 })
          yield* givenConversation({ status: "resolved", assigneeId: me, inboundCount: 1 })
          const before = { open: 1, pending: 1, snoozed: 1, resolved: 1, mine: 1, unassigned: 1, unread: 2 }
          assert.deepStrictEqual(yield* counted(me), before)
          assert.deepStrictEqual(yield* counted(null), { ...before, mine: 0 })

          yield* saveConversations([
            newConversation({ ...mine, status: "resolved", resolvedAt: evening }),
            newConversation({ ...pending, status: "open", assigneeId: me, readCount: 1 })
          ])
          const later = { open: 1, pending: 0, snoozed: 1, resolved: 2, mine: 1, unassigned: 0, unread: 0 }
          assert.deepStrictEqual(yield* counted(me), later)
          const undone = yield* Effect.exit(
            transact(
              Effect.andThen(
                (yield* Conversations).saveAll([newConversation({ ...mine, status: "open", resolvedAt: null })]),
                Effect.fail("undone" as const)
              )
            )
          )
          assert.strictEqual(undone._tag, "Failure")
          assert.deepStrictEqual(yield* counted(me), later)
          yield* saveConversations([newConversation({ ...mine, status: "open", resolvedAt: null })])
          assert.deepStrictEqual(yield* counted(me), {
            ...later,
            open: 2,
            resolved: 1,
            mine: 2,
            unread: 1
          })
        })
      )
    )

    it.effect("counts changes of conversations with their contacts", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [from, to] = [yield* givenContact(), yield* givenContact()]
          const chatAccountId = freshId(ChatAccountId)
          yield* givenConversation({ contactId: from.id, chatAccountId })
          yield* givenConversation({ contactId: to.id, chatAccountId, inboundCount: 1, lastActivityAt: minutes(1) })
          yield* givenConversation({ contactId: from.id, chatAccountId, status: "resolved" })
          yield* givenConversation({ status: "resolved" })
          const contacts = yield* ContactConversations
          yield* transact(contacts.handOver(from.id, to.id, freshId(ContactMergeId), evening))
          assert.deepStrictEqual(yield* counted(null), { ...nothing, open: 1, resolved: 3, unassigned: 1, unread: 1 })
          yield* transact(contacts.forget([to.id]))
          assert.deepStrictEqual(yield* counted(null), { ...nothing, resolved: 1 })
        })
      )
    )

    it.effect(
      "finds snoozed conversations whose time has come, the longest overdue first, and when the next one's comes",
      () =>
        Effect.gen(function* () {
          const clock = yield* SnoozeTimers
          yield* inNewOrganization(
            Effect.gen(function* () {
              assert.deepStrictEqual(yield* clock.due(minutes(100), 10), [])
              assert.isNull(yield* clock.nextDue())
            })
          )
          const snoozed = (at: number) => givenConversation({ status: "snoozed", snoozedUntil: minutes(at) })
          yield* inNewOrganization(Effect.all([snoozed(-40), snoozed(-15)]))
          yield* inNewOrganization(
            Effect.gen(function* () {
              const [second, first, third, later] = yield* Effect.all([
                snoozed(-20),
                snoozed(-30),
                snoozed(-10),
                snoozed(1)
              ])
              assert.deepStrictEqual(yield* clock.due(minutes(-10), 100), [first.id, second.id, third.id])
              assert.deepStrictEqual(yield* clock.due(minutes(-10), 2), [first.id, second.id])
              assert.deepStrictEqual(yield* clock.nextDue(), minutes(-30))
              yield* saveConversations([
                new Conversation({ ...first, status: "open", snoozedUntil: null }),
                new Conversation({ ...second, status: "open", snoozedUntil: null }),
                new Conversation({ ...third, snoozedUntil: minutes(2) })
              ])
              assert.deepStrictEqual(yield* clock.due(minutes(1), 100), [later.id])
              assert.deepStrictEqual(yield* clock.nextDue(), minutes(1))
            })
          )
        })
    )
  }
}

/** Checks an adapter against the promises of the port of conversations. */
export const conversationsContract = runContract(conversations)
