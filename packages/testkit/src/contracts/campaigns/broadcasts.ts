import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ChatAccountId } from "@parley/domain/messaging"
import { Broadcast, BroadcastId, type BroadcastQuery, Broadcasts, emptyBroadcastStats } from "@parley/domain/campaigns"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { evening, givenBroadcast, morning, newBroadcast, plainBroadcast, wholeBroadcast } from "./given.ts"

const any: BroadcastQuery = { status: null, chatAccountId: null, q: null, createdFrom: null, createdTo: null }

const all = { limit: 1_000, after: null }

const save = (broadcast: Broadcast, expected: number | null) =>
  Effect.flatMap(Broadcasts, (broadcasts) => transact(broadcasts.save(broadcast, expected)))

const remove = (id: BroadcastId, expected: number | null) =>
  Effect.flatMap(Broadcasts, (broadcasts) => transact(broadcasts.remove(id, expected)))

const idsBy = (query: Partial<BroadcastQuery>) =>
  Effect.flatMap(Broadcasts, (broadcasts) =>
    Effect.map(broadcasts.list({ ...any, ...query }, all), (found) => found.map(({ id }) => id))
  )

const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

export const broadcasts: StorageContract = {
  port: "Broadcasts",
  promises: (it) => {
    it.effect("keeps one tenant's broadcasts out of another's sight and reach", () =>
      Effect.gen(function* () {
        const broadcasts = yield* Broadcasts
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const broadcast = yield* givenBroadcast().pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(broadcasts.get(broadcast.id)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(transact(broadcasts.lock(broadcast.id))))._tag, "NotFound")
          assert.lengthOf(yield* idsBy({}), 0)
          for (const expected of [1, 2, null]) {
            assert.strictEqual((yield* Effect.flip(save(broadcast, expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(remove(broadcast.id, expected)))._tag, "NotFound")
          }
        }).pipe(inside(other))
        assert.deepStrictEqual(yield* idsBy({}).pipe(inside(one)), [broadcast.id])
      })
    )

    it.effect("keeps every field, and stores what is changed with the version raised by one", () =>
      Effect.gen(function* () {
        const broadcasts = yield* Broadcasts
        for (const broadcast of [newBroadcast(), wholeBroadcast()]) {
          yield* givenBroadcast(broadcast)
          assert.deepStrictEqual(plainBroadcast(yield* broadcasts.get(broadcast.id)), plainBroadcast(broadcast))
          const changed = new Broadcast({
            ...wholeBroadcast(),
            id: broadcast.id,
            source: broadcast.source,
            retry: broadcast.retry,
            createdBy: broadcast.createdBy,
            updatedAt: evening
          })
          const expected = { ...plainBroadcast(changed), version: 2 }
          assert.deepStrictEqual(plainBroadcast(yield* save(changed, 1)), expected)
          assert.deepStrictEqual(plainBroadcast(yield* broadcasts.get(broadcast.id)), expected)
          const cleared = new Broadcast({
            ...newBroadcast(),
            id: broadcast.id,
            source: broadcast.source,
            retry: broadcast.retry,
            createdBy: broadcast.createdBy
          })
          assert.deepStrictEqual(plainBroadcast(yield* save(cleared, null)), { ...plainBroadcast(cleared), version: 3 })
        }
      }).pipe(inNewOrganization)
    )

    it.effect("stores no statistics with a broadcast: those are counted with its recipients", () =>
      Effect.gen(function* () {
        const broadcasts = yield* Broadcasts
        const broadcast = yield* givenBroadcast()
        const counted = new Broadcast({ ...broadcast, stats: { ...emptyBroadcastStats, matched: 2, sent: 2 } })
        assert.deepStrictEqual({ ...(yield* save(counted, 1)).stats }, emptyBroadcastStats)
        assert.deepStrictEqual({ ...(yield* broadcasts.get(broadcast.id)).stats }, emptyBroadcastStats)
      }).pipe(inNewOrganization)
    )

    it.effect("refuses an outdated version and an unknown id", () =>
      Effect.gen(function* () {
        const broadcast = yield* givenBroadcast()
        yield* save(broadcast, 1)
        for (const expected of [1, 3]) {
          for (const refused of [save(broadcast, expected), remove(broadcast.id, expected)]) {
            const error = yield* Effect.flip(refused)
            assert.strictEqual(error._tag === "VersionConflict" ? error.current : error._tag, 2)
          }
        }
        for (const expected of [1, null]) {
          assert.strictEqual((yield* Effect.flip(save(newBroadcast(), expected)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(remove(freshId(BroadcastId), expected)))._tag, "NotFound")
        }
        yield* remove(broadcast.id, 2)
        assert.strictEqual((yield* Effect.flip(remove(broadcast.id, null)))._tag, "NotFound")
      }).pipe(inNewOrganization)
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const broadcasts = yield* Broadcasts
        const [kept, saved] = [yield* givenBroadcast(), yield* givenBroadcast()]
        yield* givenBroadcast().pipe(
          Effect.andThen(save(new Broadcast({ ...saved, name: "Renamed" }), 1)),
          Effect.andThen(remove(kept.id, null)),
          Effect.andThen(Effect.fail("refused")),
          transact,
          Effect.flip
        )
        const left = yield* broadcasts.list(any, all)
        assert.deepStrictEqual(left.map(plainBroadcast), [saved, kept].map(plainBroadcast))
      }).pipe(inNewOrganization)
    )

    it.effect("of many concurrent saves with one expected version one succeeds", () =>
      Effect.gen(function* () {
        const broadcast = yield* givenBroadcast()
        const exits = yield* Effect.replicateEffect(Effect.exit(save(broadcast, 1)), 10, { concurrency: "unbounded" })
        assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
      }).pipe(inNewOrganization)
    )

    it.effect("a lock is exclusive until the commit, and waiting callers see the change", () =>
      Effect.gen(function* () {
        const broadcasts = yield* Broadcasts
        const { id } = yield* givenBroadcast()
        const locked = yield* Deferred.make<void>()
        const goOn = yield* Deferred.make<void>()
        const first = yield* transact(
          Effect.gen(function* () {
            const broadcast = yield* broadcasts.lock(id)
            yield* Deferred.succeed(locked, undefined)
            yield* Deferred.await(goOn)
            yield* broadcasts.save(new Broadcast({ ...broadcast, name: "First" }), null)
          })
        ).pipe(Effect.forkChild)
        yield* Deferred.await(locked)
        const second = yield* transact(Effect.map(broadcasts.lock(id), ({ name, version }) => [name, version])).pipe(
          Effect.forkChild
        )
        yield* Deferred.succeed(goOn, undefined)
        yield* Fiber.join(first)
        assert.deepStrictEqual(yield* Fiber.join(second), ["First", 2])
      }).pipe(inNewOrganization)
    )

    it.effect("lists the newest first, page after page", () =>
      Effect.gen(function* () {
        const broadcasts = yield* Broadcasts
        const page = (after: BroadcastId | null) =>
          Effect.map(broadcasts.list(any, { limit: 2, after: after === null ? null : [after] }), (found) =>
            found.map(({ id }) => id)
          )
        const ids = yield* Effect.forEach([1, 2, 3, 4, 5], () => Effect.map(givenBroadcast(), ({ id }) => id))
        const [one, two, three, four, five] = ids
        assert.isDefined(five)
        assert.deepStrictEqual(yield* page(null), [five, four])
        yield* givenBroadcast()
        assert.deepStrictEqual(yield* page(four ?? null), [three, two])
        assert.deepStrictEqual(yield* page(two ?? null), [one])
        assert.deepStrictEqual(yield* page(one ?? null), [])
      }).pipe(inNewOrganization)
    )

    it.effect("finds by status, chat account, a part of the name and the time it was made", () =>
      Effect.gen(function* () {
        const chatAccountId = freshId(ChatAccountId)
        const spring = yield* givenBroadcast(newBroadcast({ name: "Frühling 100 %", chatAccountId }))
        const street = yield* givenBroadcast(
          newBroadcast({ name: "Straße_José", status: "sending", createdAt: evening })
        )
        assert.deepStrictEqual(yield* idsBy({ status: "sending" }), [street.id])
        assert.deepStrictEqual(yield* idsBy({ status: "paused" }), [])
        assert.deepStrictEqual(yield* idsBy({ chatAccountId }), [spring.id])
        assert.deepStrictEqual(yield* idsBy({ chatAccountId: freshId(ChatAccountId) }), [])
        for (const q of ["fruhling", "HLING 1", "100 %", "%"])
          assert.deepStrictEqual(yield* idsBy({ q }), [spring.id], q)
        for (const q of ["strasse", "e_j", "jose"]) assert.deepStrictEqual(yield* idsBy({ q }), [street.id], q)
        assert.deepStrictEqual(yield* idsBy({ q: "fr_hling" }), [])
        assert.deepStrictEqual(yield* idsBy({ createdFrom: evening }), [street.id])
        assert.deepStrictEqual(yield* idsBy({ createdTo: evening }), [spring.id])
        assert.deepStrictEqual(
          yield* idsBy({ createdFrom: morning, createdTo: DateTime.add(morning, { milliseconds: 1 }) }),
          [spring.id]
        )
        assert.deepStrictEqual(yield* idsBy({ q: "jose", status: "draft" }), [])
      }).pipe(inNewOrganization)
    )
  }
}

export const broadcastsContract = runContract(broadcasts)
