import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { PasswordResets } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, freshText, present } from "../../given.ts"

/** A mailbox with a link that is valid for an hour. */
const given = Effect.gen(function* () {
  const resets = yield* PasswordResets
  const now = yield* present
  const email = `${freshText("mailbox")}@contract.test`
  const digest = freshText("digest")
  yield* transact(resets.replace(digest, email, after(now, "1 hour")))
  return { resets, now, email, digest }
})

export const passwordResets: StorageContract = {
  port: "PasswordResets",
  promises: (it) => {
    it.effect("finds the mailbox of a link until it expires", () =>
      Effect.gen(function* () {
        const { digest, email, now, resets } = yield* given
        assert.strictEqual(yield* resets.find(digest, now), email)
        assert.strictEqual(yield* resets.find(digest, after(now, "3599999 millis")), email)
        assert.isNull(yield* resets.find(digest, after(now, "1 hour")))
        assert.isNull(yield* transact(resets.spend(digest, after(now, "1 hour"))))
        assert.isNull(yield* resets.find(freshText("unknown"), now))
        assert.isNull(yield* transact(resets.spend(freshText("unknown"), now)))
      })
    )

    it.effect("a new link ends only the earlier link of its mailbox", () =>
      Effect.gen(function* () {
        const { digest, email, now, resets } = yield* given
        const other = yield* given
        const second = freshText("digest")
        yield* transact(resets.replace(second, email, after(now, "2 hours")))
        assert.isNull(yield* resets.find(digest, now))
        assert.isNull(yield* transact(resets.spend(digest, now)))
        assert.strictEqual(yield* resets.find(second, after(now, "90 minutes")), email)
        assert.strictEqual(yield* resets.find(other.digest, now), other.email)
      })
    )

    it.effect("of many concurrent new links one stays", () =>
      Effect.gen(function* () {
        const { digest, email, now, resets } = yield* given
        const digests = Array.from({ length: 6 }, () => freshText("digest"))
        yield* Effect.forEach(digests, (each) => transact(resets.replace(each, email, after(now, "1 hour"))), {
          concurrency: "unbounded"
        })
        const found = yield* Effect.forEach([digest, ...digests], (each) => resets.find(each, now))
        assert.deepStrictEqual(
          found.filter((each) => each !== null),
          [email]
        )
      })
    )

    it.effect("spends a link once, and no link of another mailbox", () =>
      Effect.gen(function* () {
        const { digest, email, now, resets } = yield* given
        const other = yield* given
        assert.strictEqual(yield* transact(resets.spend(digest, now)), email)
        assert.isNull(yield* resets.find(digest, now))
        assert.isNull(yield* transact(resets.spend(digest, now)))
        assert.strictEqual(yield* resets.find(other.digest, now), other.email)
      })
    )

    it.effect("spends a link once in many concurrent calls", () =>
      Effect.gen(function* () {
        const { digest, email, now, resets } = yield* given
        const tries = Array.from({ length: 12 }, () => digest)
        const answers = yield* Effect.forEach(tries, (each) => transact(resets.spend(each, now)), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          answers.filter((answer) => answer !== null),
          [email]
        )
      })
    )

    it.effect("withdraws the link of a mailbox, and of no other", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* given, yield* given]
        yield* transact(one.resets.withdraw(one.email))
        assert.isNull(yield* one.resets.find(one.digest, one.now))
        assert.strictEqual(yield* other.resets.find(other.digest, other.now), other.email)
      })
    )

    it.effect("a failed unit of work leaves links as they were", () =>
      Effect.gen(function* () {
        const { digest, email, now, resets } = yield* given
        const fresh = freshText("digest")
        yield* resets
          .replace(fresh, email, after(now, "1 hour"))
          .pipe(
            Effect.andThen(resets.spend(digest, now)),
            Effect.andThen(Effect.fail("refused")),
            transact,
            Effect.flip
          )
        assert.strictEqual(yield* resets.find(digest, now), email)
        assert.isNull(yield* resets.find(fresh, now))
      })
    )

    it.effect("sweeps away what has expired, and nothing else", () =>
      Effect.gen(function* () {
        const { digest, now, resets } = yield* given
        const lasting = freshText("digest")
        const email = `${lasting}@contract.test`
        yield* transact(resets.replace(lasting, email, after(now, "1 day")))
        yield* TestClock.setTime(DateTime.toEpochMillis(after(now, "2 hours")))
        assert.isAtLeast(yield* resets.sweep, 1)
        assert.isNull(yield* resets.find(digest, now))
        assert.strictEqual(yield* resets.find(lasting, now), email)
      })
    )
  }
}

export const passwordResetsContract = runContract(passwordResets)
