import { env } from "node:process"
import { assert, describe, it } from "@effect/vitest"
import {
  consumeLog,
  Organizations,
  runDueJobs,
  runLanes,
  EventConsumerDirectory,
  EventConsumers,
  updateOrganization
} from "@parley/domain/platform"
import {
  type ContactId,
  type ContactMergeId,
  Contacts,
  deleteContact,
  eraseContact,
  mergeContacts,
  unmergeContacts
} from "@parley/domain/crm"
import { sendTask } from "@parley/domain/messaging"
import {
  type BroadcastId,
  layerBulkSender,
  readBroadcastReport,
  sendBroadcast,
  updateBroadcastSettings
} from "@parley/domain/campaigns"
import {
  deleteRecords,
  linkStoreCustomer,
  listStoreCustomers,
  type OrderRecord,
  receiveCustomers,
  receiveOrders,
  receiveStoreDelivery,
  removeStoreConnection
} from "@parley/domain/commerce"
import {
  RollupStore,
  checkAnalytics,
  countingEventConsumer,
  readBroadcastFigures,
  rebuildAnalytics,
  wholeOrganization
} from "@parley/domain/analytics"
import {
  layerJobKinds,
  layerEventConsumers,
  rewindEventConsumer,
  processDueDeliveries
} from "@parley/domain/composition"
import {
  applyReportedEvents,
  asOperatorOf,
  givenOrganization,
  givenShop,
  MemoryChat,
  MemoryStores,
  StoreScript,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { givenFrozen, givenReader, givenTemplate, listedAs, pass } from "../campaigns/given.ts"
import { givenChatAccount } from "../messaging/inbox/given.ts"
import { customerRecord, eur, orderRecord } from "../commerce/given.ts"
import { type Amount, amountsOf, creditsNow, dailyOf, type Purchase, variantOf } from "./purchases.ts"

/** Number of histories. The environment can raise it. */
const runs = Number(env["PARLEY_ANALYTICS_HISTORIES"] ?? 25)

const zones = ["UTC", "Europe/Berlin", "Asia/Kolkata", "America/Havana"] as const

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const person = upTo(2)
const order = upTo(4)
const broadcast = upTo(1)
/** Age of the event in minutes: mostly 0, and up to two days. */
const ago = Schema.Literals([0, 0, 0, 5, 60, 600, 2_880])

const step = <const Kind extends string, Fields extends Schema.Struct.Fields>(kind: Kind, fields: Fields) =>
  Schema.Struct({ kind: Schema.Literal(kind), ...fields })

const ordered = step("ordered", {
  order,
  person,
  isGuest: Schema.Literals([false, false, true]),
  isTest: Schema.Literals([false, false, false, true]),
  ago
})
const receipt = step("receipt", { broadcast, person, status: Schema.Literals(["delivered", "read", "read"]), ago })
const waited = step("waited", { minutes: Schema.Literals([1, 10, 100, 900]) })

/** An event of a history, in any order. Events with many consequences are frequent. */
const Step = Schema.Union([
  ordered,
  ordered,
  ordered,
  receipt,
  receipt,
  receipt,
  receipt,
  waited,
  waited,
  step("edited", { order, by: Schema.Int.check(Schema.isBetween({ minimum: -500, maximum: 500 })) }),
  step("refunded", { order, amount: upTo(600), ago: upTo(60) }),
  step("cancelled", { order }),
  step("deleted", { order }),
  step("customer", { person }),
  step("linked", { person, to: Schema.NullOr(person) }),
  step("sent", { broadcast }),
  step("failed", { broadcast, person }),
  step("replied", { broadcast, person, ago }),
  step("window", { hours: Schema.Literals([1, 24, 120]) }),
  step("counted", {}),
  step("counted_again", {}),
  step("rebuilt", {}),
  step("moved", { zone: Schema.Literals(zones) }),
  step("merged", { person, other: person }),
  step("unmerged", {}),
  step("erased", { person, isErased: Schema.Boolean }),
  step("redacted", { person }),
  step("disconnected", { chance: upTo(9) }),
  step("reconnected", {})
])
type Step = typeof Step.Type

const History = Schema.Array(Step).check(Schema.isBetweenLength(40, 90))

const page = { limit: 100, cursor: null }
const anything = { storeConnectionId: null, contactId: null, updatedSince: null, q: null }

const stage = Layer.mergeAll(Layer.provideMerge(MemoryChat.layer, TestKit.layer), MemoryStores.layer)

const works = Effect.provide(runDueJobs, layerJobKinds)

const whileSending = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.andThen(Effect.provide(runLanes([sendTask], { name: "one", lookMillis: 1_000 }), layerBulkSender), body)
  )

