import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  inboundDeliveryWorker as workingThrough,
  type DeliverySource,
  DeliverySources,
  runDueLanes
} from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
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
  release,
  take,
  allDeliveries
} from "./given.ts"

export const failedInboundDeliveries: StorageContract = {
  port: "InboundDeliveryQueue (failures)",
  promises: (it) => {
    it.effect("lets other deliveries pass a failed one until its next attempt is due", () =>
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
        const [, delivery] = yield* allDeliveries.pipe(inside(organization))
        assert.deepStrictEqual([delivery?.state, delivery?.reason, delivery?.attempts], ["waiting", "No “account”", 1])
        const again = yield* mustClaim(organization, then)
        assert.deepStrictEqual(
          (yield* next(again, 10, then)).map(({ attempts, id }) => ({ id, attempts })),
          [{ id: first, attempts: 1 }]
        )
        yield* apply(again, [first], then)
        const [, applied] = yield* allDeliveries.pipe(inside(organization))
        assert.deepStrictEqual([applied?.state, applied?.reason, applied?.attempts], ["applied", null, 2])
        assert.deepStrictEqual(applied?.appliedAt, then)
      })
    )

    it.effect("parks a delivery after its last failed attempt", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [row] = yield* givenDeliveries(organization, 1)
        const lease = yield* mustClaim(organization)
        yield* fail(lease, row?.id ?? assert.fail(), null, "Unreadable")
        assert.deepStrictEqual(yield* nextIds(lease), [])
        assert.isNull(yield* nextDue(lease))
        yield* release(lease)
        assert.isNull(yield* claim(organization, after(noon, "1 day")))
        const [parked] = yield* allDeliveries.pipe(inside(organization))
        assert.deepStrictEqual([parked?.state, parked?.reason, parked?.attempts], ["parked", "Unreadable", 1])
      })
    )

    it.effect("processes deliveries again after their unit of work failed", () =>
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

    it.effect("retries a few deliveries at a time after a failure in a batch", () =>
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
  }
}

/** Checks an adapter against the contract of received deliveries that fail. */
export const failedInboundDeliveriesContract = runContract(failedInboundDeliveries)
