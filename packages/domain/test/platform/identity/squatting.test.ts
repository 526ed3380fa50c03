import { assert, describe, it as test, layer } from "@effect/vitest"
import {
  acceptInvitation,
  addMember,
  createUser,
  escapeForMail,
  inviteMember,
  layerNoMailer,
  linkPasswordReset,
  login,
  type Organization,
  refreshSession,
  removeMember,
  requestPasswordReset,
  sendDueEmails,
  setPasswordByLink,
  setUserStatus,
  updateOrganization,
  Users
} from "@parley/domain/platform"
import {
  asAdminOf,
  asOperator,
  asOperatorOf,
  asOwnerOf,
  givenOrganization,
  inviteByLink,
  SentMails,
  TestKit
} from "@parley/testkit"
import { Arbitrary, Effect, Redacted, Schema } from "effect"
import { tagOf } from "../../tagOf.ts"
import { tokenMailedTo } from "./mails.ts"

const squatters = Redacted.make("chosen by whoever had the link")
const owners = Redacted.make("chosen by the owner of the mailbox")

const accept = (token: Redacted.Redacted, password: Redacted.Redacted, name = "Victoria") =>
  acceptInvitation({ token, name, password, address: "somewhere" })

const logIn = (email: string, password: Redacted.Redacted) =>
  login({ email, password, organizationId: null, address: "somewhere" })

const byMail = (organization: Organization, email: string) =>
  inviteMember({ email, role: "admin" }).pipe(asOwnerOf(organization))

const byLink = (organization: Organization, email: string) =>
  Effect.map(inviteByLink(email).pipe(asOwnerOf(organization)), ({ invitation }) => invitation.token)

const userAt = (email: string) =>
  Effect.flatMap(
    Effect.flatMap(Users, (users) => users.credentialsByEmail(email)),
    (known) => (known === null ? Effect.die(new Error(`There is no user ${email}.`)) : Effect.succeed(known.user))
  )

/** An address that an organization has invited by a link, and set the password of. */
const givenSquatted = Effect.gen(function* () {
  const squatting = yield* givenOrganization()
  const email = `victim@${squatting.id}.test`
  yield* accept(yield* byLink(squatting, email), squatters, "Mallory")
  return { squatting, email, session: yield* logIn(email, squatters) }
})

