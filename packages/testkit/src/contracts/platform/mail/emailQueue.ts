import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { EmailMessageId, EmailQueue } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, freshId, freshText, present } from "../../given.ts"

const enqueue = Effect.fnUntraced(function* (expiresIn: "1 hour" | "1 day" = "1 hour") {
  const now = yield* present
  const mail = { mailId: freshId(EmailMessageId), sealedMail: freshText("sealed"), expiresAt: after(now, expiresIn) }
  yield* transact((yield* EmailQueue).enqueue(mail))
  return { now, mail }
})

const find = (id: EmailMessageId) => Effect.flatMap(EmailQueue, (queue) => queue.find(id))

export const emailQueue: StorageContract = {
  port: "EmailQueue",
  promises: (it) => {
    it.effect("keeps a mail as it was queued, until it is removed", () =>
      Effect.gen(function* () {
        const queue = yield* EmailQueue
        const [{ mail }, { mail: other }] = [yield* enqueue(), yield* enqueue()]
        assert.deepStrictEqual(yield* find(mail.mailId), { ...mail, attempts: 0 })
        yield* queue.remove(mail.mailId)
        yield* queue.remove(mail.mailId)
        assert.isNull(yield* find(mail.mailId))
        assert.deepStrictEqual(yield* find(other.mailId), { ...other, attempts: 0 })
      })
    )

    it.effect("counts how often a mail was tried, with the unit of work and of this mail only", () =>
      Effect.gen(function* () {
        const queue = yield* EmailQueue
        const [{ mail }, { mail: other }] = [yield* enqueue(), yield* enqueue()]
        yield* transact(queue.countAttempt(mail.mailId))
        yield* transact(queue.countAttempt(mail.mailId))
        yield* queue.countAttempt(mail.mailId).pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
        assert.deepStrictEqual(yield* find(mail.mailId), { ...mail, attempts: 2 })
        assert.deepStrictEqual(yield* find(other.mailId), { ...other, attempts: 0 })
        yield* transact(queue.countAttempt(freshId(EmailMessageId)))
      })
    )

    it.effect("keeps none of a unit of work that failed", () =>
      Effect.gen(function* () {
        const queue = yield* EmailQueue
        const mailId = freshId(EmailMessageId)
        const mail = { mailId, sealedMail: freshText("sealed"), expiresAt: yield* present }
        yield* queue.enqueue(mail).pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
        assert.isNull(yield* find(mailId))
      })
    )

    it.effect("sweeps away what has expired, and nothing else", () =>
      Effect.gen(function* () {
        const queue = yield* EmailQueue
        const { mail: brief, now } = yield* enqueue("1 hour")
        const { mail: lasting } = yield* enqueue("1 day")
        yield* TestClock.setTime(DateTime.toEpochMillis(after(now, "1 hour")))
        assert.isAtLeast(yield* queue.sweep, 1)
        assert.strictEqual(yield* queue.sweep, 0)
        assert.isNull(yield* find(brief.mailId))
        assert.deepStrictEqual(yield* find(lasting.mailId), { ...lasting, attempts: 0 })
      })
    )
  }
}

export const emailQueueContract = runContract(emailQueue)
