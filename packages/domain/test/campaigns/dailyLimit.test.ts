import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  eventTasks,
  layerEventConsumerRunner,
  layerWorkersOf,
  type Organization,
  runLanes
} from "@parley/domain/platform"
import type { Contact } from "@parley/domain/crm"
import {
  applyNumberUpdates,
  businessOf,
  type ChatAccount,
  ChatAccounts,
  DailyRecipients,
  sendTask,
  unknownDetails
} from "@parley/domain/messaging"
import {
  type Broadcast,
  type BroadcastId,
  layerBulkSender,
  RecipientLedger,
  sendBroadcast,
  simulateBroadcast
} from "@parley/domain/campaigns"
import { layerEventConsumers } from "@parley/domain/composition"
import { asOperatorOf, MemoryChat } from "@parley/testkit"
import { DateTime, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { crashAt } from "../messaging/inbox/crashing.ts"
import { givenChatAccount, givenConversation, givenQueued, readMessage, test } from "../messaging/inbox/given.ts"
import { givenCampaign, givenFrozen, givenReader, givenTemplate, listedAs, pass, readBroadcast } from "./given.ts"

const script = MemoryChat.ChatScript

const senders = (name: string) => Effect.provide(runLanes([sendTask], { name, lookMillis: 1_000 }), layerBulkSender)

const reactions = layerWorkersOf(eventTasks).pipe(
  Layer.provide(Layer.provide(layerEventConsumerRunner, layerEventConsumers))
)

const whileSending = <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.scoped(Effect.andThen(senders("one"), body))

const send = (organization: Organization, id: BroadcastId) =>
  sendBroadcast({ id, ifVersion: null }).pipe(asOperatorOf(organization))

const sentTo = Effect.map(
  Effect.flatMap(script, ({ sent }) => sent),
  (sent) => sent.map(({ message }) => message.to.value)
)

const countSent = Effect.map(sentTo, ({ length }) => length)

const shown = (organization: Organization, id: BroadcastId) =>
  Effect.map(readBroadcast(organization, id), ({ stats, status, waiting }) => ({
    status,
    waits: waiting?.reason ?? null,
    until: waiting?.until ?? null,
    sent: stats.sent,
    pending: stats.pending
  }))

/** Other messages over the account count as well. */
const reach = (organization: Organization, account: ChatAccount, people: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const port = yield* DailyRecipients
    const recipients = people.map((value) => ({ kind: "phone" as const, value }))
    yield* transact(port.reach(businessOf(account), recipients, { now: yield* DateTime.now, most: null }))
  }).pipe(asOperatorOf(organization))

/** Another broadcast to these people over the account. */
const givenAnother = Effect.fnUntraced(function* (
  organization: Organization,
  account: ChatAccount,
  contacts: ReadonlyArray<Contact>,
  fields: Partial<Broadcast> = {}
) {
  const template = yield* givenTemplate(organization, account)
  const recipients = contacts.map((contact) => listedAs(contact))
  return yield* givenFrozen(organization, account, template, recipients, fields)
})

const limited = (messagingLimit: string) => ({ messagingLimit, throughputPerSecond: 20 })

