import { Cause, DateTime, Duration, Effect, Schedule } from "effect"
import { Ids, isAway } from "../../kernel/index.ts"
import { Mailer, MailerUnreachable, type MailLease, MailQueue, openMail } from "../../mail/index.ts"
import { Users } from "../Users.ts"

const mostAtOnce = 10

/** Longer than a call of the mailer can take. */
const leaseDuration = Duration.minutes(2)

const firstWait = Duration.toMillis("15 seconds")

const longestWait = Duration.toMillis("30 minutes")

const waitAfter = (attempts: number) => Math.min(firstWait * 2 ** Math.min(attempts - 1, 20), longestWait)

const isUser = Effect.fnUntraced(function* (email: string) {
  const known = yield* (yield* Users).credentialsByEmail(email)
  return known?.user.status === "active"
})

/** What came of it: sent, of no use to anybody, or refused for good. */
const attempt = Effect.fnUntraced(function* (lease: MailLease) {
  if (DateTime.isLessThanOrEqualTo(lease.expiresAt, yield* DateTime.now)) {
    return yield* Effect.logWarning(`The mail ${lease.mailId} expired before it could be sent; it is dropped`)
  }
  const { audience, mail } = yield* openMail(lease)
  if (audience === "users" && !(yield* isUser(mail.to))) return
  yield* Effect.catchTag((yield* Mailer).send(mail), "MailRefused", ({ code }) =>
    Effect.logWarning(`The mail ${lease.mailId} was refused${code === null ? "" : ` (${code})`}; it is dropped`)
  )
})

const postpone = Effect.fnUntraced(function* (lease: MailLease, code: number | null) {
  const wait = waitAfter(lease.attempts)
  yield* Effect.logWarning(
    `The mail ${lease.mailId} was not sent at attempt ${lease.attempts}${code === null ? "" : ` (${code})`}; it is tried again in ${wait / 1000} s`
  )
  yield* (yield* MailQueue).postpone(lease, DateTime.add(yield* DateTime.now, { milliseconds: wait }))
})

const unreached = new MailerUnreachable({ code: null })

/** That a mail is sent must not be lost to a hiccup of the store: it would be sent again. */
const surely = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.sandbox,
    Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 6 }),
    Effect.catch((cause) => Effect.failCause(cause))
  )

/** Once it is begun it is heard out: nobody else should send it meanwhile. */
const send = (lease: MailLease) =>
  attempt(lease).pipe(
    // What is wrong with it may hold the mail itself, so that only its kind is logged.
    Effect.catchCauseIf(
      (cause) => Cause.hasDies(cause) && !isAway(cause),
      () => Effect.andThen(Effect.logError(`The mail ${lease.mailId} could not be made ready`), Effect.fail(unreached))
    ),
    Effect.andThen(surely(Effect.flatMap(MailQueue, (queue) => queue.settle(lease)))),
    Effect.catchTag("MailerUnreachable", ({ code }) => postpone(lease, code)),
    Effect.uninterruptible
  )

const claim = Effect.gen(function* () {
  const now = yield* DateTime.now
  return yield* (yield* MailQueue).claim({
    sender: yield* (yield* Ids).next,
    now,
    until: DateTime.addDuration(now, leaseDuration),
    limit: mostAtOnce
  })
})

const sendSome = Effect.gen(function* () {
  const leases = yield* claim
  yield* Effect.forEach(leases, send, { concurrency: mostAtOnce, discard: true })
  return leases.length
})

/** Sends mails until none can be sent now. */
export const sendMails = Effect.repeat(Effect.uninterruptible(sendSome), { while: (sent) => sent > 0 }).pipe(
  Effect.asVoid
)
