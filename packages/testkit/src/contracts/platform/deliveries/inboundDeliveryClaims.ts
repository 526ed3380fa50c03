import { assert } from "@effect/vitest"
import { CurrentOrganization, type OrganizationId, transact } from "@parley/domain/kernel"
import {
  InboundDeliveries,
  inboundDeliveryWorker as workingThrough,
  type DeliverySource,
  DeliverySources,
  runDueLanes
} from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
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
  release,
  take,
  allDeliveries
} from "./given.ts"

export const inboundDeliveryClaims: StorageContract = {
  port: "InboundDeliveryQueue (claims)",
  promises: (it) => {
    it.effect("returns waiting deliveries in order, up to the limit, until they are processed", () =>
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

    it.effect("returns no delivery before its arrival", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [now] = yield* givenDeliveries(organization, 1)
        yield* givenDeliveries(organization, 1, { receivedAt: after(noon, "1 second") })
        const lease = yield* mustClaim(organization)
        assert.deepStrictEqual(yield* nextIds(lease), [now?.id])
        assert.lengthOf(yield* nextIds(lease, 100, after(noon, "1 second")), 2)
      })
    )

    it.effect("refuses writes of a worker after a takeover, and after the lane is closed", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [row] = yield* givenDeliveries(organization, 1)
        const id = row?.id ?? assert.fail()
        const late = yield* mustClaim(organization)
        const current = yield* mustClaim(organization)
        for (const write of [apply(late, [id]), apply(late, []), fail(late, id, null)]) {
          assert.strictEqual((yield* Effect.flip(write))._tag, "LeaseLost")
        }
        const [untouched] = yield* allDeliveries.pipe(inside(organization))
        assert.deepStrictEqual([untouched?.state, untouched?.attempts], ["waiting", 0])
        assert.deepStrictEqual(yield* nextIds(current), [id])
        yield* apply(current, [id])
        assert.deepStrictEqual(yield* nextIds(current), [])
        yield* release(current)
        assert.strictEqual((yield* Effect.flip(apply(current, [])))._tag, "LeaseLost")
        assert.isNull(yield* claim(organization))
      })
    )

    it.effect("opens the lanes of many organizations in one call, each due at its first arrival", () =>
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

    it.effect("lets no organization wait for the backlog of another", () =>
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
  }
}

/** Checks an adapter against the contract of claims of received deliveries. */
export const inboundDeliveryClaimsContract = runContract(inboundDeliveryClaims)