describe("the daily limit of a business", () => {
  test("has a broadcast wait, and leaves a part to people; it goes on a day later", () =>
    Effect.gen(function* () {
      const { id, organization } = yield* givenCampaign(50, {}, limited("40"))
      const startedAt = yield* DateTime.now
      yield* send(organization, id)
      yield* whileSending(pass(5))
      const { pending, sent, status, until, waits } = yield* shown(organization, id)
      assert.deepStrictEqual([status, waits, sent, pending], ["sending", "daily_limit", 38, 12])
      assert.isTrue(until !== null && DateTime.isLessThan(until, DateTime.add(startedAt, { hours: 24, seconds: 1 })))
      yield* TestClock.adjust("23 hours")
      yield* whileSending(pass(5))
      assert.strictEqual(yield* countSent, 38)
      yield* TestClock.adjust("59 minutes")
      yield* whileSending(pass(60))
      assert.deepStrictEqual(yield* shown(organization, id), {
        status: "completed",
        waits: null,
        until: null,
        sent: 50,
        pending: 0
      })
    }))

  test("covers all numbers of the business across owners, and no other business", () =>
    Effect.gen(function* () {
      yield* senders("one")
      yield* senders("two")
      const { account, id, organization } = yield* givenCampaign(30, {}, limited("TIER_40"))
      const accounts = yield* Effect.forEach(Array.from({ length: 5 }), () =>
        givenChatAccount(organization, limited("TIER_40"))
      )
      const elsewhere = yield* givenChatAccount(organization, { ...limited("TIER_40"), externalAccountId: "other" })
      const others = yield* Effect.forEach([...accounts, elsewhere], (each) =>
        Effect.gen(function* () {
          const readers = yield* Effect.forEach(Array.from({ length: 10 }), () => givenReader(organization))
          return yield* givenAnother(organization, each, readers)
        })
      )
      yield* Effect.forEach([id, ...others.map((each) => each.id)], (each) => send(organization, each))
      yield* pass(8)
      const counts = yield* Effect.forEach([id, ...others.map((each) => each.id)], (each) =>
        Effect.map(shown(organization, each), ({ sent }) => sent)
      )
      assert.strictEqual(
        counts.slice(0, -1).reduce((sum, count) => sum + count, 0),
        38
      )
      assert.strictEqual(counts.at(-1), 10)
      assert.strictEqual(account.externalAccountId, "business-1")
    }).pipe(Effect.scoped))

  test("belongs to the portfolio, whose business accounts share it, and follows its new limit", () =>
    whileSending(
      Effect.gen(function* () {
        const ofPortfolio = {
          ...limited("TIER_20"),
          number: {
            ...unknownDetails,
            health: [
              {
                kind: "business" as const,
                externalId: "portfolio-1",
                canSend: "available" as const,
                issues: [],
                limits: []
              }
            ]
          }
        }
        const { account, id, organization } = yield* givenCampaign(15, {}, ofPortfolio)
        const sister = yield* givenChatAccount(organization, { ...ofPortfolio, externalAccountId: "business-9" })
        const readers = yield* Effect.forEach(Array.from({ length: 15 }), () => givenReader(organization))
        const other = yield* givenAnother(organization, sister, readers)
        yield* send(organization, id)
        yield* pass(3)
        yield* send(organization, other.id)
        yield* pass(3)
        assert.deepStrictEqual(
          [(yield* shown(organization, id)).sent, (yield* shown(organization, other.id)).sent],
          [15, 4]
        )
        const { externalAccountId: businessId } = account
        const update = { kind: "number", businessId, phoneId: null, displayPhone: null, quality: null } as const
        yield* transact(applyNumberUpdates("whatsapp", [{ ...update, messagingLimit: "TIER_UNLIMITED" }])).pipe(
          asOperatorOf(organization)
        )
        const limits = yield* Effect.forEach([account, sister], (each) =>
          Effect.map(
            Effect.flatMap(ChatAccounts, (accounts) => accounts.get(each.id)),
            ({ messagingLimit }) => messagingLimit
          )
        ).pipe(asOperatorOf(organization))
        assert.deepStrictEqual(limits, ["TIER_UNLIMITED", "TIER_UNLIMITED"])
      })
    ))

  test("counts each person once a day and ignores open service windows", () =>
    whileSending(
      Effect.gen(function* () {
        const { account, contacts, id, organization } = yield* givenCampaign(20, {}, limited("20"))
        yield* send(organization, id)
        yield* pass(3)
        assert.strictEqual((yield* shown(organization, id)).sent, 19)
        const known = yield* givenAnother(organization, account, contacts.slice(0, 19))
        yield* send(organization, known.id)
        const writer = yield* givenReader(organization)
        yield* givenConversation(organization, writer, account, {
          windowExpiresAt: DateTime.add(yield* DateTime.now, { hours: 1 })
        })
        const free = yield* givenAnother(organization, account, [writer])
        yield* send(organization, free.id)
        yield* pass(3)
        assert.deepStrictEqual(
          [(yield* shown(organization, known.id)).status, (yield* shown(organization, free.id)).status],
          ["completed", "completed"]
        )
        assert.strictEqual((yield* shown(organization, id)).waits, "daily_limit")
      })
    ))

  test("counts recipients in doubt and ignores refused recipients", () =>
    whileSending(
      Effect.gen(function* () {
        const { contacts, id, organization } = yield* givenCampaign(20, {}, limited("10"))
        const { next } = yield* script
        const to = (place: number) => contacts[place]?.phone ?? ""
        yield* next({ kind: "refused", code: 1, remedy: "skip_recipient" }, to(0))
        yield* next({ kind: "refused", code: 1, remedy: "skip_recipient" }, to(1))
        yield* next({ kind: "in_doubt", taken: true }, to(2))
        yield* send(organization, id)
        yield* pass(5)
        const { stats, waiting } = yield* readBroadcast(organization, id)
        assert.deepStrictEqual([stats.sent, stats.inDoubt, stats.failed, waiting?.reason], [8, 1, 2, "daily_limit"])
      })
    ))

  test("goes on when the provider has raised it", () =>
    Effect.gen(function* () {
      yield* senders("one")
      yield* Layer.build(reactions)
      const { account, id, organization } = yield* givenCampaign(30, {}, limited("TIER_10"))
      yield* send(organization, id)
      yield* pass(3)
      assert.strictEqual((yield* shown(organization, id)).sent, 9)
      yield* pass(65)
      const { externalAccountId: businessId } = account
      const update = { kind: "number", businessId, phoneId: null, displayPhone: null, quality: null } as const
      yield* transact(applyNumberUpdates("whatsapp", [{ ...update, messagingLimit: "TIER_UNLIMITED" }])).pipe(
        asOperatorOf(organization)
      )
      yield* pass(5)
      assert.strictEqual((yield* shown(organization, id)).status, "completed")
    }).pipe(Effect.scoped))

  test("holds over the death of the process that owned the account", () =>
    Effect.gen(function* () {
      const { id, organization } = yield* givenCampaign(40, {}, limited("30"))
      yield* send(organization, id)
      const first = yield* Scope.make()
      yield* senders("one").pipe(Scope.provide(first))
      yield* pass(1)
      yield* Scope.close(first, Exit.void)
      assert.isBelow(yield* countSent, 28)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* senders("two")
          yield* pass(6)
          assert.strictEqual(yield* countSent, 28)
          assert.strictEqual((yield* shown(organization, id)).waits, "daily_limit")
        })
      )
    }))

  test("counts what people write first, which it never holds up", () =>
    whileSending(
      Effect.gen(function* () {
        const { account, contacts, id, organization, template } = yield* givenCampaign(20, {}, limited("10"))
        const someone = yield* givenReader(organization)
        const writes = Effect.fnUntraced(function* (contact: Contact, windowExpiresAt: DateTime.Utc | null) {
          const conversation = yield* givenConversation(organization, contact, account, { windowExpiresAt })
          const { id, language, name } = template
          const use = { id, language, name, values: { "body.1": "Ada" } }
          return yield* givenQueued(organization, conversation, { kind: "template", text: "Hello Ada!", template: use })
        })
        yield* writes(someone, null)
        yield* writes(contacts[0] ?? someone, DateTime.add(yield* DateTime.now, { hours: 1 }))
        yield* pass(2)
        assert.strictEqual(yield* countSent, 2)
        yield* send(organization, id)
        yield* pass(3)
        // Nine are left for all. One belongs to the person, and one recipient of the broadcast has an open window.
        assert.strictEqual((yield* shown(organization, id)).sent, 9)
        const late = yield* writes(yield* givenReader(organization), null)
        yield* pass(2)
        assert.strictEqual((yield* readMessage(organization, late)).status, "sent")
        yield* (yield* script).next({ kind: "refused", code: 1, remedy: "give_up" })
        yield* writes(yield* givenReader(organization), null)
        yield* pass(2)
        const port = yield* DailyRecipients
        const minutes = yield* port.reached(businessOf(account), yield* DateTime.now).pipe(asOperatorOf(organization))
        assert.strictEqual(
          minutes.reduce((sum, { count }) => sum + count, 0),
          10
        )
      })
    ))

  test("is never exceeded when processes with two numbers of the business crash anywhere", () =>
    Effect.gen(function* () {
      for (let point = 3; point < 50; point += 15) {
        const before = yield* countSent
        const { id, organization } = yield* givenCampaign(20, {}, limited("20"))
        const second = yield* givenChatAccount(organization, limited("20"))
        const readers = yield* Effect.forEach(Array.from({ length: 20 }), () => givenReader(organization))
        const other = yield* givenAnother(organization, second, readers)
        yield* send(organization, id)
        yield* send(organization, other.id)
        const crash = crashAt(point)
        const dying = yield* Effect.andThen(senders("dying"), Effect.sleep("3 seconds")).pipe(
          Effect.provideService(RecipientLedger, crash.through(yield* RecipientLedger)),
          Effect.scoped,
          Effect.forkChild
        )
        while (dying.pollUnsafe() === undefined) yield* pass(1)
        yield* whileSending(pass(10))
        const [one, two] = [yield* readBroadcast(organization, id), yield* readBroadcast(organization, other.id)]
        assert.isAtMost((yield* countSent) - before, 19, `dead at ${point}`)
        const reached = [one, two].reduce((sum, { stats }) => sum + stats.sent + stats.inDoubt, 0)
        assert.strictEqual(reached, 19, `dead at ${point}`)
      }
    }))

  test("is reckoned with before anything is sent", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenCampaign(0, {}, limited("20"))
      const readers = yield* Effect.forEach(Array.from({ length: 15 }), () => givenReader(organization))
      const { id } = yield* givenAnother(organization, account, readers, { frozenAt: null })
      yield* reach(organization, account, [
        "+4915100000001",
        "+4915100000002",
        "+4915100000003",
        "+4915100000004",
        "+4915100000005"
      ])
      const { hours, limitedBy } = yield* simulateBroadcast({ id }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual([hours[0]?.count, limitedBy], [14, ["daily_limit"]])
    }))
})
