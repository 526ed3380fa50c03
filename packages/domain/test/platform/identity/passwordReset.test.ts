import { assert, layer } from "@effect/vitest"
import {
  changePassword,
  LaneQueue,
  layerNoMailer,
  linkPasswordReset,
  login,
  emailsTaskName,
  PasswordHasher,
  refreshSession,
  requestPasswordReset,
  sendDueEmails,
  setPasswordByLink,
  setUserStatus,
  shardCount,
  Users
} from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { asOperator, asPerson, givenMember, givenOrganization, givenUser, SentMails, TestKit } from "@parley/testkit"
import { DateTime, Duration, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../../tagOf.ts"
import { tokenMailedTo, tokensMailedTo } from "./mails.ts"

const renewed = Redacted.make("chosen by the owner of the mailbox")

const forgot = (email: string, address = "here") => requestPasswordReset({ email, address })

const reset = (token: Redacted.Redacted, password = renewed) =>
  tagOf(setPasswordByLink({ token, password, address: "here" }))

const logIn = (email: string, password: Redacted.Redacted) =>
  login({ email, password, organizationId: null, address: "there" })

const elapse = (duration: Duration.Input) => TestClock.adjust(duration)

/** When the next mail is due; `null` when none waits. */
const waiting = Effect.flatMap(LaneQueue, (queue) =>
  queue.nextDue({ task: emailsTaskName, shards: Array.from({ length: shardCount }, (_, shard) => shard), except: [] })
)

layer(TestKit.layer)("a forgotten password", (it) => {
  it.effect("is replaced by the link in a mail, which ends every session and verifies the mailbox", () =>
    Effect.gen(function* () {
      const { password, user } = yield* givenUser()
      const session = yield* logIn(user.email, password)
      yield* forgot(user.email)
      const token = yield* tokenMailedTo(user.email)
      assert.strictEqual(yield* reset(token), "ok")
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken: session.refreshToken })), "TokenRevoked")
      assert.strictEqual(yield* tagOf(logIn(user.email, password)), "InvalidCredentials")
      assert.strictEqual(yield* tagOf(logIn(user.email, renewed)), "ok")
      assert.isNotNull((yield* (yield* Users).find(user.id))?.emailVerifiedAt)
    })
  )

  it.effect("is mailed to active users only, with an equal answer for all", () =>
    Effect.gen(function* () {
      const [known, disabled] = [yield* givenUser(), yield* givenUser()]
      yield* asOperator(setUserStatus({ id: disabled.user.id, status: "disabled" }))
      const emails = [known.user.email, disabled.user.email, "nobody@people.test"]
      assert.deepStrictEqual(yield* Effect.forEach(emails, (email) => forgot(email)), [undefined, undefined, undefined])
      assert.deepStrictEqual(
        yield* Effect.forEach(emails, (email) => Effect.map(tokensMailedTo(email), ({ length }) => length)),
        [1, 0, 0]
      )
      assert.isNull(yield* waiting)
    })
  )

  it.effect("a link works once, and exactly once under concurrency", () =>
    Effect.gen(function* () {
      const { user } = yield* givenUser()
      yield* forgot(user.email)
      const token = yield* tokenMailedTo(user.email)
      const tries = yield* Effect.replicateEffect(
        Effect.suspend(() => reset(token)),
        10,
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(tries.toSorted(), [...Array.from({ length: 9 }, () => "PasswordResetInvalid"), "ok"])
      assert.strictEqual(yield* reset(token), "PasswordResetInvalid")
    })
  )

  it.effect("a link is good for an hour; used, expired, unknown and malformed ones are one answer", () =>
    Effect.gen(function* () {
      const { user } = yield* givenUser()
      yield* forgot(user.email)
      const token = yield* tokenMailedTo(user.email)
      yield* elapse("60 minutes")
      assert.strictEqual(yield* reset(token), "PasswordResetInvalid")
      for (const other of ["", "x", "A".repeat(43), "é".repeat(20)]) {
        assert.strictEqual(yield* reset(Redacted.make(other)), "PasswordResetInvalid")
      }
      yield* forgot(user.email)
      const again = yield* tokenMailedTo(user.email)
      yield* elapse("3599 seconds")
      assert.strictEqual(yield* reset(again), "ok")
    })
  )

  it.effect("requests for other accounts flood no mailbox and block no login", () =>
    Effect.gen(function* () {
      const { user } = yield* givenUser()
      yield* Effect.forEach(
        Array.from({ length: 25 }, (_, index) => `stranger ${index}`),
        (address) => forgot(user.email, address)
      )
      const tokens = yield* tokensMailedTo(user.email)
      assert.lengthOf(tokens, 3)
      yield* elapse("59 minutes")
      yield* forgot(user.email, "the owner")
      assert.lengthOf(yield* tokensMailedTo(user.email), 3)
      // The limit sends no further mail, and the newest link stays valid.
      const [first = renewed, second = renewed, newest = renewed] = tokens
      assert.deepStrictEqual(yield* Effect.forEach([first, second, newest], (token) => reset(token)), [
        "PasswordResetInvalid",
        "PasswordResetInvalid",
        "ok"
      ])
      yield* forgot(user.email, "the owner")
      assert.lengthOf(yield* tokensMailedTo(user.email), 4)
    })
  )

  it.effect("an address that asks for many mailboxes is slowed down", () =>
    Effect.gen(function* () {
      const tries = yield* Effect.forEach(
        Array.from({ length: 31 }, (_, index) => `p${index}@people.test`),
        (email) => tagOf(forgot(email, "one address"))
      )
      assert.deepStrictEqual([tries.filter((tag) => tag === "ok").length, tries.at(-1)], [30, "MailThrottled"])
      assert.strictEqual(yield* tagOf(forgot("p0@people.test", "another")), "ok")
    })
  )

  it.effect("changing the password by oneself makes the links worthless", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const person = yield* givenMember(organization)
      yield* forgot(person.user.email)
      const token = yield* tokenMailedTo(person.user.email)
      const change = { currentPassword: person.password, newPassword: renewed, address: "here" }
      yield* changePassword(change).pipe(asPerson(organization, person))
      assert.strictEqual(yield* reset(token), "PasswordResetInvalid")
    })
  )

  it.effect("a disabled user stays out, and the link stays unspent", () =>
    Effect.gen(function* () {
      const { user } = yield* givenUser()
      yield* forgot(user.email)
      const token = yield* tokenMailedTo(user.email)
      yield* asOperator(setUserStatus({ id: user.id, status: "disabled" }))
      assert.strictEqual(yield* reset(token), "PasswordResetInvalid")
      yield* asOperator(setUserStatus({ id: user.id, status: "active" }))
      assert.strictEqual(yield* reset(token), "ok")
    })
  )

  it.effect("a login under way with the former password leaves no session", () =>
    Effect.gen(function* () {
      const { password, user } = yield* givenUser()
      const hasher = yield* PasswordHasher
      const context = yield* Effect.context<Ports>()
      yield* forgot(user.email)
      const token = yield* tokenMailedTo(user.email)
      // The reset happens after the login has checked the password, and before it creates a session.
      let isChecked = false
      const slow = PasswordHasher.of({
        ...hasher,
        verify: (tried, hash) =>
          Effect.tap(hasher.verify(tried, hash), () => {
            if (isChecked) return Effect.void
            isChecked = true
            return Effect.provide(reset(token), context)
          })
      })
      const outcome = yield* tagOf(logIn(user.email, password).pipe(Effect.provideService(PasswordHasher, slow)))
      assert.strictEqual(outcome, "InvalidCredentials")
      assert.strictEqual(yield* tagOf(logIn(user.email, renewed)), "ok")
    })
  )

  it.effect("an operator makes the link where no mail is sent", () =>
    Effect.gen(function* () {
      const { user } = yield* givenUser()
      const absent = yield* tagOf(forgot(user.email).pipe(Effect.provide(layerNoMailer("https://parley.example"))))
      assert.strictEqual(absent, "EmailNotConfigured")
      const { link } = yield* asOperator(linkPasswordReset({ id: user.id }))
      assert.strictEqual(link.url, `http://parley.test/password/reset#token=${Redacted.value(link.token)}`)
      assert.strictEqual(yield* reset(link.token), "ok")
    })
  )

  it.effect("a new link ends the earlier one, from the operator and by mail", () =>
    Effect.gen(function* () {
      const { user } = yield* givenUser()
      const linked = Effect.map(asOperator(linkPasswordReset({ id: user.id })), ({ link }) => link.token)
      const mailed = Effect.andThen(forgot(user.email), tokenMailedTo(user.email))
      const tokens = [yield* linked, yield* linked, yield* mailed, yield* mailed, yield* linked]
      assert.deepStrictEqual(yield* Effect.forEach(tokens, (token) => reset(token)), [
        ...Array.from({ length: 4 }, () => "PasswordResetInvalid"),
        "ok"
      ])
    })
  )
})

