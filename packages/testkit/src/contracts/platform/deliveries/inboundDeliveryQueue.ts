import { assert } from "@effect/vitest"
import { CurrentOrganization, type OrganizationId, transact } from "@parley/domain/kernel"
import {
  InboundDeliveries,
  inboundDeliveryWorker as workingThrough,
  inboundDeliveriesTaskName,
  InboundDeliveryQueue,
  type InboundDeliveryId,
  type DeliverySource,
  DeliverySources,
  LaneQueue,
  runDueLanes
} from "@parley/domain/platform"
import { DateTime, Effect, Fiber, Ref, Semaphore } from "effect"
import { TestClock } from "effect/testing"
import * as TestSecurity from "../../../TestSecurity.ts"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, freshText, givenOrganization, inside } from "../../given.ts"
import {
  apply,
  claim,
  fail,
  givenDeliveries,
  mustClaim,
  newDelivery,
  next,
  nextDue,
  nextIds,
  noon,
  plain,
  release,
  take
} from "./given.ts"

const all = Effect.flatMap(InboundDeliveries, (deliveries) => deliveries.list(null, { after: null, limit: 1_000 }))

const allIds = Effect.map(all, (rows) => rows.map(({ id }) => id).toSorted())

const sorted = (rows: ReadonlyArray<{ readonly id: InboundDeliveryId }>) => rows.map(({ id }) => id).toSorted()

