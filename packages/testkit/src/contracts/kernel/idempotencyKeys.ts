import { assert } from "@effect/vitest"
import {
  IdempotencyKeys,
  type IdempotencyKeyOwner,
  type NewResponse,
  noOrganization,
  OrganizationId,
  transact
} from "@parley/domain/kernel"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, freshText, givenOrganization, present } from "../given.ts"

const answer: NewResponse = {
  fingerprint: "f'\\1",
  sealedAnswer: '{"status":201,"é":"🥐"}',
  mayHoldContactData: true
}

const stored = { fingerprint: answer.fingerprint, sealedAnswer: answer.sealedAnswer }

const withdrawn = { fingerprint: answer.fingerprint, sealedAnswer: null }

const given = Effect.gen(function* () {
  yield* present
  const keys = yield* IdempotencyKeys
  const organization = yield* givenOrganization()
  const owner: IdempotencyKeyOwner = {
    organizationId: organization.id,
    actor: freshText("user"),
    key: freshText("key")
  }
  const claimed = (by: IdempotencyKeyOwner) => Effect.map(transact(keys.claim(by)), ({ stored }) => stored)
  const claim = claimed(owner)
  const answerOnce = (response: NewResponse) =>
    keys.claim(owner).pipe(
      Effect.flatMap((claim) => keys.store(owner, claim, response)),
      transact
    )
  return { keys, owner, claimed, claim, answerOnce }
})

