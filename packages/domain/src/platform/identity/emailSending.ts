import { Cause, DateTime, Duration, Effect, Schedule } from "effect"
import { isStorageUnavailable, transact } from "../../kernel/index.ts"
import { type LaneLease, LaneQueue, defineLaneWorker, runDueLanes } from "../background/index.ts"
import {
  Mailer,
  MailerUnreachable,
  emailIdOfLane,
  EmailQueue,
  MailSettings,
  emailsTaskName,
  openEmail,
  type WaitingEmail
} from "../mail/index.ts"
import { Users } from "./User.ts"

const sendConcurrency = 10

const minRetryMillis = Duration.toMillis("15 seconds")

const maxRetryMillis = Duration.toMillis("30 minutes")

const retryDelayMillis = (attempts: number) =>
  Math.min(minRetryMillis * 2 ** Math.min(attempts - 1, 20), maxRetryMillis)

const isActiveUser = Effect.fnUntraced(function* (email: string) {
  const known = yield* (yield* Users).credentialsByEmail(email)
  return known?.user.status === "active"
})

/** Result of an attempt: sent, expired without use, or permanently rejected. */
const attemptSend = Effect.fnUntraced(function* (waiting: WaitingEmail) {
  if (DateTime.isLessThanOrEqualTo(waiting.expiresAt, yield* DateTime.now)) {
    return yield* Effect.logWarning(`The email ${waiting.mailId} expired before it could be sent; it is dropped`)
  }
  const { audience, mail } = yield* openEmail(waiting)
  if (audience === "users" && !(yield* isActiveUser(mail.to))) return
  yield* Effect.catchTag((yield* Mailer).send(mail), "MailRefused", ({ code }) =>
    Effect.logWarning(`The email ${waiting.mailId} was refused${code === null ? "" : ` (${code})`}; it is dropped`)
  )
})

const postpone = Effect.fnUntraced(function* (
  lease: LaneLease,
  { attempts, mailId }: WaitingEmail,
  code: number | null
) {
  const wait = retryDelayMillis(attempts + 1)
  yield* Effect.logWarning(
    `The email ${mailId} was not sent in attempt ${attempts + 1}${code === null ? "" : ` (${code})`}; Parley retries it in ${wait / 1000} s`
  )
  yield* (yield* EmailQueue).countAttempt(mailId)
  yield* (yield* LaneQueue).postpone(lease, DateTime.add(yield* DateTime.now, { milliseconds: wait }))
  return "closed" as const
}, transact)

const unreachableError = new MailerUnreachable({ code: null })

/** Retries the write that records a sent mail, because a lost write sends the mail again. */
const retryWrite = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.sandbox,
    Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 6 }),
    Effect.catch((cause) => Effect.failCause(cause))
  )

const sendEmail = (lease: LaneLease, waiting: WaitingEmail) =>
  attemptSend(waiting).pipe(
    // The failure may contain the mail, so only its kind is logged.
    Effect.catchCauseIf(
      (cause) => Cause.hasDies(cause) && !isStorageUnavailable(cause),
      () =>
        Effect.andThen(
          Effect.logError(`The email ${waiting.mailId} could not be prepared`),
          Effect.fail(unreachableError)
        )
    ),
    Effect.andThen(retryWrite(Effect.flatMap(EmailQueue, (queue) => queue.remove(waiting.mailId)))),
    Effect.catchTag("MailerUnreachable", ({ code }) => postpone(lease, waiting, code))
  )

const findWaitingEmail = (lease: LaneLease) => Effect.flatMap(EmailQueue, (queue) => queue.find(emailIdOfLane(lease)))

/** Sends mails one by one. */
export const emailWorker = defineLaneWorker({
  name: emailsTaskName,
  concurrency: sendConcurrency,
  // A started attempt is uninterruptible, because another process must not send the mail concurrently.
  run: (lease) =>
    findWaitingEmail(lease).pipe(
      Effect.flatMap((waiting) => (waiting === null ? Effect.void : sendEmail(lease, waiting))),
      Effect.uninterruptible
    ),
  nextDue: (lease) =>
    Effect.flatMap(findWaitingEmail(lease), (waiting) => (waiting === null ? Effect.succeed(null) : DateTime.now)),
  isNeeded: Effect.map(MailSettings, ({ sendsMail }) => sendsMail)
})

/** Sends all due mails that no other process owns. */
export const sendDueEmails = runDueLanes(emailWorker)
