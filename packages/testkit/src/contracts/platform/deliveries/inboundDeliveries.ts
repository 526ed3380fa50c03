import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { InboundDeliveries, InboundDeliveryId, type InboundDeliveryState } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, freshId, givenOrganization, inside } from "../../given.ts"
import { apply, body, claim, fail, givenDeliveries, mustClaim, nextIds, noon, plain, release } from "./given.ts"

const get = (id: InboundDeliveryId) => Effect.flatMap(InboundDeliveries, (deliveries) => deliveries.get(id))

const ids = (state: InboundDeliveryState | null, limit = 100, last: InboundDeliveryId | null = null) =>
  Effect.flatMap(InboundDeliveries, (deliveries) =>
    Effect.map(deliveries.list(state, { after: last === null ? null : [last], limit }), (rows) =>
      rows.map(({ id }) => id)
    )
  )

const move = (id: InboundDeliveryId, to: "waiting" | "parked", reason: string | null = null, now = noon) =>
  Effect.flatMap(InboundDeliveries, (deliveries) => transact(deliveries.move(id, to, reason, now)))

export const inboundDeliveries: StorageContract = {
  port: "InboundDeliveries",
  promises: (it) => {
    it.effect("keeps what came, byte by byte, and when", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [row] = yield* givenDeliveries(organization, 1)
        const id = row?.id ?? assert.fail()
        const { body: stored, delivery } = yield* get(id).pipe(inside(organization))
        assert.deepStrictEqual(Array.from(stored), Array.from(body))
        assert.deepStrictEqual(plain(delivery), {
          id,
          source: "chat",
          provider: "whatsapp",
          state: "waiting",
          receivedAt: DateTime.formatIso(noon),
          appliedAt: null,
          attempts: 0,
          reason: null,
          events: null,
          unknown: null
        })
      })
    )

    it.effect("deletes the bytes of applied deliveries, of one source and one tenant", () =>
      Effect.gen(function* () {
        const [organization, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const [applied, waiting] = (yield* givenDeliveries(organization, 2)).map(({ id }) => id)
        const [late] = (yield* givenDeliveries(organization, 1, { receivedAt: after(noon, "1 second") })).map(
          ({ id }) => id
        )
        const [foreign] = (yield* givenDeliveries(organization, 1, { source: "stores" })).map(({ id }) => id)
        if (applied === undefined || waiting === undefined || late === undefined || foreign === undefined) {
          return assert.fail()
        }
        yield* apply(yield* mustClaim(organization, after(noon, "1 second")), [applied, late, foreign])
        const forget = Effect.flatMap(InboundDeliveries, (deliveries) => transact(deliveries.forget("chat", noon)))
        const lengths = Effect.forEach([applied, waiting, late, foreign], (id) =>
          Effect.map(get(id), (found) => found.body.length > 0)
        ).pipe(inside(organization))
        yield* forget.pipe(inside(other))
        assert.deepStrictEqual(yield* lengths, [true, true, true, true])
        yield* forget.pipe(inside(organization))
        assert.deepStrictEqual(yield* lengths, [false, true, true, true])
      })
    )

    it.effect("lists the newest first, all or those in one state, page by page", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [a, b, c, d] = (yield* givenDeliveries(organization, 4)).map(({ id }) => id)
        if (a === undefined || b === undefined || c === undefined || d === undefined) return assert.fail()
        const lease = yield* mustClaim(organization)
        yield* apply(lease, [b])
        yield* fail(lease, c, null)
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(yield* ids(null), [d, c, b, a])
          assert.deepStrictEqual(yield* ids("waiting"), [d, a])
          assert.deepStrictEqual(yield* ids("applied"), [b])
          assert.deepStrictEqual(yield* ids("parked"), [c])
          assert.deepStrictEqual(yield* ids(null, 2), [d, c])
          assert.deepStrictEqual(yield* ids(null, 2, c), [b, a])
          assert.deepStrictEqual(yield* ids("waiting", 1, d), [a])
        }).pipe(inside(organization))
      })
    )

    it.effect("shows and moves nothing of another organization", () =>
      Effect.gen(function* () {
        const [organization, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const [row] = yield* givenDeliveries(organization, 1)
        const id = row?.id ?? assert.fail()
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(get(id)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(move(id, "parked")))._tag, "NotFound")
          assert.deepStrictEqual(yield* ids(null), [])
        }).pipe(inside(other))
        assert.strictEqual((yield* get(id).pipe(inside(organization))).delivery.state, "waiting")
        const unknown = yield* Effect.flip(move(freshId(InboundDeliveryId), "waiting")).pipe(inside(organization))
        assert.strictEqual(unknown._tag, "NotFound")
      })
    )

    it.effect("parks a waiting one: no worker gets it until its replay, as new", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [row] = yield* givenDeliveries(organization, 1)
        const id = row?.id ?? assert.fail()
        const failing = yield* mustClaim(organization)
        yield* fail(failing, id, after(noon, "1 second"))
        yield* release(failing)
        const parked = yield* move(id, "parked", "By hand").pipe(inside(organization))
        assert.deepStrictEqual([parked.state, parked.reason, parked.attempts], ["parked", "By hand", 1])
        const idle = yield* mustClaim(organization, after(noon, "1 day"))
        assert.deepStrictEqual(yield* nextIds(idle, 10, after(noon, "1 day")), [])
        yield* release(idle)
        assert.isNull(yield* claim(organization, after(noon, "1 day")))
        const now = after(noon, "2 days")
        const replayed = yield* move(id, "waiting", null, now).pipe(inside(organization))
        assert.deepStrictEqual([replayed.state, replayed.reason, replayed.attempts], ["waiting", null, 0])
        assert.deepStrictEqual(plain((yield* get(id).pipe(inside(organization))).delivery), plain(replayed))
        assert.isNull(yield* claim(organization, after(noon, "1 day")))
        const lease = yield* mustClaim(organization, now)
        assert.deepStrictEqual(yield* nextIds(lease, 10, now), [id])
      })
    )

    it.effect("has one worked through again that was applied before", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [row] = yield* givenDeliveries(organization, 1)
        const id = row?.id ?? assert.fail()
        const first = yield* mustClaim(organization)
        yield* apply(first, [id])
        yield* release(first)
        const { delivery } = yield* get(id).pipe(inside(organization))
        assert.deepStrictEqual(
          [delivery.state, delivery.attempts, delivery.events, delivery.unknown],
          ["applied", 1, 3, 1]
        )
        assert.deepStrictEqual(delivery.appliedAt, noon)
        const still = yield* move(id, "parked", "Too late").pipe(inside(organization))
        assert.deepStrictEqual(plain(still), plain(delivery))
        const again = yield* move(id, "waiting").pipe(inside(organization))
        assert.deepStrictEqual(
          [again.state, again.appliedAt, again.events, again.unknown],
          ["waiting", null, null, null]
        )
        const untouched = yield* move(id, "waiting", "Twice").pipe(inside(organization))
        assert.deepStrictEqual(plain(untouched), plain(again))
        assert.deepStrictEqual(yield* nextIds(yield* mustClaim(organization)), [id])
      })
    )
  }
}

export const inboundDeliveriesContract = runContract(inboundDeliveries)