export const idempotencyKeys: StorageContract = {
  port: "IdempotencyKeys",
  promises: (it) => {
    it.effect("keeps one owner's keys out of another's way", () =>
      Effect.gen(function* () {
        const { answerOnce, claimed, owner } = yield* given
        yield* answerOnce(answer)
        const others: ReadonlyArray<IdempotencyKeyOwner> = [
          { ...owner, organizationId: freshId(OrganizationId) },
          { ...owner, organizationId: (yield* givenOrganization()).id },
          { ...owner, actor: freshText("user") },
          { ...owner, key: freshText("key") },
          { ...owner, actor: `${owner.actor}${owner.key}`, key: "" },
          { ...owner, actor: "", key: `${owner.actor}${owner.key}` }
        ]
        for (const other of others) assert.isNull(yield* claimed(other))
      })
    )

    it.effect("gives nothing for a new key, and its answer later", () =>
      Effect.gen(function* () {
        const { answerOnce, claim } = yield* given
        assert.isNull(yield* claim)
        yield* answerOnce(answer)
        assert.deepStrictEqual({ ...(yield* claim) }, stored)
        assert.deepStrictEqual({ ...(yield* claim) }, stored)
      })
    )

    it.effect("a failed unit of work leaves no answer and no claim", () =>
      Effect.gen(function* () {
        const { claim, keys, owner } = yield* given
        yield* keys.claim(owner).pipe(
          Effect.flatMap((claimed) => keys.store(owner, claimed, answer)),
          Effect.andThen(Effect.fail("refused")),
          transact,
          Effect.flip
        )
        assert.isNull(yield* claim)
      })
    )

    it.effect("keeps an answer for 24 hours, then takes another", () =>
      Effect.gen(function* () {
        const { answerOnce, claim } = yield* given
        yield* answerOnce(answer)
        yield* TestClock.adjust("23 hours")
        yield* TestClock.adjust("59 minutes")
        assert.isNotNull(yield* claim)
        yield* TestClock.adjust("2 minutes")
        assert.isNull(yield* claim)
        const second = { ...answer, sealedAnswer: "second" }
        yield* answerOnce(second)
        assert.strictEqual((yield* claim)?.sealedAnswer, "second")
        yield* TestClock.adjust("23 hours")
        assert.strictEqual((yield* claim)?.sealedAnswer, "second")
      })
    )

    it.effect("sweeps out what is older, and nothing else", () =>
      Effect.gen(function* () {
        const old = yield* given
        yield* old.answerOnce(answer)
        yield* TestClock.adjust("20 hours")
        const young = yield* given
        yield* young.answerOnce(answer)
        yield* TestClock.adjust("5 hours")
        const { sweep } = yield* IdempotencyKeys
        assert.strictEqual(yield* sweep(young.owner.organizationId), 0)
        assert.strictEqual(yield* sweep(old.owner.organizationId), 1)
        assert.strictEqual(yield* sweep(old.owner.organizationId), 0)
        assert.isNull(yield* old.claim)
        assert.isNotNull(yield* young.claim)
      })
    )

    it.effect("sweeps the answers of callers without an organization", () =>
      Effect.gen(function* () {
        const { claimed, keys } = yield* given
        const { claim, store, sweep } = keys
        const owner = { organizationId: noOrganization, actor: freshText("anonymous"), key: freshText("key") }
        yield* claim(owner).pipe(
          Effect.flatMap((made) => store(owner, made, answer)),
          transact
        )
        yield* sweep(noOrganization)
        assert.isNotNull(yield* claimed(owner))
        yield* TestClock.adjust("25 hours")
        assert.isAtLeast(yield* sweep(noOrganization), 1)
        assert.strictEqual(yield* sweep(noOrganization), 0)
      })
    )

    it.effect("withdraws responses that may contain data of contacts, and keeps their keys", () =>
      Effect.gen(function* () {
        const held = yield* given
        yield* held.answerOnce(answer)
        const harmless: IdempotencyKeyOwner = { ...held.owner, key: freshText("key") }
        yield* held.keys.claim(harmless).pipe(
          Effect.flatMap((made) => held.keys.store(harmless, made, { ...answer, mayHoldContactData: false })),
          transact
        )
        const other = yield* given
        yield* other.answerOnce(answer)
        yield* transact(held.keys.withdraw(held.owner.organizationId))
        assert.deepStrictEqual({ ...(yield* held.claim) }, withdrawn)
        assert.deepStrictEqual({ ...(yield* held.claimed(harmless)) }, stored)
        assert.deepStrictEqual({ ...(yield* other.claim) }, stored)
      })
    )

    it.effect("keeps the responses of later requests", () =>
      Effect.gen(function* () {
        const { answerOnce, claim, keys, owner } = yield* given
        yield* transact(keys.withdraw(owner.organizationId))
        yield* answerOnce(answer)
        assert.deepStrictEqual({ ...(yield* claim) }, stored)
        yield* transact(keys.withdraw(owner.organizationId))
        assert.deepStrictEqual({ ...(yield* claim) }, withdrawn)
      })
    )

    it.effect("withdraws nothing when the unit of work fails", () =>
      Effect.gen(function* () {
        const { answerOnce, claim, keys, owner } = yield* given
        yield* answerOnce(answer)
        yield* keys.withdraw(owner.organizationId).pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
        assert.deepStrictEqual({ ...(yield* claim) }, stored)
      })
    )

    it.effect("withdraws the response of a request that started before the erasure", () =>
      Effect.gen(function* () {
        const { claim, keys, owner } = yield* given
        const claimed = yield* Deferred.make<void>()
        const erased = yield* Deferred.make<void>()
        const first = yield* keys.claim(owner).pipe(
          Effect.tap(Deferred.succeed(claimed, undefined)),
          Effect.tap(Deferred.await(erased)),
          Effect.flatMap((made) => keys.store(owner, made, answer)),
          transact,
          Effect.forkChild
        )
        yield* Deferred.await(claimed)
        yield* transact(keys.withdraw(owner.organizationId))
        yield* Deferred.succeed(erased, undefined)
        yield* Fiber.join(first)
        assert.deepStrictEqual({ ...(yield* claim) }, withdrawn)
      })
    )

    it.effect("deletes withdrawn responses and remembers their keys for 24 hours", () =>
      Effect.gen(function* () {
        const { answerOnce, claim, keys, owner } = yield* given
        yield* answerOnce(answer)
        yield* transact(keys.withdraw(owner.organizationId))
        assert.strictEqual(yield* keys.sweep(owner.organizationId), 1)
        assert.strictEqual(yield* keys.sweep(owner.organizationId), 0)
        yield* TestClock.adjust("23 hours")
        yield* keys.sweep(owner.organizationId)
        assert.deepStrictEqual({ ...(yield* claim) }, withdrawn)
        yield* TestClock.adjust("2 hours")
        assert.isNull(yield* claim)
        assert.strictEqual(yield* keys.sweep(owner.organizationId), 1)
      })
    )

    it.effect("refuses a key whose first request is still at work, and replays it after", () =>
      Effect.gen(function* () {
        const { claim, keys, owner } = yield* given
        const claimed = yield* Deferred.make<void>()
        const refused = yield* Deferred.make<void>()
        const first = yield* keys.claim(owner).pipe(
          Effect.tap(Deferred.succeed(claimed, undefined)),
          Effect.tap(Deferred.await(refused)),
          Effect.flatMap((made) => keys.store(owner, made, answer)),
          transact,
          Effect.forkChild
        )
        yield* Deferred.await(claimed)
        const error = yield* Effect.flip(claim)
        assert.strictEqual(error._tag, "IdempotencyKeyInProgress")
        yield* Deferred.succeed(refused, undefined)
        yield* Fiber.join(first)
        assert.deepStrictEqual({ ...(yield* claim) }, stored)
      })
    )

    it.effect("frees the key of a request that was given up", () =>
      Effect.gen(function* () {
        const { claim, keys, owner } = yield* given
        const claimed = yield* Deferred.make<void>()
        const first = yield* keys
          .claim(owner)
          .pipe(
            Effect.andThen(Deferred.succeed(claimed, undefined)),
            Effect.andThen(Effect.never),
            transact,
            Effect.forkChild
          )
        yield* Deferred.await(claimed)
        yield* Fiber.interrupt(first)
        assert.isNull(yield* claim)
      })
    )

    it.effect("of many concurrent calls with one key one does the work", () =>
      Effect.gen(function* () {
        const { keys, owner } = yield* given
        let worked = 0
        const request = Effect.gen(function* () {
          const known = yield* keys.claim(owner)
          if (known.stored !== null) return
          worked += 1
          yield* Effect.yieldNow
          yield* keys.store(owner, known, answer)
        }).pipe(transact, Effect.ignore)
        yield* Effect.replicateEffect(request, 20, { concurrency: "unbounded", discard: true })
        assert.strictEqual(worked, 1)
      })
    )
  }
}

export const idempotencyKeysContract = runContract(idempotencyKeys)
