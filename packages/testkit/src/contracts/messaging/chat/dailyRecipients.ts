import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type BusinessRef, DailyRecipients, type Recipient } from "@parley/domain/messaging"
import { DateTime, Duration, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenOrganization, inside } from "../../given.ts"
import { morning } from "./given.ts"

const shop: BusinessRef = { provider: "whatsapp", businessId: "business-1" }
const branch: BusinessRef = { provider: "whatsapp", businessId: "business-2" }
const elsewhere: BusinessRef = { provider: "other", businessId: "business-1" }

const after = (duration: Duration.Input) => DateTime.addDuration(morning, Duration.fromInputUnsafe(duration))

const phones = (...places: ReadonlyArray<number>): ReadonlyArray<Recipient> =>
  places.map((place) => ({ kind: "phone", value: `+49301${String(place).padStart(6, "0")}` }))

const reach = (recipients: ReadonlyArray<Recipient>, now: DateTime.Utc, most: number | null, business = shop) =>
  Effect.flatMap(DailyRecipients, (port) => transact(port.reach(business, recipients, { now, most })))

const takeBack = (recipients: ReadonlyArray<Recipient>, at: DateTime.Utc, business = shop) =>
  Effect.flatMap(DailyRecipients, (port) => transact(port.takeBack(business, recipients, at)))

const forget = (now: DateTime.Utc) => Effect.flatMap(DailyRecipients, (port) => transact(port.forget(now)))

/** How many count then. */
const countAt = (now: DateTime.Utc, business = shop) =>
  Effect.map(
    Effect.flatMap(DailyRecipients, (port) => port.reached(business, now)),
    (minutes) => minutes.reduce((sum, { count }) => sum + count, 0)
  )

const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

