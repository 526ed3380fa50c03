import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type BroadcastId, RecipientReservations } from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { givenOrganization, inside } from "../given.ts"
import { givenBroadcast } from "./given.ts"

const march = DateTime.makeUnsafe("2026-03-01T00:00:00Z")
const april = DateTime.makeUnsafe("2026-04-01T00:00:00Z")

const insert = (id: BroadcastId, month: DateTime.Utc, amount: number) =>
  Effect.flatMap(RecipientReservations, (reservations) => transact(reservations.insert(id, month, amount)))

const giveBack = (id: BroadcastId, amount: number) =>
  Effect.flatMap(RecipientReservations, (reservations) => transact(reservations.giveBack(id, amount)))

const takenIn = (month: DateTime.Utc) =>
  Effect.flatMap(RecipientReservations, (reservations) => reservations.takenIn(month))

const takenBy = (id: BroadcastId) => Effect.flatMap(RecipientReservations, (reservations) => reservations.takenBy(id))

const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

export const recipientReservations: StorageContract = {
  port: "RecipientReservations",
  promises: (it) => {
    it.effect("adds up what broadcasts take of a month, and of no other", () =>
      Effect.gen(function* () {
        const [one, two, three] = [yield* givenBroadcast(), yield* givenBroadcast(), yield* givenBroadcast()]
        assert.deepStrictEqual([yield* takenIn(march), yield* takenBy(one.id)], [0, 0])
        yield* insert(one.id, march, 1_500_000_000)
        yield* insert(two.id, march, 1_000_000_000)
        yield* insert(three.id, april, 7)
        assert.deepStrictEqual([yield* takenIn(march), yield* takenIn(april)], [2_500_000_000, 7])
        assert.deepStrictEqual([yield* takenBy(two.id), yield* takenBy(three.id)], [1_000_000_000, 7])
      }).pipe(inNewOrganization)
    )

    it.effect("takes back what a broadcast gives back, from its own month, and no more than it takes", () =>
      Effect.gen(function* () {
        const [one, two] = [yield* givenBroadcast(), yield* givenBroadcast()]
        yield* giveBack(one.id, 3)
        yield* insert(one.id, march, 10)
        yield* insert(two.id, april, 10)
        yield* giveBack(one.id, 3)
        assert.deepStrictEqual([yield* takenIn(march), yield* takenBy(one.id), yield* takenIn(april)], [7, 7, 10])
        yield* giveBack(one.id, 100)
        assert.deepStrictEqual([yield* takenIn(march), yield* takenBy(one.id), yield* takenIn(april)], [0, 0, 10])
      }).pipe(inNewOrganization)
    )

    it.effect("loses no concurrent return, and keeps nothing of a failed unit of work", () =>
      Effect.gen(function* () {
        const { id } = yield* givenBroadcast()
        yield* insert(id, march, 100)
        yield* giveBack(id, 50).pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
        yield* Effect.replicateEffect(giveBack(id, 3), 10, { concurrency: "unbounded" })
        assert.strictEqual(yield* takenBy(id), 70)
      }).pipe(inNewOrganization)
    )

    it.effect("keeps one tenant's reservations out of another's sight and reach", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const { id } = yield* givenBroadcast().pipe(inside(one))
        yield* insert(id, march, 10).pipe(inside(one))
        yield* giveBack(id, 5).pipe(inside(other))
        const taken = Effect.all([takenIn(march), takenBy(id)])
        assert.deepStrictEqual(yield* taken.pipe(inside(other)), [0, 0])
        assert.deepStrictEqual(yield* taken.pipe(inside(one)), [10, 10])
      })
    )
  }
}

export const recipientReservationsContract = runContract(recipientReservations)
