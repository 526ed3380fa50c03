import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  InboundDeliveries,
  inboundDeliveriesTaskName,
  InboundDeliveryQueue,
  type InboundDeliveryId,
  LaneQueue
} from "@parley/domain/platform"
import { Effect, Fiber, Ref, Semaphore } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshText, givenOrganization, inside } from "../../given.ts"
import {
  apply,
  claim,
  givenDeliveries,
  mustClaim,
  newDelivery,
  nextIds,
  noon,
  plain,
  release,
  take,
  allDeliveries,
  allIds
} from "./given.ts"

const sortedIds = (rows: ReadonlyArray<{ readonly id: InboundDeliveryId }>) => rows.map(({ id }) => id).toSorted()

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
        for (const organization of organizations) assert.lengthOf(yield* allDeliveries.pipe(inside(organization)), 80)
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
        assert.lengthOf(yield* allDeliveries.pipe(inside(organization)), 5)
        const before = (yield* allDeliveries.pipe(inside(other))).map(plain)
        assert.lengthOf(before, 5)
        yield* round(other, digests)
        assert.deepStrictEqual((yield* allDeliveries.pipe(inside(other))).map(plain), before)
      })
    )

    it.effect("keeps the deliveries of other callers when callers are interrupted", () =>
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

    it.effect("keeps a delivery that arrives while the worker releases the lane", () =>
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

    it.effect("processes each delivery once while workers race and more arrive", () =>
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
        assert.deepStrictEqual((yield* Ref.get(done)).toSorted(), sortedIds(rows))
        yield* Effect.forEach(organizations, (organization) =>
          Effect.map(allDeliveries.pipe(inside(organization)), (stored) =>
            assert.isTrue(stored.every(({ attempts, state }) => state === "applied" && attempts === 1))
          )
        )
      })
    )

    it.effect("notifies workers of new deliveries and of deliveries that wait again", () =>
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
  }
}

export const inboundDeliveryQueueContract = runContract(inboundDeliveryQueue)