layer(TestKit.layer)("an email address that another person registered first", (it) => {
  it.effect("becomes its owner's by an invitation that was mailed", () =>
    Effect.gen(function* () {
      const { email, session, squatting } = yield* givenSquatted
      const organization = yield* givenOrganization()
      yield* byMail(organization, email)
      const accepted = yield* accept(yield* tokenMailedTo(email), owners)
      assert.strictEqual(accepted.organizationId, organization.id)
      assert.deepStrictEqual([accepted.user.name, accepted.user.emailVerifiedAt === null], ["Victoria", false])
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken: session.refreshToken })), "TokenRevoked")
      assert.strictEqual(yield* tagOf(logIn(email, squatters)), "InvalidCredentials")
      const { affiliations, user } = yield* logIn(email, owners)
      assert.deepStrictEqual(
        affiliations.map(({ organization: { id } }) => id).toSorted(),
        [squatting.id, organization.id].toSorted()
      )
      assert.strictEqual(user.name, "Victoria")
    })
  )

  it.effect("becomes its owner's by a forgotten password", () =>
    Effect.gen(function* () {
      const { email, session } = yield* givenSquatted
      yield* requestPasswordReset({ email, address: "the owner" })
      yield* setPasswordByLink({ token: yield* tokenMailedTo(email), password: owners, address: "here" })
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken: session.refreshToken })), "TokenRevoked")
      assert.strictEqual(yield* tagOf(logIn(email, squatters)), "InvalidCredentials")
      assert.strictEqual(yield* tagOf(logIn(email, owners)), "ok")
      assert.isNotNull((yield* userAt(email)).emailVerifiedAt)
    })
  )

  it.effect("opens no other organization to the squatter, and the owner gets in by a way round", () =>
    Effect.gen(function* () {
      const { email } = yield* givenSquatted
      const organization = yield* givenOrganization()
      const token = yield* byLink(organization, email)
      // The link sets no other password: a second organization must not take over the account.
      assert.strictEqual(yield* tagOf(accept(token, owners)), "InvalidCredentials")
      assert.strictEqual(yield* tagOf(logIn(email, owners)), "InvalidCredentials")
      yield* requestPasswordReset({ email, address: "the owner" })
      yield* setPasswordByLink({ token: yield* tokenMailedTo(email), password: owners, address: "here" })
      assert.strictEqual(yield* tagOf(accept(token, squatters)), "InvalidCredentials")
      assert.strictEqual(yield* tagOf(accept(token, owners)), "ok")
    })
  )

  it.effect("is no member by an operator until its owner has confirmed", () =>
    Effect.gen(function* () {
      const { email } = yield* givenSquatted
      const organization = yield* givenOrganization()
      const { id } = yield* userAt(email)
      const add = tagOf(addMember({ userId: id, role: "owner" }).pipe(asOperatorOf(organization)))
      assert.strictEqual(yield* add, "EmailUnverified")
      const { link } = yield* asOperator(linkPasswordReset({ id }))
      yield* setPasswordByLink({ token: link.token, password: owners, address: "here" })
      assert.strictEqual(yield* add, "ok")
    })
  )

  it.effect("stays disabled regardless of its mailbox", () =>
    Effect.gen(function* () {
      const { email } = yield* givenSquatted
      const organization = yield* givenOrganization()
      yield* byMail(organization, email)
      const token = yield* tokenMailedTo(email)
      yield* asOperator(setUserStatus({ id: (yield* userAt(email)).id, status: "disabled" }))
      assert.strictEqual(yield* tagOf(accept(token, owners)), "InvalidCredentials")
    })
  )
})

layer(TestKit.layer)("an account whose mailbox is verified", (it) => {
  const givenOwned = Effect.gen(function* () {
    const home = yield* givenOrganization()
    const email = `victoria@${home.id}.test`
    yield* byMail(home, email)
    yield* accept(yield* tokenMailedTo(email), owners)
    return email
  })

  it.effect("is taken by no invitation, mailed or not, without its password", () =>
    Effect.gen(function* () {
      const email = yield* givenOwned
      const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
      const link = yield* byLink(one, email)
      yield* byMail(other, email)
      const mailed = yield* tokenMailedTo(email)
      for (const token of [link, mailed]) {
        assert.strictEqual(yield* tagOf(accept(token, squatters)), "InvalidCredentials")
        assert.strictEqual(yield* tagOf(logIn(email, squatters)), "InvalidCredentials")
        assert.strictEqual(yield* tagOf(accept(token, owners)), "ok")
      }
    })
  )

  it.effect("is not taken by a link that was made before it was there", () =>
    Effect.gen(function* () {
      const squatting = yield* givenOrganization()
      const email = `late@${squatting.id}.test`
      const link = yield* byLink(squatting, email)
      const home = yield* givenOrganization()
      yield* byMail(home, email)
      yield* accept(yield* tokenMailedTo(email), owners)
      assert.strictEqual(yield* tagOf(accept(link, squatters)), "InvalidCredentials")
      assert.strictEqual(yield* tagOf(logIn(email, owners)), "ok")
    })
  )

  it.effect("can be made by an operator", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const email = `made@${organization.id}.test`
      yield* asOperator(createUser({ email, name: "Made", password: owners }))
      yield* byMail(organization, email)
      assert.strictEqual(yield* tagOf(accept(yield* tokenMailedTo(email), squatters)), "InvalidCredentials")
    })
  )
})

