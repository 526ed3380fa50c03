import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { type Contact, ContactMergeId } from "@parley/domain/crm"
import {
  type ChatAccountId,
  ChatAccountId as Account,
  ContactConversations,
  Conversation,
  Conversations,
  MessageId,
  Messages
} from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { evening, givenContact, inNewOrganization } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import { givenConversation, minutes, plainConversation, saveConversations } from "./given.ts"

/** Chance that can be had again. */
const chance = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Draw = ReturnType<typeof chance>

const one = <A>(draw: Draw, of: readonly [A, ...ReadonlyArray<A>]): A => of[draw(of.length)] ?? of[0]

const members = [freshId(UserId), freshId(UserId), freshId(UserId)] as const

const labels = Array.from({ length: 15 }, (_, index) => `label ${index}`)

/** Any state that a conversation can be in. */
const anyState = (draw: Draw, isUnresolved: boolean) => {
  const status = isUnresolved ? one(draw, ["open", "pending", "snoozed"] as const) : ("resolved" as const)
  const inboundCount = draw(5)
  const written = draw(100)
  const way = () => ({ kind: "phone" as const, value: `+4917012345${10 + draw(20)}` })
  const recipient = one(draw, [null, way(), way()])
  return {
    status,
    snoozedUntil: status === "snoozed" ? minutes(200 + draw(100)) : null,
    resolvedAt: status === "resolved" ? minutes(written) : null,
    waitingSince: isUnresolved ? one(draw, [null, minutes(draw(50))]) : null,
    priority: one(draw, ["none", "low", "medium", "high", "urgent"] as const),
    assigneeId: one(draw, [null, ...members]),
    labels: labels.filter(() => draw(3) > 0),
    inboundCount,
    readCount: draw(inboundCount + 1),
    recipient,
    recipientAt: recipient === null ? null : minutes(written),
    windowExpiresAt: recipient === null ? null : minutes(1_440 + written),
    otherWindows:
      recipient === null || draw(2) === 0
        ? []
        : [{ kind: "chat_user" as const, value: `DE.${draw(9)}`, expiresAt: minutes(1_000 + draw(99)) }],
    lastActivityAt: minutes(written)
  }
}

const givenInbox = Effect.fnUntraced(function* (draw: Draw, contact: Contact, accounts: ReadonlyArray<ChatAccountId>) {
  const found: Array<Conversation> = []
  for (const chatAccountId of accounts) {
    const given = (isUnresolved: boolean) =>
      givenConversation({ ...anyState(draw, isUnresolved), contactId: contact.id, chatAccountId })
    if (draw(3) > 0) found.push(yield* given(true))
    if (draw(2) === 0) found.push(yield* given(false))
  }
  return found
})

const read = (conversations: ReadonlyArray<Conversation>) =>
  Effect.forEach(conversations, ({ id }) =>
    Effect.map(
      Effect.flatMap(Conversations, (port) => port.get(id)),
      ({ conversation }) => conversation
    )
  )

/** All that a conversation is, but how often and when it was changed. */
const essence = (conversation: Conversation) => {
  const { updatedAt: _, version: __, ...rest } = plainConversation(conversation)
  return rest
}

const essences = (conversations: ReadonlyArray<Conversation>) =>
  Effect.map(read(conversations), (all) => all.map(essence))

const tallies = Effect.flatMap(Conversations, (port) => port.counts(members[0]))

const merge = Effect.fnUntraced(function* (from: Contact, to: Contact) {
  const mergeId = freshId(ContactMergeId)
  const changes = yield* transact(
    Effect.flatMap(ContactConversations, (port) => port.handOver(from.id, to.id, mergeId, evening))
  )
  return { mergeId, changes }
})

const unmerge = (mergeId: ContactMergeId, from: Contact, to: Contact, later: ReadonlyArray<ContactMergeId> = []) =>
  transact(
    Effect.flatMap(ContactConversations, (port) => port.handBack({ mergeId, from: from.id, to: to.id, later }, evening))
  )

const seeds = Array.from({ length: 12 }, (_, index) => 7 * index + 1)

const twoAccounts = () => [freshId(Account), freshId(Account)]

