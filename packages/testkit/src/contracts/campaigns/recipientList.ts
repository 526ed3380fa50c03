import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { ChatAccountId, type MessageCharge, MessageCharges, MessageId } from "@parley/domain/messaging"
import {
  Broadcast,
  BroadcastId,
  Broadcasts,
  recipientIdAt,
  RecipientLedger,
  RecipientList,
  recipientPrefix,
  RecipientReceipts,
  RecipientReplies,
  type RecipientQuery
} from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { givenBroadcast, newBroadcast } from "./given.ts"

const dawn = DateTime.makeUnsafe("2026-03-01T06:00:00Z")
const error = { code: "recipient_unreachable", providerCode: 131_026, reason: "“Nobody” is there" }

const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

const contactIds = Array.from({ length: 7 }, () => freshId(ContactId))

/** One recipient each: sent, failed, in flight, pending, postponed, excluded and held out. */
const given = Effect.gen(function* () {
  const ledger = yield* RecipientLedger
  const { id } = yield* givenBroadcast(
    newBroadcast({ status: "sending", chatAccountId: freshId(ChatAccountId), startedAt: dawn })
  )
  const recipients = contactIds.map((contactId, place) => ({
    contactId,
    address: place === 5 ? null : ({ kind: "phone", value: `+49170123456${place}` } as const),
    variant: place % 2 === 0 ? ("a" as const) : ("b" as const),
    dueAt: place === 4 ? DateTime.add(dawn, { days: 1 }) : null,
    left:
      place === 5
        ? ({ kind: "excluded", reason: "no_identity" } as const)
        : place === 6
          ? ({ kind: "held_out" } as const)
          : null
  }))
  const calls = contactIds.slice(0, 3).map((contactId, place) => ({ seq: place + 1, contactId, values: {} }))
  const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 1, claimedAt: dawn, calls }
  const sent = { kind: "sent", providerMessageId: "w.1" } as const
  yield* transact(
    Effect.gen(function* () {
      yield* ledger.list(id, recipients)
      yield* ledger.begin({ revision: 0, mark: 3, window, excluded: [], postponed: [] })
      yield* ledger.settle(id, [
        { windowId: window.id, seq: 1, at: dawn, outcome: sent },
        { windowId: window.id, seq: 2, at: dawn, outcome: { kind: "failed", error } }
      ])
    })
  )
  return id
})

const everybody: RecipientQuery = { status: null, reason: null, variant: null, replied: null, contactId: null }

const found = (id: BroadcastId, query: Partial<RecipientQuery> = {}, after: number | null = null, limit = 100) =>
  Effect.flatMap(RecipientList, (list) =>
    Effect.map(
      list.list(id, { ...everybody, ...query }, { limit, after: after === null ? null : [String(after)] }),
      ({ rows }) => rows.map(({ seq, status }) => [seq, status])
    )
  )

