import { assert } from "@effect/vitest"
import { PasswordResets, transact } from "@parley/domain"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, freshText, present } from "../../given.ts"

/** A mailbox with links that are good for an hour. */
const given = Effect.fnUntraced(function* (count: number) {
  const resets = yield* PasswordResets
  const now = yield* present
  const email = `${freshText("mailbox")}@contract.test`
  const digests = Array.from({ length: count }, () => freshText("digest"))
  for (const digest of digests) yield* transact(resets.insert(digest, email, after(now, "1 hour")))
  return { resets, now, email, digests }
})

export const passwordResets: StorageContract = {
  port: "PasswordResets",
  promises: (it) => {
    it.effect("finds the mailbox of a link until it expires", () =>
      Effect.gen(function* () {
        const { digests, email, now, resets } = yield* given(1)
        const [digest = ""] = digests
        assert.strictEqual(yield* resets.find(digest, now), email)
        assert.strictEqual(yield* resets.find(digest, after(now, "3599999 millis")), email)
        assert.isNull(yield* resets.find(digest, after(now, "1 hour")))
        assert.isNull(yield* transact(resets.spend(digest, after(now, "1 hour"))))
        assert.isNull(yield* resets.find(freshText("unknown"), now))
        assert.isNull(yield* transact(resets.spend(freshText("unknown"), now)))
      })
    )

    it.effect("spends a link once, and with it all links of the mailbox and of no other", () =>
      Effect.gen(function* () {
        const { digests, email, now, resets } = yield* given(3)
        const other = yield* given(1)
        const [one = "", two = "", three = ""] = digests
        assert.strictEqual(yield* transact(resets.spend(two, now)), email)
        for (const digest of [one, two, three]) {
          assert.isNull(yield* resets.find(digest, now))
          assert.isNull(yield* transact(resets.spend(digest, now)))
        }
        assert.strictEqual(yield* resets.find(other.digests[0] ?? "", now), other.email)
      })
    )

    it.effect("of many at once, with one link or with several, one succeeds", () =>
      Effect.gen(function* () {
        const { digests, email, now, resets } = yield* given(4)
        const tries = [...digests, ...digests, ...digests]
        const answers = yield* Effect.forEach(tries, (digest) => transact(resets.spend(digest, now)), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          answers.filter((answer) => answer !== null),
          [email]
        )
      })
    )

    it.effect("withdraws the links of a mailbox, and of no other", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* given(2), yield* given(1)]
        yield* transact(one.resets.withdraw(one.email))
        for (const digest of one.digests) assert.isNull(yield* one.resets.find(digest, one.now))
        assert.strictEqual(yield* other.resets.find(other.digests[0] ?? "", other.now), other.email)
      })
    )

    it.effect("a failed unit of work leaves links as they were", () =>
      Effect.gen(function* () {
        const { digests, email, now, resets } = yield* given(1)
        const [digest = ""] = digests
        const fresh = freshText("digest")
        yield* resets
          .insert(fresh, email, after(now, "1 hour"))
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
        const { digests, email, now, resets } = yield* given(1)
        const lasting = freshText("digest")
        yield* transact(resets.insert(lasting, email, after(now, "1 day")))
        yield* TestClock.setTime(DateTime.toEpochMillis(after(now, "2 hours")))
        assert.isAtLeast(yield* resets.sweep, 1)
        assert.isNull(yield* resets.find(digests[0] ?? "", now))
        assert.strictEqual(yield* resets.find(lasting, now), email)
      })
    )
  }
}

export const passwordResetsContract = runContract(passwordResets)