export const dailyRecipients: StorageContract = {
  port: "DailyRecipients",
  promises: (it) => {
    it.effect("counts as many as fit, in their order, and says when the next one does", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* reach(phones(1, 2), morning, 4), { granted: 2, freeAt: null })
        const second = yield* reach(phones(3, 4, 5, 6), after("1 hour"), 4)
        assert.deepStrictEqual(second, { granted: 2, freeAt: after("24 hours") })
        assert.deepStrictEqual(yield* reach(phones(5), after("23 hours"), 4), { granted: 0, freeAt: after("24 hours") })
        assert.strictEqual(yield* countAt(after("23 hours")), 4)
        assert.deepStrictEqual(yield* reach(phones(5, 6, 7), after("24 hours"), 4), {
          granted: 2,
          freeAt: after("25 hours")
        })
        assert.strictEqual(yield* countAt(after("24 hours")), 4)
      }).pipe(inNewOrganization)
    )

    it.effect("counts each person once, however they are spelled, from when they were written to last", () =>
      Effect.gen(function* () {
        const user: Recipient = { kind: "chat_user", value: "DE.1" }
        assert.deepStrictEqual(yield* reach([...phones(1, 1), user], morning, 2), { granted: 3, freeAt: null })
        assert.deepStrictEqual(yield* reach([user, ...phones(2)], after("20 hours"), 2), {
          granted: 1,
          freeAt: after("24 hours")
        })
        assert.strictEqual(yield* countAt(after("25 hours")), 1)
        assert.deepStrictEqual(yield* reach(phones(2, 3), after("25 hours"), 2), {
          granted: 1,
          freeAt: after("44 hours")
        })
      }).pipe(inNewOrganization)
    )

    it.effect("goes by the limit there is now, and by none", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* reach(phones(1, 2, 3), morning, null), { granted: 3, freeAt: null })
        assert.deepStrictEqual(yield* reach(phones(4), after("1 hour"), 2), { granted: 0, freeAt: after("24 hours") })
        assert.deepStrictEqual(yield* reach(phones(3, 4), after("1 hour"), 5), { granted: 2, freeAt: null })
        assert.deepStrictEqual(yield* reach(phones(5), after("2 hours"), 0), { granted: 0, freeAt: null })
        // Two recipients above the limit: all except the last two must expire first.
        assert.deepStrictEqual(yield* reach(phones(5), after("2 hours"), 2), { granted: 0, freeAt: after("25 hours") })
      }).pipe(inNewOrganization)
    )

    it.effect("returns unused recipients unless they were counted since", () =>
      Effect.gen(function* () {
        yield* reach(phones(1, 2, 3), morning, 3)
        yield* takeBack(phones(1, 9), morning)
        yield* takeBack(phones(1), morning)
        assert.strictEqual(yield* countAt(morning), 2)
        yield* reach(phones(2, 4), after("1 hour"), 3)
        // The second one counts as it did before, the other was never written to.
        yield* takeBack(phones(2, 3, 4), after("1 hour"))
        assert.strictEqual(yield* countAt(after("1 hour")), 2)
        assert.strictEqual(yield* countAt(after("24 hours")), 0)
        yield* takeBack(phones(1), morning, branch)
        assert.deepStrictEqual(yield* reach(phones(5, 6), after("2 hours"), 3), {
          granted: 1,
          freeAt: after("24 hours")
        })
      }).pipe(inNewOrganization)
    )

    it.effect("returns the first minute of an amount", () =>
      Effect.gen(function* () {
        yield* reach(phones(1, 2), after("10 seconds"), null)
        yield* reach(phones(3), after("50 seconds"), null)
        yield* reach(phones(4, 5), after("1 hour"), null)
        const reached = Effect.flatMap(DailyRecipients, (port) => port.reached(shop, after("2 hours")))
        assert.deepStrictEqual(yield* reached, [
          { at: DateTime.makeUnsafe("2026-03-01T08:00:00Z"), count: 3 },
          { at: DateTime.makeUnsafe("2026-03-01T09:00:00Z"), count: 2 }
        ])
      }).pipe(inNewOrganization)
    )

    it.effect("never exceeds the limit under concurrency", () =>
      Effect.gen(function* () {
        const places = Array.from({ length: 20 }, (_, place) => phones(place * 2, place * 2 + 1))
        const all = yield* Effect.forEach(places, (two) => reach(two, morning, 25), { concurrency: "unbounded" })
        assert.strictEqual(
          all.reduce((sum, { granted }) => sum + granted, 0),
          25
        )
        assert.strictEqual(yield* countAt(morning), 25)
      }).pipe(inNewOrganization)
    )

    it.effect("keeps nothing of a unit of work that fails", () =>
      Effect.gen(function* () {
        const port = yield* DailyRecipients
        const failing = port.reach(shop, phones(1, 2), { now: morning, most: 2 })
        yield* failing.pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
        assert.deepStrictEqual(yield* reach(phones(3, 4), morning, 2), { granted: 2, freeAt: null })
      }).pipe(inNewOrganization)
    )

    it.effect("forgets what does not count any more, and nothing else", () =>
      Effect.gen(function* () {
        yield* forget(morning)
        yield* reach(phones(1, 2), morning, null)
        yield* reach(phones(3), after("1 hour"), null)
        yield* reach(phones(4), morning, null, branch)
        yield* forget(after("24 hours"))
        yield* forget(after("24 hours"))
        assert.deepStrictEqual([yield* countAt(morning), yield* countAt(morning, branch)], [1, 0])
        assert.deepStrictEqual(yield* reach(phones(5, 6), after("24 hours"), 2), {
          granted: 1,
          freeAt: after("25 hours")
        })
      }).pipe(inNewOrganization)
    )

    it.effect("keeps businesses and tenants apart", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const full = { granted: 1, freeAt: null }
        assert.deepStrictEqual(yield* reach(phones(1), morning, 1).pipe(inside(one)), full)
        assert.deepStrictEqual(yield* reach(phones(2), morning, 1, branch).pipe(inside(one)), full)
        assert.deepStrictEqual(yield* reach(phones(2), morning, 1, elsewhere).pipe(inside(one)), full)
        assert.deepStrictEqual(yield* reach(phones(2), morning, 1).pipe(inside(other)), full)
        yield* takeBack(phones(1), morning).pipe(inside(other))
        yield* forget(after("25 hours")).pipe(inside(other))
        assert.strictEqual(yield* countAt(morning).pipe(inside(one)), 1)
        assert.strictEqual(yield* countAt(morning).pipe(inside(other)), 0)
      })
    )
  }
}

export const dailyRecipientsContract = runContract(dailyRecipients)
