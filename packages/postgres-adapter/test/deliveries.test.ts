import { assert, describe, it } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  type NewInboundDelivery,
  InboundDeliveries,
  inboundDeliveryLane,
  inboundDeliveriesTaskName,
  InboundDeliveryId,
  InboundDeliveryQueue,
  sharedLane,
  type LaneLease,
  LaneQueue,
  type Organization,
  shardCount,
  shardOf,
  Shards
} from "@parley/domain/platform"
import { ChatSettings, type InboundEvent, updateChatAccount } from "@parley/domain/messaging"
import { processDueDeliveries } from "@parley/domain/composition"
import { asOperatorOf, givenNumber, givenOrganization, MemoryChat } from "@parley/testkit"
import { DateTime, Deferred, Effect, Exit, Fiber, Redacted, References } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { givenNodes, type Node, onAll } from "./support/nodes.ts"

const noon = DateTime.makeUnsafe("2026-03-01T12:00:00Z")

const slow = 60_000

const arrived = (organization: Organization, digest: string = SecureRandom.uuidV7Unsafe()): NewInboundDelivery => ({
  organizationId: organization.id,
  lane: sharedLane,
  id: InboundDeliveryId.make(SecureRandom.uuidV7Unsafe()),
  source: "chat",
  provider: "whatsapp",
  digest,
  body: new Uint8Array([123, 125]),
  receivedAt: noon
})

const take = (...deliveries: ReadonlyArray<NewInboundDelivery>) =>
  Effect.flatMap(InboundDeliveryQueue, (inbox) => inbox.store(deliveries))

/** Claims the organization's lane as a process that has taken over from all others. The process leaves immediately. */
const claim = Effect.fnUntraced(function* ({ id }: Organization) {
  const shards = yield* Shards
  const node = SecureRandom.uuidV7Unsafe()
  yield* shards.join({ id: node, name: "test", tasks: [inboundDeliveriesTaskName], now: noon })
  const lane = inboundDeliveryLane(id)
  const owned = yield* shards.claim(node, inboundDeliveriesTaskName, shardCount)
  const wanted = owned.filter(({ shard }) => shard === shardOf(lane)).map((own): LaneLease => ({ ...lane, ...own }))
  const [lease] = yield* (yield* LaneQueue).claim(node, wanted, noon)
  yield* shards.leave(node)
  return lease ?? null
})

const stored = (organization: Organization) =>
  Effect.flatMap(InboundDeliveries, (deliveries) => deliveries.list(null, { after: null, limit: 10_000 })).pipe(
    asOperatorOf(organization)
  )

const given = Effect.fnUntraced(function* (count: number, maxConnections = 5) {
  const nodes = yield* givenNodes(count, maxConnections)
  const [one = assert.fail()] = nodes
  const organization = yield* givenOrganization().pipe(Effect.provide(one))
  return { nodes, one, organization }
})

/** Nothing can be stored until the effect has ended. */
const whileLocked = Effect.fnUntraced(function* <A, E, R>(node: Node, effect: Effect.Effect<A, E, R>) {
  const locked = yield* Deferred.make<void>()
  const over = yield* Deferred.make<void>()
  const holder = yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.withTransaction(
      Effect.andThen(
        sql`LOCK TABLE inbound_deliveries IN EXCLUSIVE MODE`,
        Effect.andThen(Deferred.succeed(locked, undefined), Deferred.await(over))
      )
    )
  }).pipe(Effect.provide(node), Effect.forkChild)
  yield* Deferred.await(locked)
  const value = yield* Effect.ensuring(effect, Deferred.succeed(over, undefined))
  yield* Fiber.join(holder)
  return value
})

