import { assert, describe, it } from "@effect/vitest"
import {
  CurrentActor,
  CurrentOrganization,
  IdempotencyKeys,
  Locks,
  Outbox,
  RateLimits,
  SessionId,
  transact
} from "@parley/domain/kernel"
import {
  addMember,
  DocsCodeRedemption,
  DocsCodes,
  EventLog,
  type LoggedEvent,
  Members,
  Session,
  Sessions,
  SigningKeys
} from "@parley/domain/platform"
import { createAutomation } from "@parley/domain/automation"
import { asOperatorOf, givenOrganization, givenUser, operator } from "@parley/testkit"
import { DateTime, Deferred, Effect, Fiber, Schedule } from "effect"
import { SecureRandom } from "effect/crypto"
import { onAll, givenNodes } from "./support/nodes.ts"

const tally = (words: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(Object.groupBy(words, (word) => word)).map(([word, all]) => [word, all?.length]))

const slow = 60_000

describe("many concurrent calls, on two processes", () => {
  it.effect(
    "of a thousand redemptions of one docs code, exactly one succeeds",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const [first = assert.fail()] = nodes
        const now = yield* DateTime.now
        const owner = yield* Effect.gen(function* () {
          const organization = yield* givenOrganization()
          const { user } = yield* givenUser()
          const codes = yield* DocsCodes
          const sessionId = SessionId.make(SecureRandom.uuidV7Unsafe())
          yield* transact(
            codes.insert("digest", { userId: user.id, sessionId }, DateTime.add(now, { minutes: 1 }))
          ).pipe(asOperatorOf(organization))
          return { organizationId: organization.id, sessionId, userId: user.id }
        }).pipe(Effect.provide(first))
        const owners = yield* onAll(nodes, 1_000, () =>
          Effect.flatMap(DocsCodeRedemption, (codes) => transact(codes.redeem("digest", now)))
        )
        const redeemed = owners.filter((owner) => owner !== null)
        assert.deepStrictEqual(
          redeemed.map((row) => ({ ...row })),
          [owner]
        )
      }),
    slow
  )

  it.effect(
    "of a hundred exchanges of one refresh token, exactly one succeeds and the others find it spent",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const [first = assert.fail()] = nodes
        const now = yield* DateTime.now
        yield* Effect.gen(function* () {
          const { user } = yield* givenUser()
          const session = new Session({
            id: SessionId.make(SecureRandom.uuidV7Unsafe()),
            userId: user.id,
            createdAt: now,
            expiresAt: DateTime.add(now, { days: 30 })
          })
          yield* transact((yield* Sessions).insert(session, "first"))
        }).pipe(Effect.provide(first))
        const rotations = yield* onAll(nodes, 100, (index) =>
          Effect.flatMap(Sessions, (sessions) => transact(sessions.rotate("first", `next ${index}`, now)))
        )
        assert.deepStrictEqual(tally(rotations.map(({ _tag }) => _tag)), { Rotated: 1, Spent: 99 })
        const winner = rotations.findIndex(({ _tag }) => _tag === "Rotated")
        const after = yield* onAll([first], 100, (index) =>
          Effect.flatMap(Sessions, (sessions) => transact(sessions.rotate(`next ${index}`, `last ${index}`, now)))
        )
        assert.strictEqual(after[winner]?._tag, "Rotated")
        assert.deepStrictEqual(tally(after.map(({ _tag }) => _tag)), { Rotated: 1, Unknown: 99 })
      }),
    slow
  )

  it.effect(
    "of two hundred concurrent takers of a bucket exactly the available number succeeds, for all sizes",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const quota = { limit: 70, windowMillis: 60_000 }
        const take = (bucket: string, units: number) =>
          Effect.flatMap(RateLimits, (limits) => limits.spend(bucket, quota, units))
        const ones = yield* onAll(nodes, 200, () => take("ones", 1))
        assert.deepStrictEqual(tally(ones.map(({ granted }) => String(granted))), { 1: 70, 0: 130 })
        const threes = yield* onAll(nodes, 200, () => take("threes", 3))
        assert.strictEqual(
          threes.reduce((sum, { granted }) => sum + granted, 0),
          70
        )
        assert.isTrue(threes.every(({ granted }) => granted <= 3))
      }),
    slow
  )

  it.effect(
    "two hundred concurrent takers that also return never exceed the limit",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const quota = { limit: 5, windowMillis: 60_000 }
        const out = { now: 0, most: 0 }
        yield* onAll(nodes, 200, () =>
          Effect.gen(function* () {
            const limits = yield* RateLimits
            const { granted } = yield* limits.spend("bucket", quota, 1)
            if (granted === 0) return
            out.now += 1
            out.most = Math.max(out.most, out.now)
            yield* Effect.yieldNow
            out.now -= 1
            yield* limits.refund("bucket", quota, 1)
          })
        )
        assert.isTrue(out.most >= 1 && out.most <= 5, `${out.most} were out`)
        const [last] = yield* onAll(nodes, 1, () =>
          Effect.flatMap(RateLimits, (limits) => limits.spend("bucket", quota, 100))
        )
        assert.strictEqual(last?.granted, 5)
      }),
    slow
  )

  it.effect(
    "of two hundred copies of a request with one key, one does the work and all others get its answer",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const [first = assert.fail()] = nodes
        const organization = yield* Effect.provide(givenOrganization({ plan: "growth" }), first)
        const owner = { organizationId: organization.id, actor: "user:1", key: "key" }
        const request = Effect.gen(function* () {
          const keys = yield* IdempotencyKeys
          const claim = yield* keys.claim(owner)
          if (claim.stored !== null) return claim.stored.sealedAnswer
          const automation = yield* createAutomation({ name: "Once" }).pipe(asOperatorOf(organization))
          yield* keys.store(owner, claim, {
            fingerprint: "f",
            sealedAnswer: automation.id,
            mayHoldContactData: false
          })
          return automation.id
        }).pipe(transact, Effect.retry({ while: ({ _tag }) => _tag === "IdempotencyKeyInProgress" }))
        const answers = yield* onAll(nodes, 200, () => request)
        assert.strictEqual(new Set(answers).size, 1)
        const events = yield* EventLog.use((log) => log.list(["automation.created"], { limit: 100, after: null })).pipe(
          asOperatorOf(organization),
          Effect.provide(first)
        )
        assert.lengthOf(events, 1)
      }),
    slow
  )

  it.effect(
    "of many who count before they write under the lock, none passes the limit",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const [first = assert.fail()] = nodes
        const { organization, people } = yield* Effect.all({
          organization: givenOrganization({ plan: "free" }),
          people: Effect.replicateEffect(givenUser(), 40)
        }).pipe(Effect.provide(first))
        const exits = yield* onAll(nodes, people.length, (index) =>
          Effect.exit(
            addMember({ userId: people[index]?.user.id ?? assert.fail(), role: "agent" }).pipe(
              asOperatorOf(organization)
            )
          )
        )
        assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 3)
        const count = yield* Members.use((members) => members.count()).pipe(
          asOperatorOf(organization),
          Effect.provide(first)
        )
        assert.strictEqual(count, 3)
      }),
    slow
  )

  it.effect(
    "a lock of one organization is nothing to another, nor one name to the other",
    () =>
      Effect.gen(function* () {
        const [one = assert.fail(), two = assert.fail()] = yield* givenNodes(2)
        const [here, there] = yield* Effect.all([givenOrganization(), givenOrganization()]).pipe(Effect.provide(one))
        const lock = (name: "members" | "automations") => Effect.flatMap(Locks, (locks) => locks.exclusive(name))
        const held = yield* Deferred.make<void>()
        const done = yield* Deferred.make<void>()
        const holder = yield* lock("members").pipe(
          Effect.andThen(Deferred.succeed(held, undefined)),
          Effect.andThen(Deferred.await(done)),
          transact,
          asOperatorOf(here),
          Effect.provide(one),
          Effect.forkChild
        )
        yield* Deferred.await(held)
        yield* transact(lock("members")).pipe(asOperatorOf(there), Effect.provide(two))
        yield* transact(lock("automations")).pipe(asOperatorOf(here), Effect.provide(two))
        const waiter = yield* transact(lock("members")).pipe(asOperatorOf(here), Effect.provide(two), Effect.forkChild)
        yield* Effect.replicateEffect(transact(lock("automations")).pipe(asOperatorOf(here), Effect.provide(two)), 5)
        assert.isUndefined(waiter.pollUnsafe())
        yield* Deferred.succeed(done, undefined)
        yield* Fiber.join(holder)
        yield* Fiber.join(waiter)
      }),
    slow
  )

  it.effect(
    "of five processes that start concurrently one stores the first signing key",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(5)
        const createdAt = yield* DateTime.now
        yield* onAll(nodes, 25, (index) =>
          Effect.flatMap(SigningKeys, (keys) =>
            keys.insertFirst({ kid: `key ${index}`, sealedPrivateKey: "sealed", publicKey: "public", createdAt })
          )
        )
        const [keys = assert.fail()] = yield* onAll(nodes, 1, () => Effect.flatMap(SigningKeys, ({ all }) => all))
        assert.lengthOf(keys, 1)
      }),
    slow
  )

  it.effect(
    "a reader on another process sees the events of many writers in order, without a gap, at every moment",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(3)
        const [reader = assert.fail(), ...writers] = nodes
        const { organization, other } = yield* Effect.all({
          organization: givenOrganization(),
          other: givenOrganization()
        }).pipe(Effect.provide(reader))
        const append = Effect.flatMap(Outbox, (outbox) =>
          outbox.append({ type: "organization.updated", organizationId: organization.id })
        )
        const seen: Array<LoggedEvent> = []
        const total = 1 + 300 * 2
        const follow = Effect.gen(function* () {
          const log = yield* EventLog
          const next = yield* log.list(["organization.created", "organization.updated"], {
            limit: 50,
            after: [String(seen.length)]
          })
          assert.deepStrictEqual(
            next.map(({ position }) => position),
            next.map((_, index) => seen.length + index + 1)
          )
          seen.push(...next)
          return seen.length
        }).pipe(Effect.repeat({ until: (count) => count === total, schedule: Schedule.forever }))
        const following = yield* follow.pipe(asOperatorOf(organization), Effect.provide(reader), Effect.forkChild)
        // Each unit of work also writes to a second organization, first or last: that must not end in a deadlock.
        yield* onAll(writers, 300, (index) => {
          const elsewhere = append.pipe(Effect.provideService(CurrentOrganization, { id: other.id }))
          const here = Effect.andThen(append, append).pipe(
            Effect.provideService(CurrentOrganization, { id: organization.id })
          )
          return transact(index % 2 === 0 ? Effect.andThen(elsewhere, here) : Effect.andThen(here, elsewhere)).pipe(
            Effect.provideService(CurrentActor, operator)
          )
        })
        yield* Fiber.join(following)
        assert.lengthOf(seen, total)
      }),
    slow
  )
})