describe("purchases", () => {
  it.effect.prop(
    "equal a count by hand with credited broadcasts, for every order and delay of reports",
    { history: History },
    ({ history }) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-03-28T20:00:00Z")))
        const organization = yield* givenOrganization({ timezone: "Europe/Berlin", plan: "scale" })
        const within = asOperatorOf(organization)
        yield* (yield* EventConsumerDirectory).add([countingEventConsumer.name], yield* DateTime.now)
        const account = yield* givenChatAccount(organization)
        const template = yield* givenTemplate(organization, account)
        const people = yield* Effect.forEach([0, 1, 2], () => givenReader(organization))
        const phones = people.map(({ phone }) => phone ?? assert.fail())
        let store = yield* givenShop(organization)
        const script = yield* StoreScript

        const records = new Map<string, OrderRecord>()
        const purchases = new Map<string, Purchase>()
        /** Credit of orders that stays because their buyer is unknown by now. */
        const kept = new Map<string, BroadcastId>()
        /** Amounts of orders that a removed store has left. */
        const gone = new Map<string, ReadonlyArray<Amount>>()
        const broadcasts: Array<{ readonly id: BroadcastId; readonly calls: ReadonlyArray<MemoryChat.SentMessage> }> =
          []
        const merges: Array<{ readonly id: ContactId; readonly mergeId: ContactMergeId }> = []
        const deleted = new Set<string>()
        let isConnected = true

        const follow = Effect.gen(function* () {
          const consumer = (yield* EventConsumers).get(countingEventConsumer.name) ?? assert.fail()
          yield* Effect.repeat(consumeLog(consumer), { while: (again) => again !== null })
        }).pipe(Effect.provide(layerEventConsumers), within)

        const contactOf = (who: number) =>
          Effect.map(
            Effect.flatMap(Contacts, (contacts) =>
              contacts.findByIdentity([{ kind: "phone", value: phones[who] ?? assert.fail() }])
            ),
            ([contact]) => contact ?? null
          ).pipe(within)

        const credits = within(
          Effect.suspend(() =>
            creditsNow(
              store.id,
              [...purchases.keys()],
              broadcasts.map(({ id }) => id)
            )
          )
        )

        /** Before people are forgotten: which credits stay. */
        const keep = Effect.fnUntraced(function* (isTheirs: (each: Effect.Success<typeof credits>[number]) => boolean) {
          for (const each of yield* credits) {
            if (isTheirs(each) && each.credit !== null && !kept.has(each.externalId))
              kept.set(each.externalId, each.credit)
          }
        })

        const tell = Effect.fnUntraced(function* (record: OrderRecord) {
          records.set(record.externalId, record)
          yield* within(receiveOrders(store, [record]))
        })

        const change = Effect.fnUntraced(function* (
          place: number,
          by: (
            record: OrderRecord,
            purchase: Purchase,
            now: DateTime.Utc
          ) => readonly [Partial<OrderRecord>, Partial<Purchase>]
        ) {
          const [record, purchase] = [records.get(`o${place}`), purchases.get(`o${place}`)]
          if (record === undefined || purchase === undefined || deleted.has(record.externalId) || !isConnected) return
          const now = yield* DateTime.now
          const [input, counts] = by(record, purchase, now)
          purchases.set(record.externalId, { ...purchase, ...counts })
          yield* tell({ ...record, ...input, updatedAt: now })
        })

        const callTo = (which: number, who: number) => {
          const sent = broadcasts[which]
          const call = sent?.calls.find(({ message }) => message.to.value === phones[who])
          return call ?? null
        }

        const does = Effect.fnUntraced(function* (each: Step) {
          const now = yield* DateTime.now
          const at = "ago" in each ? DateTime.subtract(now, { minutes: each.ago }) : now
          switch (each.kind) {
            case "ordered": {
              const externalId = `o${each.order}`
              if (records.has(externalId) || !isConnected) return
              purchases.set(externalId, {
                placedAt: at,
                isTest: each.isTest,
                gross: [[900, at]],
                refunds: [],
                cancelledAt: null
              })
              return yield* tell(
                orderRecord({
                  externalId,
                  externalCustomerId: each.isGuest ? null : `c${each.person}`,
                  phone: each.isGuest ? (phones[each.person] ?? null) : null,
                  placedAt: at,
                  test: each.isTest,
                  updatedAt: now
                })
              )
            }
            case "edited":
              return yield* change(each.order, (record, { cancelledAt, gross }) => [
                { currentTotal: eur(record.currentTotal.amountMinor + each.by) },
                cancelledAt === null && each.by !== 0 ? { gross: [...gross, [each.by, now]] } : {}
              ])
            case "refunded":
              return yield* change(each.order, (record, { refunds }) => [
                {
                  refunds: [...record.refunds, { externalId: `r${refunds.length}`, amount: eur(each.amount), at }],
                  refunded: eur(record.refunded.amountMinor + each.amount)
                },
                { refunds: [...refunds, [each.amount, at]] }
              ])
            case "cancelled":
              return yield* change(each.order, (record, { cancelledAt }) => [
                { cancelledAt: record.cancelledAt ?? now, currentTotal: eur(0) },
                { cancelledAt: cancelledAt ?? now }
              ])
            case "deleted": {
              if (!records.has(`o${each.order}`)) return
              // Later changes of the shop are ignored.
              deleted.add(`o${each.order}`)
              return yield* within(deleteRecords(store, "orders", [`o${each.order}`]))
            }
            case "customer":
              return yield* within(
                receiveCustomers(store, [
                  customerRecord({
                    externalId: `c${each.person}`,
                    phones: [phones[each.person] ?? ""],
                    email: null,
                    updatedAt: now
                  })
                ])
              )
            case "linked": {
              const { data } = yield* within(listStoreCustomers({ ...anything, page }))
              const customer = data.find(({ externalId }) => externalId === `c${each.person}`)
              const contact = each.to === null ? null : yield* contactOf(each.to)
              if (customer === undefined || (each.to !== null && contact === null)) return
              return yield* within(
                Effect.ignore(linkStoreCustomer({ id: customer.id, contactId: contact?.id ?? null }))
              )
            }
            case "sent": {
              if (broadcasts.length > each.broadcast) return
              const readers = (yield* Effect.forEach([0, 1, 2], contactOf)).filter((contact) => contact !== null)
              const distinct = [...new Map(readers.map((reader) => [reader.id, reader])).values()]
              const frozen = yield* givenFrozen(
                organization,
                account,
                template,
                distinct.map((reader, place) => listedAs(reader, { variant: place % 2 === 0 ? "a" : "b" })),
                {
                  templateId: null,
                  variables: {},
                  variants: (["a", "b"] as const).map((key) => ({
                    key,
                    weight: 50,
                    templateId: template.id,
                    variables: { "body.1": { kind: "field", field: "name" } }
                  }))
                }
              )
              const before = (yield* (yield* MemoryChat.ChatScript).sent).length
              yield* whileSending(Effect.andThen(within(sendBroadcast({ id: frozen.id, ifVersion: null })), pass(3)))
              broadcasts.push({ id: frozen.id, calls: (yield* (yield* MemoryChat.ChatScript).sent).slice(before) })
              return
            }
            case "receipt": {
              const call = callTo(each.broadcast, each.person)
              if (call === null) return
              return yield* within(
                applyReportedEvents([
                  {
                    kind: "receipt",
                    phoneId: account.externalPhoneId,
                    id: call.providerMessageId,
                    at,
                    status: each.status,
                    to: { phone: call.message.to.value, chatUser: null },
                    reference: call.message.reference,
                    error: null
                  }
                ])
              )
            }
            case "failed": {
              const call = callTo(each.broadcast, each.person)
              if (call === null) return
              return yield* within(
                applyReportedEvents([
                  {
                    kind: "receipt",
                    phoneId: account.externalPhoneId,
                    id: call.providerMessageId,
                    at,
                    status: "failed",
                    to: { phone: call.message.to.value, chatUser: null },
                    reference: call.message.reference,
                    error: { code: 131_026, reason: "No", remedy: "skip_recipient" }
                  }
                ])
              )
            }
            case "replied": {
              const call = callTo(each.broadcast, each.person)
              if (call === null) return
              return yield* within(
                applyReportedEvents([
                  {
                    kind: "message",
                    phoneId: account.externalPhoneId,
                    id: `wamid.${each.broadcast}.${each.person}.${each.ago}`,
                    at,
                    from: { phone: call.message.to.value, chatUser: null, name: null },
                    content: { kind: "text", text: "Please" },
                    replyTo: call.providerMessageId,
                    fromAdvertisement: false
                  }
                ])
              )
            }
            case "waited":
              return yield* TestClock.adjust(each.minutes * 60_000)
            case "window":
              return yield* within(updateBroadcastSettings({ attributionHours: each.hours, ifVersion: null }))
            case "counted":
              return yield* follow
            case "counted_again":
              yield* follow
              yield* within(rewindEventConsumer({ name: countingEventConsumer.name, to: 0 }))
              return yield* follow
            case "rebuilt":
              yield* follow
              return yield* within(rebuildAnalytics())
            case "moved":
              return yield* within(updateOrganization({ timezone: each.zone, ifVersion: null }))
            case "merged": {
              const [one, other] = [yield* contactOf(each.person), yield* contactOf(each.other)]
              if (one === null || other === null || one.id === other.id) return
              merges.push({
                ...(yield* within(mergeContacts({ id: one.id, contactId: other.id, ifVersion: null }))),
                id: one.id
              })
              return
            }
            case "unmerged": {
              const merge = merges.pop()
              return (
                merge &&
                (yield* within(
                  Effect.ignore(unmergeContacts({ id: merge.id, mergeId: merge.mergeId, ifVersion: null }))
                ))
              )
            }
            case "erased": {
              const contact = yield* contactOf(each.person)
              if (contact === null) return
              yield* keep(({ contactId }) => contactId === contact.id)
              return yield* within(
                each.isErased
                  ? eraseContact({ id: contact.id, ifVersion: null })
                  : deleteContact({ id: contact.id, ifVersion: null })
              )
            }
            case "redacted": {
              yield* keep(({ customerId }) => customerId === `c${each.person}`)
              const signal = {
                kind: "redact_customer" as const,
                externalCustomerId: `c${each.person}`,
                phone: null,
                email: null,
                externalOrderIds: []
              }
              yield* receiveStoreDelivery({
                path: ["shopify"],
                ...script.deliver(store.shopDomain, "a topic", [signal])
              })
              yield* processDueDeliveries
              return yield* works
            }
            case "disconnected": {
              if (each.chance > 0 || !isConnected) return
              isConnected = false
              for (const { credit, externalId } of yield* credits) {
                const purchase = purchases.get(externalId) ?? assert.fail()
                const credited = kept.get(externalId) ?? credit
                gone.set(externalId, amountsOf(purchase, credited))
                if (credited !== null && !purchase.isTest) kept.set(externalId, credited)
              }
              purchases.clear()
              yield* within(removeStoreConnection({ id: store.id, ifVersion: null }))
              return yield* works
            }
            case "reconnected": {
              if (isConnected) return
              isConnected = true
              const { name, shopDomain, shopId } = store
              store = yield* givenShop(organization, { name, shopDomain, ...(shopId === null ? {} : { shopId }) })
              for (const record of records.values()) {
                const { cancelledAt, currentTotal, externalId, placedAt, refunds, test, total } = record
                if (deleted.has(externalId)) continue
                const { amountMinor } = cancelledAt === null ? currentTotal : total
                gone.delete(externalId)
                purchases.set(externalId, {
                  placedAt,
                  isTest: test,
                  // The shop does not report the time of the edit.
                  gross: [[amountMinor, placedAt]],
                  refunds: refunds.map(({ amount, at }) => [amount.amountMinor, at] as const),
                  cancelledAt
                })
                yield* tell(record)
              }
              return
            }
          }
        })

        // Customers with sent messages: most later events concern them.
        for (const each of [0, 1, 2]) {
          yield* does({ kind: "customer", person: each })
          yield* does({ kind: "linked", person: each, to: each })
        }
        yield* does({ kind: "sent", broadcast: 0 })
        for (const each of history) yield* Effect.andThen(does(each), TestClock.adjust("1 second"))
        // By the end, all last receipts have been reported.
        yield* TestClock.adjust("1 minute")
        yield* follow
        assert.isEmpty((yield* within(checkAnalytics())).differences)
        const amounts = [...gone.values()].flat()
        const ofVariants: Array<Amount & { readonly variant: string }> = []
        for (const { contactId, credit, externalId } of yield* credits) {
          const credited = kept.get(externalId) ?? credit
          const own = amountsOf(purchases.get(externalId) ?? assert.fail(), credited)
          amounts.push(...own)
          const variant = contactId === null || credited === null ? null : yield* within(variantOf(credited, contactId))
          if (variant !== null) ofVariants.push(...own.map((amount) => ({ ...amount, variant })))
        }
        const { timezone } = yield* within(Effect.flatMap(Organizations, (organizations) => organizations.current()))
        const counted = (scope: string) =>
          within(
            Effect.gen(function* () {
              const rollups = yield* RollupStore
              const state = yield* rollups.find()
              const days = state === null ? [] : yield* rollups.days(state.version, scope, "2020-01-01", "2030-01-01")
              return days
                .filter(({ figure }) => figure.startsWith("commerce."))
                .map(({ amount, date, figure }) => `${date} ${figure} ${amount}`)
                .toSorted()
            })
          )
        assert.deepStrictEqual(yield* counted(wholeOrganization), dailyOf(amounts, timezone, null))
        const { data } = yield* within(readBroadcastFigures({ period: "30d", page }))
        for (const { id } of broadcasts) {
          assert.deepStrictEqual(yield* counted(id), dailyOf(amounts, timezone, id))
          const own = amounts.filter(({ broadcastId }) => broadcastId === id)
          const sum = (figure: string) =>
            own.reduce((total, each) => (each.figure === figure ? total + each.amount : total), 0)
          const row = data.find((each) => each.id === id) ?? assert.fail()
          assert.strictEqual(row.attributedOrders, sum("commerce.attributedOrders.EUR"))
          assert.strictEqual(row.attributed[0]?.amountMinor ?? 0, sum("commerce.attributed.EUR"))
          const report = yield* within(readBroadcastReport({ id }))
          assert.deepStrictEqual([report.attributedOrders, report.attributed], [row.attributedOrders, row.attributed])
          for (const part of report.variants ?? assert.fail()) {
            const sumOf = (figure: string) =>
              ofVariants
                .filter((each) => each.broadcastId === id && each.variant === part.key && each.figure === figure)
                .reduce((total, { amount }) => total + amount, 0)
            assert.strictEqual(part.attributedOrders, sumOf("commerce.attributedOrders.EUR"))
            assert.strictEqual(part.attributed[0]?.amountMinor ?? 0, sumOf("commerce.attributed.EUR"))
          }
        }
        assert.isEmpty((yield* within(rebuildAnalytics())).differences)
      }).pipe(Effect.provide(stage, { local: true })),
    { arbitrary: { runs, seed: "purchases" }, timeout: 600_000 }
  )
})
