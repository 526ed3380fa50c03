import { Cause, DateTime, Duration, Effect, Schedule } from "effect"
import { isAway, transact } from "../../kernel/index.ts"
import { type LaneLease, LaneQueue, laneWork, workDue } from "../background/index.ts"
import {
  Mailer,
  MailerUnreachable,
  mailOfLane,
  MailQueue,
  MailSettings,
  mailsWork,
  openMail,
  type WaitingMail
} from "../mail/index.ts"
import { Users } from "./User.ts"

const mostAtOnce = 10

const firstWait = Duration.toMillis("15 seconds")

const longestWait = Duration.toMillis("30 minutes")

const waitAfter = (attempts: number) => Math.min(firstWait * 2 ** Math.min(attempts - 1, 20), longestWait)

const isUser = Effect.fnUntraced(function* (email: string) {
  const known = yield* (yield* Users).credentialsByEmail(email)
  return known?.user.status === "active"
})

/** What came of it: sent, of no use to anybody, or refused for good. */
const attempt = Effect.fnUntraced(function* (waiting: WaitingMail) {
  if (DateTime.isLessThanOrEqualTo(waiting.expiresAt, yield* DateTime.now)) {
    return yield* Effect.logWarning(`The mail ${waiting.mailId} expired before it could be sent; it is dropped`)
  }
  const { audience, mail } = yield* openMail(waiting)
  if (audience === "users" && !(yield* isUser(mail.to))) return
  yield* Effect.catchTag((yield* Mailer).send(mail), "MailRefused", ({ code }) =>
    Effect.logWarning(`The mail ${waiting.mailId} was refused${code === null ? "" : ` (${code})`}; it is dropped`)
  )
})

const postpone = Effect.fnUntraced(function* (
  lease: LaneLease,
  { attempts, mailId }: WaitingMail,
  code: number | null
) {
  const wait = waitAfter(attempts + 1)
  yield* Effect.logWarning(
    `The mail ${mailId} was not sent at attempt ${attempts + 1}${code === null ? "" : ` (${code})`}; it is tried again in ${wait / 1000} s`
  )
  yield* (yield* MailQueue).countAttempt(mailId)
  yield* (yield* LaneQueue).postpone(lease, DateTime.add(yield* DateTime.now, { milliseconds: wait }))
  return "closed" as const
}, transact)

const unreached = new MailerUnreachable({ code: null })

/** That a mail is sent must not be lost to a hiccup of the store: it would be sent again. */
const surely = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.sandbox,
    Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 6 }),
    Effect.catch((cause) => Effect.failCause(cause))
  )

const send = (lease: LaneLease, waiting: WaitingMail) =>
  attempt(waiting).pipe(
    // What is wrong with it may hold the mail itself, so that only its kind is logged.
    Effect.catchCauseIf(
      (cause) => Cause.hasDies(cause) && !isAway(cause),
      () =>
        Effect.andThen(Effect.logError(`The mail ${waiting.mailId} could not be made ready`), Effect.fail(unreached))
    ),
    Effect.andThen(surely(Effect.flatMap(MailQueue, (queue) => queue.remove(waiting.mailId)))),
    Effect.catchTag("MailerUnreachable", ({ code }) => postpone(lease, waiting, code))
  )

const find = (lease: LaneLease) => Effect.flatMap(MailQueue, (queue) => queue.find(mailOfLane(lease)))

/** Mails are sent one by one. */
export const mails = laneWork({
  name: mailsWork,
  concurrency: mostAtOnce,
  // Once it is begun it is heard out: nobody else should send it meanwhile.
  run: (lease) =>
    find(lease).pipe(
      Effect.flatMap((waiting) => (waiting === null ? Effect.void : send(lease, waiting))),
      Effect.uninterruptible
    ),
  nextDue: (lease) =>
    Effect.flatMap(find(lease), (waiting) => (waiting === null ? Effect.succeed(null) : DateTime.now)),
  isNeeded: Effect.map(MailSettings, ({ sendsMail }) => sendsMail)
})

/** Sends all mails that can be sent now, of those that no other process owns. */
export const sendMails = workDue(mails)