layer(TestKit.layer)("a mail", (it) => {
  const ask = Effect.fnUntraced(function* () {
    const { user } = yield* givenUser()
    yield* forgot(user.email)
    return user.email
  })

  it.effect("that was not taken is tried again, later and later, with the same link", () =>
    Effect.gen(function* () {
      const email = yield* ask()
      const mails = yield* SentMails
      for (const wait of ["15 seconds", "30 seconds", "1 minute"] as const) {
        yield* mails.next("unreachable")
        const before = yield* DateTime.now
        yield* sendDueEmails
        const due = yield* waiting
        assert.strictEqual(
          due === null ? null : DateTime.toEpochMillis(due) - DateTime.toEpochMillis(before),
          Duration.toMillis(wait)
        )
        yield* elapse(wait)
      }
      assert.lengthOf(yield* tokensMailedTo(email), 1)
      assert.isNull(yield* waiting)
    })
  )

  it.effect("that is refused is given up", () =>
    Effect.gen(function* () {
      const email = yield* ask()
      yield* (yield* SentMails).next("refused")
      assert.lengthOf(yield* tokensMailedTo(email), 0)
      assert.isNull(yield* waiting)
    })
  )

  it.effect("whose link has expired is given up", () =>
    Effect.gen(function* () {
      const email = yield* ask()
      yield* elapse("1 hour")
      assert.lengthOf(yield* tokensMailedTo(email), 0)
      assert.isNull(yield* waiting)
    })
  )
})