/** The promises about conversations that a merge joins. */
export const contactJoins: StorageContract = {
  port: "ContactConversations, joined",
  promises: (it) => {
    it.effect("keeps the more urgent values, and resolves the longer idle one", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [from, to] = [yield* givenContact(), yield* givenContact()]
          const [chatAccountId] = twoAccounts()
          if (chatAccountId === undefined) return
          const phone = (value: string) => ({ kind: "phone" as const, value })
          const idle = yield* givenConversation({
            contactId: to.id,
            chatAccountId,
            status: "open",
            priority: "urgent",
            assigneeId: members[0],
            labels: ["a", "b"],
            inboundCount: 5,
            readCount: 2,
            recipient: phone("+491701234567"),
            recipientAt: minutes(1),
            windowExpiresAt: minutes(1_441),
            lastActivityAt: minutes(1)
          })
          const busy = yield* givenConversation({
            contactId: from.id,
            chatAccountId,
            status: "snoozed",
            priority: "low",
            labels: ["b", "c"],
            inboundCount: 4,
            readCount: 3,
            recipient: phone("+491701234568"),
            recipientAt: minutes(2),
            windowExpiresAt: minutes(1_442),
            lastActivityAt: minutes(3)
          })
          const before = yield* tallies
          const { changes } = yield* merge(from, to)
          assert.sameMembers(
            changes.map(({ after }) => after.id),
            [idle.id, busy.id]
          )
          const [ended, kept] = yield* read([idle, busy])
          assert.deepInclude(kept === undefined ? {} : essence(kept), {
            contactId: to.id,
            status: "open",
            snoozedUntil: null,
            priority: "urgent",
            assigneeId: members[0],
            labels: ["b", "c", "a"],
            inboundCount: 7,
            readCount: 3,
            recipient: phone("+491701234568")
          })
          assert.deepStrictEqual(kept?.otherWindows, [{ ...phone("+491701234567"), expiresAt: minutes(1_441) }])
          assert.deepStrictEqual([ended?.status, ended?.inboundCount, ended?.readCount], ["resolved", 5, 5])
          const after = yield* tallies
          assert.deepStrictEqual([after.resolved - before.resolved, after.unread - before.unread], [1, -1])
        })
      )
    )

    it.effect("reverses a merge of any two inboxes", () =>
      inNewOrganization(
        Effect.forEach(
          seeds,
          Effect.fnUntraced(function* (seed) {
            const draw = chance(seed)
            const accounts = twoAccounts()
            const [from, to] = [yield* givenContact(), yield* givenContact()]
            const inbox = [...(yield* givenInbox(draw, from, accounts)), ...(yield* givenInbox(draw, to, accounts))]
            const [before, counted] = [yield* essences(inbox), yield* tallies]
            const { mergeId } = yield* merge(from, to)
            yield* unmerge(mergeId, to, from)
            assert.deepStrictEqual(yield* essences(inbox), before, `seed ${seed}`)
            assert.deepStrictEqual(yield* tallies, counted, `seed ${seed}`)
          }),
          { discard: true }
        )
      )
    )

    it.effect("undoes merges in any order, as if only the others had been", () =>
      inNewOrganization(
        Effect.forEach(
          seeds,
          Effect.fnUntraced(function* (seed) {
            const draw = chance(seed)
            const accounts = twoAccounts()
            const [a, b, c] = [yield* givenContact(), yield* givenContact(), yield* givenContact()]
            const [ofA, ofB, ofC] = [
              yield* givenInbox(draw, a, accounts),
              yield* givenInbox(draw, b, accounts),
              yield* givenInbox(draw, c, accounts)
            ]
            const all = [...ofA, ...ofB, ...ofC]
            const before = yield* essences(all)
            const alone = yield* merge(c, a)
            const withoutB = yield* essences(all)
            yield* unmerge(alone.mergeId, a, c)
            assert.deepStrictEqual(yield* essences(all), before, `seed ${seed}`)
            const first = yield* merge(b, a)
            const second = yield* merge(c, a)
            yield* unmerge(first.mergeId, a, b, [second.mergeId])
            assert.deepStrictEqual(yield* essences(all), withoutB, `seed ${seed}, the first one undone`)
            yield* unmerge(second.mergeId, a, c)
            assert.deepStrictEqual(yield* essences(all), before, `seed ${seed}, both undone`)
          }),
          { discard: true }
        )
      )
    )

    it.effect("keeps changes made during the merge", () =>
      inNewOrganization(
        Effect.forEach(
          seeds,
          Effect.fnUntraced(function* (seed) {
            const draw = chance(seed)
            const accounts = twoAccounts()
            const [from, to] = [yield* givenContact(), yield* givenContact()]
            const inbox = [...(yield* givenInbox(draw, from, accounts)), ...(yield* givenInbox(draw, to, accounts))]
            const before = yield* read(inbox)
            const { mergeId } = yield* merge(from, to)
            const touches = (yield* read(inbox)).map((each) => {
              const touched: Partial<Conversation> = {
                ...(draw(2) === 0 && { priority: each.priority === "medium" ? "high" : "medium" }),
                ...(draw(2) === 0 && { assigneeId: freshId(UserId) }),
                ...(draw(2) === 0 && { labels: [...each.labels.slice(0, 19), `new ${seed}`] }),
                ...(draw(3) === 0 &&
                  each.status !== "resolved" && {
                    status: "resolved",
                    waitingSince: null,
                    snoozedUntil: null,
                    resolvedAt: minutes(500)
                  })
              }
              return { id: each.id, touched, after: new Conversation({ ...each, ...touched }) }
            })
            yield* saveConversations(touches.map(({ after }) => after))
            yield* unmerge(mergeId, to, from)
            for (const [index, now] of (yield* read(inbox)).entries()) {
              const touched = touches[index]?.touched ?? {}
              const was = before[index]
              if (was === undefined) continue
              const { labels: added, ...others } = touched
              const expected = essence(new Conversation({ ...was, ...others, labels: now.labels }))
              assert.deepStrictEqual(essence(now), expected, `seed ${seed}`)
              if (added === undefined) assert.deepStrictEqual(now.labels, was.labels, `seed ${seed}`)
              else assert.include(now.labels, `new ${seed}`)
            }
          }),
          { discard: true }
        )
      )
    )

    it.effect("writes history into conversations without unread marks", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { chatAccountId, id: conversationId } = conversation
          const author = { kind: "user" as const, id: members[0] }
          const entry = {
            id: freshId(MessageId),
            conversationId,
            chatAccountId,
            text: "Joined",
            author,
            at: minutes(1)
          }
          yield* transact(Effect.flatMap(ContactConversations, (port) => port.enter([entry])))
          const message = yield* Effect.flatMap(Messages, (port) => port.get(conversationId, entry.id))
          assert.deepInclude(
            { ...message },
            { kind: "system", text: "Joined", status: "received", author, at: minutes(1) }
          )
          assert.deepStrictEqual(yield* essences([conversation]), [essence(conversation)])
        })
      )
    )
  }
}

/** Checks an adapter against the promises about conversations that a merge joins. */
export const contactJoinsContract = runContract(contactJoins)
