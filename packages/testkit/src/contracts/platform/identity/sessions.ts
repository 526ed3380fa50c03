import { assert } from "@effect/vitest"
import { SessionId, transact } from "@parley/domain/kernel"
import { type RefreshRotation, Session, Sessions } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, freshId, freshText, givenSession, givenUser, plain, present } from "../../given.ts"

const given = Effect.gen(function* () {
  const now = yield* present
  const user = yield* givenUser()
  return { now, user, ...(yield* givenSession(user, now)) }
})

const rotate = (digest: string, now: DateTime.Utc, nextDigest = freshText("refresh")) =>
  Effect.flatMap(Sessions, (sessions) => transact(sessions.rotate(digest, nextDigest, now)))

const seen = (rotation: RefreshRotation) => {
  switch (rotation._tag) {
    case "Rotated":
      return { _tag: rotation._tag, session: plain.session(rotation.session) }
    case "Spent":
      return {
        _tag: rotation._tag,
        session: plain.session(rotation.session),
        spentAt: DateTime.formatIso(rotation.spentAt)
      }
    default:
      return { _tag: rotation._tag }
  }
}

export const sessions: StorageContract = {
  port: "Sessions",
  promises: (it) => {
    it.effect("exchanges the current refresh token of a live session", () =>
      Effect.gen(function* () {
        const { digest, now, session } = yield* given
        const rotation = yield* rotate(digest, now)
        assert.deepStrictEqual(seen(rotation), { _tag: "Rotated", session: plain.session(session) })
      })
    )

    it.effect("goes on with the token it was exchanged for", () =>
      Effect.gen(function* () {
        const { digest, now } = yield* given
        const [second, third] = [freshText("refresh"), freshText("refresh")]
        assert.strictEqual((yield* rotate(digest, now, second))._tag, "Rotated")
        assert.strictEqual((yield* rotate(second, after(now, "1 day"), third))._tag, "Rotated")
        assert.strictEqual((yield* rotate(third, after(now, "2 days")))._tag, "Rotated")
      })
    )

    it.effect("says of a token that was exchanged before since when, and exchanges nothing", () =>
      Effect.gen(function* () {
        const { digest, now, session } = yield* given
        const [next, unwanted] = [freshText("refresh"), freshText("refresh")]
        const spentAt = after(now, "1234 millis")
        yield* rotate(digest, spentAt, next)
        const expected = {
          _tag: "Spent",
          session: plain.session(session),
          spentAt: DateTime.formatIso(spentAt)
        } as const
        assert.deepStrictEqual(seen(yield* rotate(digest, after(now, "1 hour"), unwanted)), expected)
        assert.deepStrictEqual(seen(yield* rotate(digest, after(now, "2 hours"), unwanted)), expected)
        assert.strictEqual((yield* rotate(unwanted, now))._tag, "Unknown")
        assert.strictEqual((yield* rotate(next, now))._tag, "Rotated")
      })
    )

    it.effect("knows no token but those it was given", () =>
      Effect.gen(function* () {
        const { now, digest } = yield* given
        assert.deepStrictEqual(seen(yield* rotate(freshText("refresh"), now)), { _tag: "Unknown" })
        assert.deepStrictEqual(seen(yield* rotate(digest.toUpperCase(), now)), { _tag: "Unknown" })
      })
    )

    it.effect("says of a session that is over that it has expired", () =>
      Effect.gen(function* () {
        const { digest, session } = yield* given
        const justBefore = DateTime.subtract(session.expiresAt, { milliseconds: 1 })
        const next = freshText("refresh")
        assert.deepStrictEqual(seen(yield* rotate(digest, session.expiresAt)), { _tag: "Expired" })
        assert.strictEqual((yield* rotate(digest, justBefore, next))._tag, "Rotated")
        assert.deepStrictEqual(seen(yield* rotate(next, session.expiresAt)), { _tag: "Expired" })
      })
    )

    it.effect("reports a revoked session as revoked for every token of it", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const { digest, now, session } = yield* given
        const next = freshText("refresh")
        yield* rotate(digest, now, next)
        yield* transact(sessions.revoke(session.id, now))
        assert.deepStrictEqual(seen(yield* rotate(next, now)), { _tag: "Revoked" })
        assert.deepStrictEqual(seen(yield* rotate(digest, now)), { _tag: "Revoked" })
        assert.deepStrictEqual(seen(yield* rotate(next, session.expiresAt)), { _tag: "Revoked" })
      })
    )

    it.effect("revokes a session once and that one only", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const { now, session, user } = yield* given
        const other = yield* givenSession(user, now)
        yield* transact(sessions.revoke(session.id, now))
        yield* transact(sessions.revoke(session.id, after(now, "1 hour")))
        yield* transact(sessions.revoke(freshId(SessionId), now))
        assert.strictEqual((yield* rotate(other.digest, now))._tag, "Rotated")
      })
    )

    it.effect("revokes all sessions of a user except one, and none of others", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const { now, digest, session, user } = yield* given
        const [second, third] = [yield* givenSession(user, now), yield* givenSession(user, now)]
        const stranger = yield* given
        yield* transact(sessions.revokeAllOf(user.id, session.id, now))
        const kept = freshText("refresh")
        assert.deepStrictEqual(
          [
            (yield* rotate(digest, now, kept))._tag,
            (yield* rotate(second.digest, now))._tag,
            (yield* rotate(third.digest, now))._tag
          ],
          ["Rotated", "Revoked", "Revoked"]
        )
        yield* transact(sessions.revokeAllOf(user.id, null, now))
        assert.strictEqual((yield* rotate(kept, now))._tag, "Revoked")
        assert.strictEqual((yield* rotate(stranger.digest, now))._tag, "Rotated")
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const { digest, now, session, user } = yield* given
        const [next, opened] = [freshText("refresh"), freshText("refresh")]
        yield* sessions
          .rotate(digest, next, now)
          .pipe(
            Effect.andThen(sessions.revoke(session.id, now)),
            Effect.andThen(sessions.revokeAllOf(user.id, null, now)),
            Effect.andThen(sessions.insert(new Session({ ...session, id: freshId(SessionId) }), opened)),
            Effect.andThen(Effect.fail("refused")),
            transact,
            Effect.flip
          )
        assert.strictEqual((yield* rotate(next, now))._tag, "Unknown")
        assert.strictEqual((yield* rotate(opened, now))._tag, "Unknown")
        assert.strictEqual((yield* rotate(digest, now))._tag, "Rotated")
      })
    )

    it.effect("sweeps out what expired more than a day ago, with its tokens, and nothing else", () =>
      Effect.gen(function* () {
        const { digest, now, user } = yield* given
        const short = yield* givenSession(user, now, "1 hour")
        yield* TestClock.adjust("26 hours")
        const { sweep } = yield* Sessions
        assert.isAtLeast(yield* sweep, 1)
        assert.strictEqual(yield* sweep, 0)
        assert.strictEqual((yield* rotate(short.digest, now))._tag, "Unknown")
        assert.strictEqual((yield* rotate(digest, now))._tag, "Rotated")
      })
    )

    it.effect("of many concurrent uses of one token one succeeds", () =>
      Effect.gen(function* () {
        const { digest, now } = yield* given
        const rotations = yield* Effect.replicateEffect(
          Effect.suspend(() => rotate(digest, now)),
          20,
          { concurrency: "unbounded" }
        )
        assert.strictEqual(rotations.filter(({ _tag }) => _tag === "Rotated").length, 1)
        assert.strictEqual(rotations.filter(({ _tag }) => _tag === "Spent").length, 19)
      })
    )
  }
}

export const sessionsContract = runContract(sessions)