export const recipientList: StorageContract = {
  port: "RecipientList",
  promises: (it) => {
    it.effect("counts the charged messages of each variant", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const id = yield* given
          const chargeOf = (place: number, broadcastId: BroadcastId = id): MessageCharge => ({
            chatAccountId: freshId(ChatAccountId),
            providerMessageId: `w.${broadcastId}.${place}`,
            messageId: MessageId.make(recipientIdAt(recipientPrefix(broadcastId), place)),
            country: "DE",
            category: "marketing",
            type: "regular",
            billable: true,
            deliveredAt: dawn,
            pricedAt: dawn
          })
          const { chatAccountId } = chargeOf(0)
          const charges = [chargeOf(1), chargeOf(2), chargeOf(3), chargeOf(99), chargeOf(1, freshId(BroadcastId))]
          const { record } = yield* MessageCharges
          yield* transact(record(charges.map((charge) => ({ ...charge, chatAccountId }))))
          const found = yield* (yield* RecipientList).tallyCharges(id)
          const facts = { rateDay: "2026-03-01", chatAccountId, country: "DE", category: "marketing" }
          const priced = { ...facts, type: "regular", billable: true }
          assert.sameDeepMembers(Array.from(found), [
            { variant: "a", ...priced, messages: 2 },
            { variant: "b", ...priced, messages: 1 }
          ])
        })
      )
    )

    it.effect("lists all recipients in list order with their current state", () =>
      Effect.gen(function* () {
        const id = yield* given
        const all = [
          [1, "sent"],
          [2, "failed"],
          [3, "in_flight"],
          [4, "pending"],
          [5, "pending"],
          [6, "excluded"],
          [7, "held_out"]
        ]
        assert.deepStrictEqual(yield* found(id), all)
        assert.deepStrictEqual(yield* found(id, {}, 2, 3), all.slice(2, 5))
        const { rows } = yield* (yield* RecipientList).list(id, everybody, { limit: 2, after: ["1"] })
        assert.deepStrictEqual(rows[0], {
          id: recipientIdAt(recipientPrefix(id), 2),
          seq: 2,
          contactId: contactIds[1] ?? assert.fail(),
          address: "+491701234561",
          variant: "b",
          status: "failed",
          reason: null,
          error,
          attempts: 1,
          dueAt: null,
          sentAt: null,
          deliveredAt: null,
          readAt: null,
          failedAt: dawn,
          repliedAt: null,
          optedOutAt: null,
          conversationId: null
        })
      }).pipe(inNewOrganization)
    )

    it.effect("lists those only that are asked for", () =>
      Effect.gen(function* () {
        const id = yield* given
        assert.deepStrictEqual(yield* found(id, { status: "in_flight" }), [[3, "in_flight"]])
        assert.deepStrictEqual(yield* found(id, { reason: "no_identity" }), [[6, "excluded"]])
        assert.lengthOf(yield* found(id, { variant: "b" }), 3)
        assert.isEmpty(yield* found(id, { replied: true }))
        assert.lengthOf(yield* found(id, { replied: false }), 7)
        assert.deepStrictEqual(yield* found(id, { contactId: contactIds[3] ?? null }), [[4, "pending"]])
        assert.isEmpty(yield* found(id, { contactId: freshId(ContactId) }))
      }).pipe(inNewOrganization)
    )

    it.effect("marks recipients left at the end of the broadcast as unsent", () =>
      Effect.gen(function* () {
        const id = yield* given
        const broadcasts = yield* Broadcasts
        const ended = Effect.flatMap(broadcasts.lock(id), (before) =>
          broadcasts.save(new Broadcast({ ...before, status: "cancelled" }), null)
        )
        yield* transact(ended)
        assert.deepStrictEqual(yield* found(id, { status: "never_sent" }), [
          [4, "never_sent"],
          [5, "never_sent"]
        ])
        assert.isEmpty(yield* found(id, { status: "pending" }))
      }).pipe(inNewOrganization)
    )

    it.effect("counts each recipient once", () =>
      Effect.gen(function* () {
        const tallies = yield* (yield* RecipientList).tally(yield* given)
        const none = { reason: null, code: null, replied: 0, optedOut: 0, count: 1 }
        assert.sameDeepMembers(
          tallies.map((tally) => ({ ...tally })),
          [
            { ...none, variant: "a", status: "sent" },
            { ...none, variant: "b", status: "failed", code: "recipient_unreachable" },
            { ...none, variant: "a", status: "in_flight" },
            { ...none, variant: "b", status: "pending" },
            { ...none, variant: "a", status: "pending" },
            { ...none, variant: "b", status: "excluded", reason: "no_identity" },
            { ...none, variant: "a", status: "held_out" }
          ]
        )
      }).pipe(inNewOrganization)
    )

    it.effect("has counts equal to its list for every change of recipients", () =>
      Effect.gen(function* () {
        const id = yield* given
        const [ledger, receipts, replies] = [yield* RecipientLedger, yield* RecipientReceipts, yield* RecipientReplies]
        const broadcasts = yield* Broadcasts
        const { chatAccountId } = yield* broadcasts.get(id)
        const account = chatAccountId ?? assert.fail()
        const agrees = Effect.gen(function* () {
          const list = yield* RecipientList
          const { rows } = yield* list.list(id, everybody, { limit: 100, after: null })
          const listed = Map.groupBy(rows, ({ error, reason, status, variant }) =>
            [variant, status, reason, status === "failed" ? error?.code : null].join()
          )
          const tallies = yield* list.tally(id)
          assert.deepStrictEqual(
            new Map(
              tallies.map(({ code, count, optedOut, reason, replied, status, variant }) => [
                [variant, status, reason, code].join(),
                [count, replied, optedOut]
              ])
            ),
            new Map(
              Array.from(listed, ([key, group]) => [
                key,
                [
                  group.length,
                  group.filter(({ repliedAt }) => repliedAt !== null).length,
                  group.filter(({ optedOutAt }) => optedOutAt !== null).length
                ]
              ])
            )
          )
        })
        yield* agrees
        yield* transact(
          Effect.gen(function* () {
            const ids = [1, 2, 3].map((place) => recipientIdAt(recipientPrefix(id), place))
            const called = yield* receipts.lock(account, ids)
            yield* receipts.save(
              called.map((before) => ({
                before,
                after: { ...before, status: before.seq === 3 ? "sent" : "delivered", sentAt: dawn, deliveredAt: dawn }
              }))
            )
          })
        )
        yield* agrees
        yield* transact(
          Effect.gen(function* () {
            const answered = yield* replies.lock(account, contactIds.slice(0, 2))
            yield* replies.save(
              answered.map((each) => ({ ...each, repliedAt: dawn, optedOutAt: each.seq === 1 ? dawn : null }))
            )
          })
        )
        yield* agrees
        const next = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 2, claimedAt: dawn }
        const [, , , fourth] = contactIds
        const calls = [{ seq: 4, contactId: fourth ?? assert.fail(), values: {} }]
        const excluded = [{ seq: 5, reason: "blocked" }] as const
        yield* transact(ledger.begin({ revision: 0, mark: 4, window: { ...next, calls }, excluded, postponed: [] }))
        yield* agrees
        yield* transact(ledger.takeOver(account, 3, dawn))
        yield* agrees
        yield* transact(
          Effect.flatMap(broadcasts.lock(id), (before) =>
            broadcasts.save(new Broadcast({ ...before, status: "cancelled" }), null)
          )
        )
        yield* agrees
      }).pipe(inNewOrganization)
    )
  }
}

export const recipientListContract = runContract(recipientList)
