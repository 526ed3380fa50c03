import { assert } from "@effect/vitest"
import { MailId, type MailLease, MailQueue, transact } from "@parley/domain"
import { DateTime, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../contract.ts"
import { after, freshId, freshText, present } from "../given.ts"

const enqueue = Effect.fnUntraced(function* (expiresIn: "1 hour" | "1 day" = "1 hour") {
  const now = yield* present
  const mail = { mailId: freshId(MailId), sealedMail: freshText("sealed"), now, expiresAt: after(now, expiresIn) }
  yield* transact((yield* MailQueue).enqueue(mail))
  return mail
})

/** Claims everything that is due, so that a test begins with an empty queue; others share the store. */
const drain = Effect.gen(function* () {
  const queue = yield* MailQueue
  const now = yield* present
  const claim = queue.claim({ sender: freshText("drain"), now: after(now, "10 days"), until: now, limit: 100 })
  const leases = yield* claim
  yield* Effect.forEach(leases, queue.settle, { discard: true })
})

const claim = Effect.fnUntraced(function* (at: DateTime.Utc, limit = 10) {
  const sender = freshText("sender")
  return yield* (yield* MailQueue).claim({ sender, now: at, until: after(at, "1 minute"), limit })
})

const idsOf = (leases: ReadonlyArray<MailLease>) => leases.map(({ mailId }) => mailId).toSorted()

export const mailQueue: StorageContract = {
  port: "MailQueue",
  promises: (it) => {
    it.effect("gives a mail to one sender, as it was queued, and again when the lease has run out", () =>
      Effect.gen(function* () {
        yield* drain
        const { expiresAt, mailId, now, sealedMail } = yield* enqueue()
        const [lease, ...others] = yield* claim(now)
        assert.lengthOf(others, 0)
        assert.deepStrictEqual([lease?.mailId, lease?.sealedMail, lease?.attempts], [mailId, sealedMail, 1])
        assert.deepStrictEqual(lease?.expiresAt, expiresAt)
        assert.lengthOf(yield* claim(after(now, "59 seconds")), 0)
        const [again] = yield* claim(after(now, "1 minute"))
        assert.deepStrictEqual([again?.mailId, again?.attempts], [mailId, 2])
      })
    )

    it.effect("lets nobody settle or postpone whose lease is lost", () =>
      Effect.gen(function* () {
        yield* drain
        const queue = yield* MailQueue
        const { mailId, now } = yield* enqueue()
        const [lost] = yield* claim(now)
        const [held] = yield* claim(after(now, "2 minutes"))
        if (lost === undefined || held === undefined) return assert.fail("Nothing was claimed.")
        assert.isFalse(yield* queue.settle(lost))
        assert.isFalse(yield* queue.postpone(lost, now))
        assert.isTrue(yield* queue.postpone(held, after(now, "10 minutes")))
        assert.isFalse(yield* queue.settle(held))
        assert.lengthOf(yield* claim(after(now, "9 minutes")), 0)
        const [last] = yield* claim(after(now, "10 minutes"))
        if (last === undefined) return assert.fail("Nothing was claimed.")
        assert.deepStrictEqual([last.mailId, last.attempts], [mailId, 3])
        assert.isTrue(yield* queue.settle(last))
        assert.isFalse(yield* queue.settle(last))
        assert.lengthOf(yield* claim(after(now, "1 day")), 0)
      })
    )

    it.effect("gives each to one of many senders at once", () =>
      Effect.gen(function* () {
        yield* drain
        const now = yield* present
        const mails = yield* Effect.replicateEffect(
          Effect.suspend(() => enqueue()),
          6
        )
        const claims = yield* Effect.replicateEffect(
          Effect.suspend(() => claim(now, 2)),
          6,
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          idsOf([...claims.flat(), ...(yield* claim(now))]),
          mails.map(({ mailId }) => mailId).toSorted()
        )
      })
    )

    it.effect("says when the next one is due", () =>
      Effect.gen(function* () {
        yield* drain
        const queue = yield* MailQueue
        assert.isNull(yield* queue.nextDue)
        const { now } = yield* enqueue()
        assert.deepStrictEqual(yield* queue.nextDue, now)
        yield* claim(now)
        assert.deepStrictEqual(yield* queue.nextDue, after(now, "1 minute"))
      })
    )

    it.effect("tells of a mail once it is committed, and keeps none of a unit of work that failed", () =>
      Effect.gen(function* () {
        yield* drain
        const queue = yield* MailQueue
        const now = yield* present
        yield* enqueue().pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
        assert.lengthOf(yield* claim(now), 0)
        const waiting = yield* Effect.forkChild(queue.awaitNews, { startImmediately: true })
        yield* enqueue()
        yield* Fiber.join(waiting)
      })
    )

    it.effect("sweeps away what has expired, and nothing else", () =>
      Effect.gen(function* () {
        yield* drain
        const queue = yield* MailQueue
        const { now } = yield* enqueue("1 hour")
        const lasting = yield* enqueue("1 day")
        yield* TestClock.setTime(DateTime.toEpochMillis(after(now, "1 hour")))
        assert.strictEqual(yield* queue.sweep, 1)
        assert.deepStrictEqual(idsOf(yield* claim(after(now, "1 hour"))), [lasting.mailId])
      })
    )
  }
}

/** What every `MailQueue` promises. */
export const mailQueueContract = runContract(mailQueue)