layer(TestKit.layer)("an invitation by mail", (it) => {
  it.effect("shows its token to the person only", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const email = `new@${organization.id}.test`
      const answer = yield* byMail(organization, email)
      const token = yield* tokenMailedTo(email)
      assert.deepStrictEqual(Object.keys(answer.invitation).toSorted(), ["delivery", "expiresAt"])
      assert.notInclude(JSON.stringify(answer), Redacted.value(token))
      const { user } = yield* accept(token, owners)
      assert.isNotNull(user.emailVerifiedAt)
    })
  )

  it.effect("needs a mail server, and leaves nothing where there is none", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const email = `new@${organization.id}.test`
      const without = byMail(organization, email).pipe(Effect.provide(layerNoMailer("https://parley.example")))
      assert.strictEqual(yield* tagOf(without), "EmailNotConfigured")
      const link = yield* inviteByLink(email).pipe(
        asOwnerOf(organization),
        Effect.provide(layerNoMailer("https://parley.example"))
      )
      assert.match(link.invitation.url, /^https:\/\/parley\.example\/invitations\/accept#token=[\w-]{43}$/u)
    })
  )

  it.effect("floods no mailbox, from one organization or from many", () =>
    Effect.gen(function* () {
      const email = "wanted@people.test"
      const [first, ...others] = yield* Effect.replicateEffect(givenOrganization({ plan: "scale" }), 12)
      if (first === undefined) return
      const again = Effect.suspend(() =>
        Effect.gen(function* () {
          const { member } = yield* inviteMember({ email, role: "agent" })
          yield* removeMember({ id: member.id })
        }).pipe(asOwnerOf(first), tagOf)
      )
      const tries = yield* Effect.replicateEffect(again, 4)
      assert.deepStrictEqual(tries, ["ok", "ok", "ok", "MailThrottled"])
      const elsewhere = yield* Effect.forEach(others, (other) => tagOf(byMail(other, email)))
      assert.strictEqual(elsewhere.filter((tag) => tag === "ok").length, 7)
      yield* sendDueEmails
      assert.lengthOf(yield* (yield* SentMails).to(email), 10)
    })
  )

  it.effect("shows organization names that cannot look like a link or a separate line", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const name = 'Log in at https://evil.example/x <b>now</b> www.evil.example "&'
      yield* updateOrganization({ name, ifVersion: null }).pipe(asAdminOf(organization))
      const email = `new@${organization.id}.test`
      yield* byMail(organization, email)
      yield* sendDueEmails
      const [mail] = yield* (yield* SentMails).to(email)
      assert.notInclude(mail?.text, "evil.example")
      assert.notInclude(mail?.html, "evil.example")
      assert.notInclude(mail?.html, "<b>")
      assert.lengthOf(Array.from(mail?.html.matchAll(/href=/gu) ?? []), 1)
    })
  )
})

describe("a name in a mail", () => {
  const hostile = Arbitrary.map(
    Arbitrary.array(
      Arbitrary.schema(
        Schema.Literals([
          "a",
          "é",
          "🥐",
          ".",
          ":",
          "//",
          "\\",
          "@",
          "。",
          " ",
          "\n",
          "\r\n",
          "\u2028",
          "\u202E",
          "\u200B",
          "www",
          "<",
          "x".repeat(50)
        ])
      ),
      { maxLength: 30 }
    ),
    (pieces) => pieces.join("")
  )

  test.prop("is one short line that no mail program makes a link of", { name: hostile }, ({ name }) => {
    const shown = escapeForMail(name)
    assert.isAtMost(Array.from(shown).length, 60)
    assert.notMatch(shown, /[\p{C}\p{Zl}\p{Zp}]|\s\s|^\s|\s$/u)
    assert.notMatch(shown, /[.:/\\@。](?![.:/\\@。…])\S/u)
  })

  test("is left alone when there is nothing wrong with it", () => {
    for (const name of ["Bäckerei “O'Neill”", "株式会社 山田", "Acme, Inc.", "R&D 100 %"]) {
      assert.strictEqual(escapeForMail(name), name)
    }
  })
})
