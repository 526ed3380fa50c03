import { assert } from "@effect/vitest"
import { InboundDeliveries, type InboundDeliveryId } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, givenOrganization, inside } from "../../given.ts"
import { apply, fail, givenDeliveries, mustClaim, allIds } from "./given.ts"

export const inboundDeliverySweeps: StorageContract = {
  port: "InboundDeliveryQueue (sweeps)",
  promises: (it) => {
    it.effect("sweeps deliveries applied before a time, up to the limit, and nothing else", () =>
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

    it.effect("sweeps parked deliveries that arrived before a time, up to the limit, and nothing else", () =>
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

/** Checks an adapter against the contract of sweeps of old deliveries. */
export const inboundDeliverySweepsContract = runContract(inboundDeliverySweeps)