/** Number of statements that wait for a lock. */
const waiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly count: number }>`
    SELECT count(*)::integer AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return row?.count ?? 0
})

const untilWaiting = (count: number) => Effect.repeat(waiting, { until: (now) => now === count })

/** Number of pages of the deliveries and their indexes that some work reads. */
const pagesRead = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const count = Effect.map(
      sql<{ readonly count: bigint }>`
        SELECT sum(pg_stat_get_xact_blocks_fetched(oid))::bigint AS count FROM pg_class
        WHERE oid = 'inbound_deliveries'::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'inbound_deliveries'::regclass)`,
      ([row]) => Number(row?.count ?? 0)
    )
    const before = yield* count
    const result = yield* work
    return { result, pages: (yield* count) - before }
  }).pipe(transact)

describe("deliveries on a server", () => {
  it.live(
    "are accepted once, in every process and order",
    () =>
      Effect.gen(function* () {
        const { nodes, one, organization } = yield* given(2)
        const digests = Array.from({ length: 200 }, (_, index) => `digest ${index}`)
        yield* onAll(nodes, 40, (index) =>
          take(...(index % 3 === 0 ? digests : digests.toReversed()).map((digest) => arrived(organization, digest)))
        )
        assert.lengthOf(yield* stored(organization).pipe(Effect.provide(one)), 200)
      }).pipe(Effect.scoped),
    slow
  )

  it.live(
    "share commits: waiting ones go in one batch, with at most two running",
    () =>
      Effect.gen(function* () {
        const { one, organization } = yield* given(1)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const callers = yield* whileLocked(
            one,
            Effect.gen(function* () {
              const first = yield* Effect.forkChild(take(arrived(organization)), { startImmediately: true })
              yield* untilWaiting(1)
              const second = yield* Effect.forkChild(take(arrived(organization)), { startImmediately: true })
              yield* untilWaiting(2)
              const others = yield* Effect.forEach(Array.from({ length: 300 }), () =>
                Effect.forkChild(take(arrived(organization)), { startImmediately: true })
              )
              yield* Effect.sleep("50 millis")
              assert.strictEqual(yield* waiting, 2)
              return [first, second, ...others]
            })
          )
          yield* Effect.forEach(callers, Fiber.join)
          const [row] = yield* sql<{ readonly commits: number }>`
            SELECT count(DISTINCT xmin::text)::integer AS commits FROM inbound_deliveries`
          assert.strictEqual(row?.commits, 3)
          assert.lengthOf(yield* stored(organization), 302)
        }).pipe(Effect.provide(one))
      }).pipe(Effect.scoped),
    slow
  )

  it.live(
    "go together who come together, and a second batch begins when as many wait as are under way",
    () =>
      Effect.gen(function* () {
        const { one, organization } = yield* given(1)
        yield* Effect.gen(function* () {
          const several = (count: number) =>
            Effect.forEach(Array.from({ length: count }), () =>
              Effect.forkChild(take(arrived(organization)), { startImmediately: true })
            )
          const callers = yield* whileLocked(
            one,
            Effect.gen(function* () {
              const first = yield* several(3)
              yield* untilWaiting(1)
              const others = yield* several(2)
              yield* Effect.sleep("50 millis")
              assert.strictEqual(yield* waiting, 1)
              const last = yield* several(1)
              yield* untilWaiting(2)
              return [...first, ...others, ...last]
            })
          )
          yield* Effect.forEach(callers, Fiber.join)
          assert.lengthOf(yield* stored(organization), 6)
        }).pipe(Effect.provide(one))
      }).pipe(Effect.scoped),
    slow
  )

  it.live(
    "fail together in one batch, and the next batch goes well",
    () =>
      Effect.gen(function* () {
        const { one, organization } = yield* given(1)
        yield* Effect.gen(function* () {
          const wrong = { ...arrived(organization), id: "no id" as InboundDeliveryId }
          const callers = yield* whileLocked(
            one,
            Effect.gen(function* () {
              const fork = (delivery: NewInboundDelivery) =>
                Effect.andThen(Effect.forkChild(take(delivery), { startImmediately: true }), (fiber) =>
                  Effect.as(Effect.sleep("50 millis"), fiber)
                )
              const busy = [yield* fork(arrived(organization)), yield* fork(arrived(organization))]
              return [...busy, yield* fork(wrong), yield* fork(arrived(organization))]
            })
          )
          const exits = yield* Effect.forEach(callers, Fiber.await)
          assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, false])
          yield* take(arrived(organization))
          assert.lengthOf(yield* stored(organization), 3)
        }).pipe(Effect.provide(one))
      }).pipe(Effect.scoped),
    slow
  )

  it.live(
    "wake workers of another process",
    () =>
      Effect.gen(function* () {
        const { nodes, one, organization } = yield* given(2)
        const [, other = assert.fail()] = nodes
        const { awaitNotification } = yield* LaneQueue.pipe(Effect.provide(other))
        // It starts to listen with the first wait, and reports that earlier notifications can be missing.
        yield* Effect.timeout(awaitNotification(inboundDeliveriesTaskName), "5 seconds")
        const waiting = yield* Effect.forkChild(awaitNotification(inboundDeliveriesTaskName), {
          startImmediately: true
        })
        yield* Effect.sleep("100 millis")
        assert.isUndefined(waiting.pollUnsafe())
        yield* take(arrived(organization)).pipe(Effect.provide(one))
        yield* Fiber.join(waiting)
      }).pipe(Effect.scoped),
    slow
  )

  it.live(
    "wake no worker for an open due lane, which is checked again before it closes, and one for any other",
    () =>
      Effect.gen(function* () {
        const { one, organization } = yield* given(1)
        yield* Effect.gen(function* () {
          const { awaitNotification, close, postpone } = yield* LaneQueue
          // It answers at first that something may have been missed before.
          yield* Effect.timeout(awaitNotification(inboundDeliveriesTaskName), "5 seconds")
          const nextNotification = Effect.forkChild(awaitNotification(inboundDeliveriesTaskName), {
            startImmediately: true
          })
          const first = yield* nextNotification
          yield* take(arrived(organization))
          yield* Fiber.join(first)
          const second = yield* nextNotification
          yield* take(arrived(organization))
          yield* Effect.yieldNow
          assert.isUndefined(second.pollUnsafe())
          const lease = (yield* claim(organization)) ?? assert.fail("nothing was claimed")
          yield* transact(postpone(lease, DateTime.add(noon, { hours: 1 })))
          yield* take(arrived(organization))
          yield* Fiber.join(second)
          const third = yield* nextNotification
          yield* transact(close((yield* claim(organization)) ?? assert.fail("it is not due again")))
          yield* take(arrived(organization))
          yield* Fiber.join(third)
        }).pipe(Effect.provide(one))
      }).pipe(Effect.scoped),
    slow
  )

  it.live(
    "open lanes of many organizations in every order while others close them, without deadlocks",
    () =>
      Effect.gen(function* () {
        const { nodes, one } = yield* given(2, 10)
        const organizations = yield* Effect.replicateEffect(givenOrganization().pipe(Effect.provide(one)), 6)
        const work = processDueDeliveries.pipe(
          Effect.provide(MemoryChat.layer),
          Effect.provideService(ChatSettings, { publicUrl: "https://parley.test", platformApp: null }),
          // Each is parked with a warning.
          Effect.provideService(References.MinimumLogLevel, "Error")
        )
        const results = yield* onAll(nodes, 60, (index) => {
          const rows = organizations.map((each) => arrived(each))
          return Effect.exit(index % 3 === 0 ? work : take(...(index % 2 === 0 ? rows : rows.toReversed())))
        })
        assert.deepStrictEqual(
          results.filter(({ _tag }) => _tag === "Failure"),
          []
        )
        yield* work.pipe(Effect.provide(one))
        for (const organization of organizations) {
          const rows = yield* stored(organization).pipe(Effect.provide(one))
          assert.lengthOf(rows, 40)
          assert.isTrue(rows.every(({ state }) => state !== "waiting"))
        }
      }).pipe(Effect.scoped),
    slow
  )

  it.live(
    "are held until the end of their unit of work; one with a new owner is void",
    () =>
      Effect.gen(function* () {
        const { nodes, one, organization } = yield* given(2)
        const [, other = assert.fail()] = nodes
        yield* take(arrived(organization)).pipe(Effect.provide(one))
        yield* Effect.gen(function* () {
          const inbox = yield* InboundDeliveryQueue
          const workThrough = Effect.fnUntraced(function* (lease: LaneLease) {
            const rows = yield* inbox.next(lease, 10, noon)
            yield* inbox.applied(
              lease,
              rows.map(({ id }) => ({ id, events: 1, unknown: 0 })),
              noon
            )
          })
          const claimElsewhere = claim(organization).pipe(Effect.provide(other))
          const late = (yield* claim(organization)) ?? assert.fail("nothing was claimed")
          const overtaken = inbox
            .next(late, 10, noon)
            .pipe(Effect.andThen(claimElsewhere), Effect.tap(workThrough(late)), transact, Effect.flip)
          assert.strictEqual((yield* overtaken)._tag, "LeaseLost")
          const lease = (yield* claim(organization)) ?? assert.fail("nothing was claimed")
          assert.isNull(yield* transact(Effect.andThen(workThrough(lease), claimElsewhere)))
          const [delivery] = yield* stored(organization)
          assert.deepStrictEqual([delivery?.state, delivery?.attempts], ["applied", 1])
        }).pipe(Effect.provide(one))
      }).pipe(Effect.scoped),
    slow
  )

  it.live(
    "report templates and numbers together without deadlocks with account changes",
    () =>
      Effect.gen(function* () {
        const { nodes, one, organization } = yield* given(1, 20)
        const number = yield* givenNumber(organization).pipe(Effect.provide(one))
        const { externalAccountId: businessId } = number
        const news = (messagingLimit: string): ReadonlyArray<InboundEvent> => [
          {
            kind: "template",
            businessId,
            externalId: "1",
            name: "order_ready",
            language: "en",
            status: null,
            reason: null,
            quality: null,
            category: null
          },
          { kind: "number", businessId, phoneId: null, displayPhone: null, quality: null, messagingLimit }
        ]
        const secret = Redacted.make("secret")
        const results = yield* onAll(nodes, 120, (index) =>
          Effect.gen(function* () {
            if (index % 2 === 1) {
              return yield* Effect.asVoid(
                updateChatAccount({ id: number.id, displayName: `Shop ${index}`, ifVersion: null })
              )
            }
            const { deliver } = yield* MemoryChat.ChatScript
            yield* take({ ...arrived(organization), body: deliver(news(`TIER_${index}`), secret).body })
            yield* processDueDeliveries
          }).pipe(
            asOperatorOf(organization),
            Effect.provide(MemoryChat.layer),
            Effect.provideService(ChatSettings, { publicUrl: "https://parley.test", platformApp: null }),
            Effect.exit
          )
        )
        assert.deepStrictEqual(
          results.filter(({ _tag }) => _tag === "Failure"),
          []
        )
      }).pipe(Effect.scoped),
    slow
  )

  it.live(
    "are retried and finally parked where their events cannot be stored, and block nothing else",
    () =>
      Effect.gen(function* () {
        const { one, organization } = yield* given(1)
        yield* Effect.gen(function* () {
          const { externalAccountId: businessId, externalPhoneId: phoneId } = yield* givenNumber(organization)
          const sql = yield* SqlClient.SqlClient
          const { deliver } = yield* MemoryChat.ChatScript
          const secret = Redacted.make("secret")
          const deliveryOf = (...events: ReadonlyArray<InboundEvent>) => ({
            ...arrived(organization),
            body: deliver(events, secret).body
          })
          const alert = (event: string): InboundEvent => ({
            kind: "notice",
            businessId,
            phoneId,
            displayPhone: null,
            topic: "alert",
            event,
            detail: null
          })
          const input = (id: string): InboundEvent => ({
            kind: "message",
            phoneId,
            id,
            at: noon,
            from: { phone: "+491701234561", chatUser: null, name: "Ada" },
            content: { kind: "text", text: id },
            replyTo: null,
            fromAdvertisement: false
          })
          const deliveries = [
            deliveryOf(alert("NUL\0")),
            deliveryOf(input("one"), alert("HALF\ud83d"), input("two")),
            deliveryOf(input("three"))
          ]
          const [last = assert.fail()] = deliveries
          yield* Effect.forEach(deliveries, (delivery) => take(delivery), { discard: true })
          yield* sql`UPDATE inbound_deliveries SET attempts = 7 WHERE id = ${last.id}`
          yield* processDueDeliveries
          const rows = (yield* stored(organization)).toReversed()
          assert.deepStrictEqual(
            rows.map(({ attempts, state }) => [state, attempts]),
            [
              ["parked", 8],
              ["waiting", 1],
              ["applied", 1]
            ]
          )
          const messages = yield* sql<{ readonly text: string }>`SELECT text FROM messages ORDER BY text`
          assert.deepStrictEqual(
            messages.map(({ text }) => text),
            ["one", "three", "two"]
          )
        }).pipe(
          Effect.provide(one),
          Effect.provide(MemoryChat.layer),
          Effect.provideService(ChatSettings, { publicUrl: "https://parley.test", platformApp: null }),
          // The failures are warnings.
          Effect.provideService(References.MinimumLogLevel, "Error")
        )
      }).pipe(Effect.scoped),
    slow
  )

  it.live(
    "are claimed by size as well: few large ones together, in order, and finally each",
    () =>
      Effect.gen(function* () {
        const { one, organization } = yield* given(1)
        yield* Effect.gen(function* () {
          const inbox = yield* InboundDeliveryQueue
          const mebibyte = 1024 * 1024
          const large = Array.from({ length: 20 }, () => ({
            ...arrived(organization),
            body: new Uint8Array(mebibyte)
          }))
          const huge = { ...arrived(organization), body: new Uint8Array(12 * mebibyte) }
          const small = Array.from({ length: 50 }, () => arrived(organization))
          const all = [...large, huge, ...small]
          yield* Effect.forEach(all, (delivery) => take(delivery))
          const lease = (yield* claim(organization)) ?? assert.fail()
          const handed: Array<InboundDeliveryId> = []
          while (true) {
            const rows = yield* transact(
              Effect.tap(inbox.next(lease, 200, noon), (rows) =>
                inbox.applied(
                  lease,
                  rows.map(({ id }) => ({ id, events: 0, unknown: 0 })),
                  noon
                )
              )
            ).pipe(asOperatorOf(organization))
            if (rows.length === 0) break
            const bytes = rows.reduce((sum, { body }) => sum + body.length, 0)
            assert.isTrue(rows.length === 1 || bytes <= 8 * mebibyte, `${rows.length} rows of ${bytes} bytes`)
            handed.push(...rows.map(({ id }) => id))
          }
          assert.deepStrictEqual(
            handed,
            all.map(({ id }) => id)
          )
        }).pipe(Effect.provide(one))
      }).pipe(Effect.scoped),
    slow
  )

  it.live(
    "are claimed without reading all that wait, before the server has statistics and after",
    () =>
      Effect.gen(function* () {
        const { one, organization } = yield* given(1)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const inbox = yield* InboundDeliveryQueue
          yield* take(
            ...Array.from({ length: 3_000 }, () => ({ ...arrived(organization), body: new Uint8Array(1_000) }))
          )
          const lease = (yield* claim(organization)) ?? assert.fail()
          for (const known of [Effect.void, sql`ANALYZE inbound_deliveries`]) {
            yield* known
            const claimed = yield* pagesRead(inbox.next(lease, 20, noon))
            const asked = yield* pagesRead(inbox.nextDue(lease))
            assert.lengthOf(claimed.result, 20)
            assert.deepStrictEqual(asked.result, noon)
            assert.isAtMost(claimed.pages, 100)
            assert.isAtMost(asked.pages, 20)
          }
        }).pipe(asOperatorOf(organization), Effect.provide(one))
      }).pipe(Effect.scoped),
    slow
  )
})