export const inboundDeliveryQueue: StorageContract = {
  port: "InboundDeliveryQueue",
  promises: (it) => {
    it.effect("answers after storing, for each of many concurrent calls", () =>
      Effect.gen(function* () {
        const organizations = yield* Effect.replicateEffect(givenOrganization(), 3)
        const deliveries = yield* InboundDeliveries
        yield* Effect.forEach(
          organizations.flatMap((organization) => Array.from({ length: 40 }, () => organization)),
          Effect.fnUntraced(function* (organization) {
            const [one, other] = yield* givenDeliveries(organization, 2)
            for (const row of [one, other]) {
              const { delivery } = yield* deliveries.get(row?.id ?? assert.fail()).pipe(inside(organization))
              assert.strictEqual(delivery.state, "waiting")
            }
          }),
          { concurrency: "unbounded", discard: true }
        )
        for (const organization of organizations) assert.lengthOf(yield* all.pipe(inside(organization)), 80)
        yield* take()
      })
    )

    it.effect("accepts one digest once: in one call, in concurrent calls, and later", () =>
      Effect.gen(function* () {
        const [organization, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const digests = Array.from({ length: 5 }, () => freshText("digest"))
        const round = (of: typeof organization, order: ReadonlyArray<string>) =>
          take(...[...order, ...order].map((digest) => newDelivery(of, { digest })))
        const rounds = Array.from({ length: 12 }, (_, index) =>
          round(index % 3 === 0 ? other : organization, index % 2 === 0 ? digests : digests.toReversed())
        )
        yield* Effect.all(rounds, { concurrency: "unbounded" })
        assert.lengthOf(yield* all.pipe(inside(organization)), 5)
        const before = (yield* all.pipe(inside(other))).map(plain)
        assert.lengthOf(before, 5)
        yield* round(other, digests)
        assert.deepStrictEqual((yield* all.pipe(inside(other))).map(plain), before)
      })
    )

    it.effect("loses nothing of others when callers go away", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const rows = Array.from({ length: 60 }, () => newDelivery(organization))
        const fibers = yield* Effect.forEach(rows, (row) => Effect.forkChild(take(row)))
        yield* Effect.yieldNow
        yield* Effect.forEach(
          fibers.filter((_, index) => index % 3 === 0),
          (fiber) => Fiber.interrupt(fiber)
        )
        const stayed = rows.filter((_, index) => index % 3 !== 0)
        yield* Effect.forEach(
          fibers.filter((_, index) => index % 3 !== 0),
          (fiber) => Fiber.join(fiber)
        )
        const stored = new Set(yield* allIds.pipe(inside(organization)))
        assert.deepStrictEqual(
          stayed.filter(({ id }) => !stored.has(id)),
          []
        )
      })
    )

    it.effect("hands out what waits in its order, as much as is asked for, until it was worked through", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        assert.isNull(yield* claim(organization))
        const [a, b, c] = Array.from({ length: 3 }, () => newDelivery(organization))
        if (a === undefined || b === undefined || c === undefined) return assert.fail()
        yield* take(c, a)
        yield* take(b)
        const lease = yield* mustClaim(organization)
        assert.strictEqual(lease.organizationId, organization.id)
        const rows = yield* next(lease)
        assert.deepStrictEqual(
          rows.map(({ attempts, body, id, receivedAt }) => ({ id, body: Array.from(body), receivedAt, attempts })),
          [a, b, c].map(({ body, id, receivedAt }) => ({ id, body: Array.from(body), receivedAt, attempts: 0 }))
        )
        assert.deepStrictEqual(yield* nextIds(lease, 2), [a.id, b.id])
        yield* apply(lease, [a.id, c.id])
        assert.deepStrictEqual(yield* nextIds(lease), [b.id])
        yield* apply(lease, [b.id])
        assert.deepStrictEqual(yield* nextIds(lease), [])
        yield* release(lease)
        assert.isNull(yield* claim(organization, after(noon, "1 day")))
      })
    )

    it.effect("claims deliveries of one source and one provider together, oldest source first", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const received = [
          ["chat", "whatsapp"],
          ["chat", "webhook"],
          ["stores", "whatsapp"],
          ["chat", "whatsapp"],
          ["stores", "whatsapp"],
          ["chat", "webhook"],
          ["chat", "whatsapp"]
        ] as const
        const rows = received.map(([source, provider]) => newDelivery(organization, { source, provider }))
        const [first, posted, sold, second, resold, reposted, third] = rows.map(({ id }) => id)
        yield* take(...rows.toReversed())
        const lease = yield* mustClaim(organization)
        const handedOut = Effect.map(next(lease), (batch) =>
          batch.map(({ id, provider, source }) => [source, provider, id])
        )
        assert.deepStrictEqual(yield* handedOut, [
          ["chat", "whatsapp", first],
          ["chat", "whatsapp", second],
          ["chat", "whatsapp", third]
        ])
        assert.deepStrictEqual(yield* nextIds(lease, 2), [first, second], "a limit is of one provider, too")
        const then = after(noon, "4 seconds")
        yield* fail(lease, first ?? assert.fail(), then)
        assert.deepStrictEqual(yield* handedOut, [
          ["chat", "webhook", posted],
          ["chat", "webhook", reposted]
        ])
        assert.deepStrictEqual(yield* nextIds(lease, 100, then), [first, second, third], "it is the oldest again")
        yield* apply(
          lease,
          [posted, reposted].map((id) => id ?? assert.fail())
        )
        assert.deepStrictEqual(yield* handedOut, [
          ["stores", "whatsapp", sold],
          ["stores", "whatsapp", resold]
        ])
        yield* apply(lease, [sold ?? assert.fail()])
        assert.deepStrictEqual(yield* nextIds(lease), [second, third])
        yield* apply(
          lease,
          [second, third].map((id) => id ?? assert.fail())
        )
        assert.deepStrictEqual(yield* nextIds(lease), [resold])
        assert.deepStrictEqual(yield* nextIds(lease, 100, then), [first])
      })
    )

    it.effect("hands out nothing before it came", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [now] = yield* givenDeliveries(organization, 1)
        yield* givenDeliveries(organization, 1, { receivedAt: after(noon, "1 second") })
        const lease = yield* mustClaim(organization)
        assert.deepStrictEqual(yield* nextIds(lease), [now?.id])
        assert.lengthOf(yield* nextIds(lease, 100, after(noon, "1 second")), 2)
      })
    )

    it.effect("refuses what a worker writes whom another one has taken over from, and once nothing is left", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [row] = yield* givenDeliveries(organization, 1)
        const id = row?.id ?? assert.fail()
        const late = yield* mustClaim(organization)
        const current = yield* mustClaim(organization)
        for (const write of [apply(late, [id]), apply(late, []), fail(late, id, null)]) {
          assert.strictEqual((yield* Effect.flip(write))._tag, "LeaseLost")
        }
        const [untouched] = yield* all.pipe(inside(organization))
        assert.deepStrictEqual([untouched?.state, untouched?.attempts], ["waiting", 0])
        assert.deepStrictEqual(yield* nextIds(current), [id])
        yield* apply(current, [id])
        assert.deepStrictEqual(yield* nextIds(current), [])
        yield* release(current)
        assert.strictEqual((yield* Effect.flip(apply(current, [])))._tag, "LeaseLost")
        assert.isNull(yield* claim(organization))
      })
    )

    it.effect("opens the lanes of many organizations in one call, each due when the first of it came", () =>
      Effect.gen(function* () {
        const [a, b, c] = [yield* givenOrganization(), yield* givenOrganization(), yield* givenOrganization()]
        const at = (seconds: number) => after(noon, `${seconds} seconds`)
        const known = newDelivery(c)
        yield* take(known)
        const former = yield* mustClaim(c)
        yield* apply(former, [known.id])
        yield* release(former)
        yield* take(
          newDelivery(b, { receivedAt: at(5) }),
          newDelivery(a, { receivedAt: at(9) }),
          newDelivery(b, { receivedAt: at(2) }),
          newDelivery(c, { digest: known.digest })
        )
        for (const [organization, seconds] of [
          [a, 9],
          [b, 2]
        ] as const) {
          assert.isNull(yield* claim(organization, at(seconds - 1)))
          yield* mustClaim(organization, at(seconds))
        }
        assert.isNull(yield* claim(c, at(100)), "what was seen before opens nothing")
        yield* take(newDelivery(a, { receivedAt: at(4) }))
        yield* mustClaim(a, at(4))
      })
    )

    it.effect("claims deliveries of one lane of an organization separately, and opens it again when moved", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [one, other] = ["one", "other"]
        const many = yield* givenDeliveries(organization, 3, { lane: one })
        const [single = assert.fail()] = yield* givenDeliveries(organization, 1, { lane: other })
        assert.isNull(yield* claim(organization))
        const lease = yield* mustClaim(organization, noon, other)
        assert.deepStrictEqual(yield* nextIds(lease), [single.id])
        yield* apply(lease, [single.id])
        assert.isNull(yield* nextDue(lease))
        yield* release(lease)
        assert.isNull(yield* claim(organization, noon, other))
        const busy = yield* mustClaim(organization, noon, one)
        assert.deepStrictEqual(
          yield* nextIds(busy),
          many.map(({ id }) => id)
        )
        const deliveries = yield* InboundDeliveries
        yield* transact(deliveries.move(single.id, "waiting", null, noon)).pipe(inside(organization))
        assert.deepStrictEqual(yield* nextIds(yield* mustClaim(organization, noon, other)), [single.id])
        assert.isNull(yield* claim(organization))
      })
    )

    it.effect("lets those behind a failed delivery pass until its time has come again", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [first, second] = (yield* givenDeliveries(organization, 2)).map(({ id }) => id)
        if (first === undefined || second === undefined) return assert.fail()
        const lease = yield* mustClaim(organization)
        const then = after(noon, "4 seconds")
        yield* fail(lease, first, then, "No “account”")
        assert.deepStrictEqual(yield* nextIds(lease), [second])
        yield* apply(lease, [second])
        assert.deepStrictEqual(yield* nextDue(lease), then)
        yield* release(lease)
        assert.isNull(yield* claim(organization, after(noon, "3999 millis")))
        const [, delivery] = yield* all.pipe(inside(organization))
        assert.deepStrictEqual([delivery?.state, delivery?.reason, delivery?.attempts], ["waiting", "No “account”", 1])
        const again = yield* mustClaim(organization, then)
        assert.deepStrictEqual(
          (yield* next(again, 10, then)).map(({ attempts, id }) => ({ id, attempts })),
          [{ id: first, attempts: 1 }]
        )
        yield* apply(again, [first], then)
        const [, applied] = yield* all.pipe(inside(organization))
        assert.deepStrictEqual([applied?.state, applied?.reason, applied?.attempts], ["applied", null, 2])
        assert.deepStrictEqual(applied?.appliedAt, then)
      })
    )

    it.effect("parks what fails for the last time", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [row] = yield* givenDeliveries(organization, 1)
        const lease = yield* mustClaim(organization)
        yield* fail(lease, row?.id ?? assert.fail(), null, "Unreadable")
        assert.deepStrictEqual(yield* nextIds(lease), [])
        assert.isNull(yield* nextDue(lease))
        yield* release(lease)
        assert.isNull(yield* claim(organization, after(noon, "1 day")))
        const [parked] = yield* all.pipe(inside(organization))
        assert.deepStrictEqual([parked?.state, parked?.reason, parked?.attempts], ["parked", "Unreadable", 1])
      })
    )

    it.effect("takes the work back when its unit of work fails", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [row] = yield* givenDeliveries(organization, 1)
        const id = row?.id ?? assert.fail()
        const lease = yield* mustClaim(organization)
        const failure = yield* apply(lease, [id]).pipe(
          Effect.andThen(Effect.fail("in the middle")),
          transact,
          inside(organization),
          Effect.flip
        )
        assert.strictEqual(failure, "in the middle")
        assert.deepStrictEqual(yield* nextIds(lease), [id])
      })
    )

    it.effect("keeps in line what came while the worker was about to go", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [early] = yield* givenDeliveries(organization, 1)
        const lease = yield* mustClaim(organization)
        yield* apply(lease, [early?.id ?? assert.fail()])
        assert.deepStrictEqual(yield* nextIds(lease), [])
        const [late] = yield* givenDeliveries(organization, 1)
        yield* release(lease)
        assert.deepStrictEqual(yield* nextIds(yield* mustClaim(organization)), [late?.id])
      })
    )

    it.effect("loses nothing, and has nothing worked through twice, when workers race and more comes", () =>
      Effect.gen(function* () {
        const inbox = yield* InboundDeliveryQueue
        const organizations = yield* Effect.replicateEffect(givenOrganization(), 3)
        const rows = organizations.flatMap((organization) =>
          Array.from({ length: 20 }, () => newDelivery(organization))
        )
        const done = yield* Ref.make<ReadonlyArray<InboundDeliveryId>>([])

        const step = (lease: Parameters<typeof inbox.next>[0]) =>
          Effect.gen(function* () {
            const batch = yield* inbox.next(lease, 3, noon)
            const ids = batch.map(({ id }) => ({ id, events: 1, unknown: 0 }))
            yield* inbox.applied(lease, ids, noon)
            return ids.map(({ id }) => id)
          }).pipe(
            transact,
            inside({ id: lease.organizationId }),
            Effect.tap((ids) => Ref.update(done, (before) => [...before, ...ids]))
          )

        const turn = Effect.forEach(
          organizations,
          (organization) =>
            Effect.gen(function* () {
              const lease = yield* claim(organization)
              if (lease === null) return yield* Effect.yieldNow
              while ((yield* step(lease)).length > 0) yield* Effect.yieldNow
              yield* release(lease)
            }).pipe(Effect.catchTag("LeaseLost", () => Effect.void)),
          { discard: true }
        )
        const isOver = Effect.map(Ref.get(done), (ids) => ids.length >= rows.length)
        // The first nine turns can overlap and take over from each other. If all turns did, no turn might ever finish.
        const turns = yield* Ref.make(0)
        const alone = yield* Semaphore.make(1)
        const nextTurn = Effect.flatMap(
          Ref.getAndUpdate(turns, (count) => count + 1),
          (count) => (count < 9 ? turn : alone.withPermit(turn))
        )
        const worker = Effect.repeat(nextTurn, { until: () => isOver })

        yield* Effect.all(
          [worker, worker, worker, Effect.forEach(rows, (row) => take(row), { concurrency: 4, discard: true })],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual((yield* Ref.get(done)).toSorted(), sorted(rows))
        yield* Effect.forEach(organizations, (organization) =>
          Effect.map(all.pipe(inside(organization)), (stored) =>
            assert.isTrue(stored.every(({ attempts, state }) => state === "applied" && attempts === 1))
          )
        )
      })
    )

    it.effect("makes no organization wait for the backlog of another", () =>
      Effect.gen(function* () {
        const [busy, quiet] = [yield* givenOrganization(), yield* givenOrganization()]
        // Rows of other tests are due much later than this clock.
        const receivedAt = yield* DateTime.now
        const source = freshText("source")
        const waiting = Array.from({ length: 2_000 }, () => newDelivery(busy, { source, receivedAt }))
        yield* take(...waiting)
        yield* TestClock.adjust("1 second")
        yield* take(newDelivery(quiet, { source, receivedAt: yield* DateTime.now }))

        const worked: Array<OrganizationId> = []
        const apply: DeliverySource["apply"] = (_, batch) =>
          Effect.gen(function* () {
            const { id } = yield* CurrentOrganization
            worked.push(...batch.map(() => id))
            yield* TestClock.adjust("1 second")
            return batch.map(() => ({ events: 1, unknown: 0 }))
          })
        const sources = new Map([[source, { name: source, apply, steps: () => Effect.die("A batch has failed.") }]])
        yield* runDueLanes({ ...workingThrough, concurrency: 1 }).pipe(
          Effect.provideService(DeliverySources, sources),
          Effect.provide(TestSecurity.layer)
        )

        assert.lengthOf(worked, 2_001)
        // A turn lasts three seconds. A batch has 500 deliveries and takes one second.
        assert.deepStrictEqual(worked.indexOf(quiet.id), 1_500)
        assert.isNull(yield* claim(busy))
        assert.isNull(yield* claim(quiet))
        const inbox = yield* InboundDeliveries
        const end = after(yield* DateTime.now, "1 second")
        assert.strictEqual(yield* inbox.sweep("applied", end, 10_000).pipe(inside(quiet)), 1)
        assert.strictEqual(yield* inbox.sweep("applied", end, 10_000).pipe(inside(busy)), 2_000)
      })
    )

    it.effect("retries few at a time after a failure in a batch", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const receivedAt = yield* DateTime.now
        const source = freshText("source")
        const waiting = Array.from({ length: 200 }, () => newDelivery(organization, { source, receivedAt }))
        yield* take(...waiting)
        const ids = waiting.map(({ id }) => id).toSorted()
        const poisoned = ids[120]
        const sizes: Array<number> = []
        const applied: Array<string> = []
        const apply: DeliverySource["apply"] = (_, batch) =>
          Effect.suspend(() => {
            sizes.push(batch.length)
            if (batch.some(({ id }) => id === poisoned)) return Effect.die(new Error("It cannot be done."))
            applied.push(...batch.map(({ id }) => id))
            return Effect.succeed(batch.map(() => ({ events: 1, unknown: 0 })))
          })
        const sources = new Map([[source, { name: source, apply, steps: () => Effect.succeed([]) }]])
        yield* runDueLanes({ ...workingThrough, concurrency: 1 }).pipe(
          Effect.provideService(DeliverySources, sources),
          Effect.provide(TestSecurity.layer)
        )
        const alone = Array.from({ length: 50 }, () => 1)
        assert.deepStrictEqual(sizes, [200, 50, 50, 50, ...alone, 50])
        assert.deepStrictEqual(
          applied,
          ids.filter((id) => id !== poisoned)
        )
      })
    )

    it.effect("tells that something has come, and that something waits again", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const { awaitNotification } = yield* LaneQueue
        const [row] = yield* givenDeliveries(organization, 1)
        yield* awaitNotification(inboundDeliveriesTaskName)
        const lease = yield* mustClaim(organization)
        yield* apply(lease, [row?.id ?? assert.fail()])
        yield* release(lease)
        const waiting = yield* Effect.forkChild(awaitNotification(inboundDeliveriesTaskName), {
          startImmediately: true
        })
        const deliveries = yield* InboundDeliveries
        yield* transact(deliveries.move(row?.id ?? assert.fail(), "waiting", null, noon)).pipe(inside(organization))
        yield* Fiber.join(waiting)
        assert.strictEqual((yield* mustClaim(organization)).organizationId, organization.id)
      })
    )

    it.effect("sweeps what was applied before then, no more than is said, and nothing else", () =>
      Effect.gen(function* () {
        const long = DateTime.makeUnsafe("2019-05-01T00:00:00Z")
        const organization = yield* givenOrganization()
        const rows = (yield* givenDeliveries(organization, 7, { receivedAt: long })).map(({ id }) => id)
        const [a, b, c, d, e, parked, waiting] = rows
        if (d === undefined || e === undefined || parked === undefined || waiting === undefined) return assert.fail()
        const lease = yield* mustClaim(organization, long)
        yield* apply(
          lease,
          [a, b, c].map((id) => id ?? assert.fail()),
          long
        )
        yield* apply(lease, [d], after(long, "1 second"))
        yield* apply(lease, [e], after(long, "1 day"))
        yield* fail(lease, parked, null)
        const sweep = Effect.fnUntraced(function* (state: "applied" | "parked", before: DateTime.Utc, limit: number) {
          return yield* (yield* InboundDeliveries).sweep(state, before, limit)
        }, inside(organization))
        const other = yield* givenOrganization()
        assert.strictEqual(yield* sweep("applied", long, 100), 0)
        const before = after(long, "2 seconds")
        assert.strictEqual(yield* (yield* InboundDeliveries).sweep("applied", before, 100).pipe(inside(other)), 0)
        assert.strictEqual(yield* sweep("applied", before, 3), 3)
        assert.strictEqual(yield* sweep("applied", before, 3), 1)
        assert.strictEqual(yield* sweep("applied", before, 3), 0)
        assert.deepStrictEqual(yield* allIds.pipe(inside(organization)), [e, parked, waiting])
      })
    )

    it.effect("sweeps what is parked and came before then, no more than is said, and nothing else", () =>
      Effect.gen(function* () {
        const long = DateTime.makeUnsafe("2018-05-01T00:00:00Z")
        const organization = yield* givenOrganization()
        const ids = (rows: ReadonlyArray<{ readonly id: InboundDeliveryId }>) => rows.map(({ id }) => id)
        const old = ids(yield* givenDeliveries(organization, 5, { receivedAt: long }))
        const [young] = ids(yield* givenDeliveries(organization, 1, { receivedAt: after(long, "1 day") }))
        const [applied, waiting, ...parked] = old
        if (applied === undefined || waiting === undefined || young === undefined) return assert.fail()
        const lease = yield* mustClaim(organization, after(long, "2 days"))
        yield* apply(lease, [applied], long)
        for (const id of [...parked, young]) yield* fail(lease, id, null)
        const sweep = Effect.fnUntraced(function* (state: "applied" | "parked", before: DateTime.Utc, limit: number) {
          return yield* (yield* InboundDeliveries).sweep(state, before, limit)
        }, inside(organization))
        const other = yield* givenOrganization()
        assert.strictEqual(yield* sweep("parked", long, 100), 0)
        const before = after(long, "1 day")
        assert.strictEqual(yield* (yield* InboundDeliveries).sweep("parked", before, 100).pipe(inside(other)), 0)
        assert.strictEqual(yield* sweep("parked", before, 2), 2)
        assert.strictEqual(yield* sweep("parked", before, 2), 1)
        assert.strictEqual(yield* sweep("parked", before, 2), 0)
        assert.deepStrictEqual(yield* allIds.pipe(inside(organization)), [applied, waiting, young])
      })
    )
  }
}

export const inboundDeliveryQueueContract = runContract(inboundDeliveryQueue)
