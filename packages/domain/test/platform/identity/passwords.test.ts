import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, expectTypeOf, it, layer } from "@effect/vitest"
import { Ids, transact, type ValidationFailed } from "@parley/domain/kernel"
import {
  acceptInvitation,
  authorize,
  changePassword,
  type CheckedPassword,
  createUser,
  exchangeDocsCode,
  handOffToDocs,
  linkPasswordReset,
  login,
  PasswordHasher,
  PasswordPolicy,
  resetPassword,
  setPasswordByLink,
  TokenSigner,
  Users
} from "@parley/domain/platform"
import {
  actingIn,
  asOperator,
  asOperatorOf,
  everybodysPassword,
  givenInvitation,
  givenMember,
  givenOrganization,
  givenUser,
  inviteByLink,
  type Person,
  TestKit
} from "@parley/testkit"
import { Effect, Redacted } from "effect"
import { tagOf } from "../../tagOf.ts"

const common = ["password", "Password", "PASSWORD1!", "password1234", "princess(99)", "iloveyou", "Trustno1"]

const repetitions = [
  "aaaaaaaa",
  "ÄÄÄÄÄÄÄÄ",
  "🦉🦉🦉🦉🦉🦉🦉🦉",
  "qwertyqwerty",
  "asdfghjkl",
  "lkjhgfdsa",
  "12121212",
  "1234567890123"
]

const good = [
  "correct horse battery staple",
  "owl-Barn-77",
  "        \t x",
  "zoë et l'été",
  "passwords are hard",
  "qwerty and asdf keys",
  "p".repeat(200) + "q".repeat(56)
]

/** Known words with their sources. */
const known = ({ email, name, slug }: { readonly email: string; readonly name: string; readonly slug: string }) => [
  "parley123",
  "MyParley",
  "parleyparley",
  `${email}!`,
  `${email.split("@")[0]}`,
  `${name}1`,
  name.replaceAll(" ", "-"),
  `${slug}-2026`,
  slug.toUpperCase()
]

const pointersIn = (error: ValidationFailed) => error.errors.map(({ pointer }) => pointer)

const freshText = Effect.flatMap(Ids, (ids) => ids.next)

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({
    name: "Blue Bottle",
    plan: "scale",
    slug: `bottle-${yield* freshText}`
  })
  const person = yield* givenMember(organization, "agent", { name: "Wilhelmina Harker" })
  return { organization, person }
})

type Owner = Effect.Success<typeof given>

const logIn = ({ password, user }: Person) =>
  login({ email: user.email, password, organizationId: null, address: `of ${user.id}` })

const claimsOf = Effect.fnUntraced(function* (person: Person) {
  const { accessToken } = yield* logIn(person)
  const claims = yield* (yield* TokenSigner).verify(accessToken, ["session"])
  return claims.use === "session" ? claims : yield* Effect.die(new Error("A login gives a session."))
})

const actorOf = Effect.fnUntraced(function* (person: Person) {
  return (yield* authorize(yield* claimsOf(person), null, "password-change")).actor
})

/** Admission of a new session of the person. */
const admissionOf = Effect.fnUntraced(function* (person: Person) {
  const claims = yield* claimsOf(person)
  assert.strictEqual(yield* tagOf(authorize(claims, null, "password-change")), "ok")
  return yield* tagOf(authorize(claims, null))
})

/** All ways to set a password, with the pointer to the password in the request. */
const doors = {
  "identity.acceptInvitation": "/password",
  "identity.changePassword": "/newPassword",
  "identity.setPasswordByLink": "/password",
  "identity.createUser": "/password",
  "identity.resetPassword": "/password"
} as const

const throughDoor = Effect.fnUntraced(function* (
  door: keyof typeof doors,
  { organization, person }: Owner,
  text: string
) {
  const password = Redacted.make(text)
  const address = "here"
  switch (door) {
    case "identity.acceptInvitation": {
      const email = `${yield* freshText}@invited.test`
      const { invitation } = yield* givenInvitation(organization, email)
      return yield* acceptInvitation({ token: invitation.token, name: person.user.name, password, address })
    }
    case "identity.changePassword": {
      const actor = yield* Effect.orDie(actorOf(person))
      const change = changePassword({ currentPassword: person.password, newPassword: password, address })
      return yield* actingIn(organization, actor)(change)
    }
    case "identity.setPasswordByLink": {
      const { link } = yield* asOperator(linkPasswordReset({ id: person.user.id }))
      return yield* setPasswordByLink({ token: link.token, password, address })
    }
    case "identity.createUser":
      return yield* asOperator(createUser({ email: `${yield* freshText}@made.test`, name: person.user.name, password }))
    case "identity.resetPassword":
      return yield* asOperator(resetPassword({ id: person.user.id, password }))
  }
})

const refusal = (effect: ReturnType<typeof throughDoor>) =>
  Effect.map(Effect.flip(effect), (error) => (error._tag === "ValidationFailed" ? pointersIn(error) : [error._tag]))

layer(TestKit.layer)("every way to set a password", (it) => {
  it.effect.each(Object.keys(doors) as ReadonlyArray<keyof typeof doors>)("checks it: %s", (door) =>
    Effect.gen(function* () {
      const owner = yield* given
      const pointer = doors[door]
      for (const text of ["short", "1234567", "x".repeat(257), ...common, ...repetitions]) {
        assert.deepStrictEqual(yield* refusal(throughDoor(door, owner, text)), [pointer], text)
      }
      for (const text of good) {
        const fresh = yield* given
        assert.strictEqual(yield* tagOf(throughDoor(door, fresh, text)), "ok", text)
      }
    })
  )

  it.effect.each(["identity.changePassword", "identity.setPasswordByLink", "identity.resetPassword"] as const)(
    "rejects known words: %s",
    (door) =>
      Effect.gen(function* () {
        const owner = yield* given
        const { organization, person } = owner
        for (const text of known({ email: person.user.email, name: person.user.name, slug: organization.slug })) {
          assert.deepStrictEqual(yield* refusal(throughDoor(door, owner, text)), [doors[door]], text)
        }
        for (const text of ["bluebottle1", "Harker!!", "people.test"]) {
          assert.deepStrictEqual(yield* refusal(throughDoor(door, owner, text)), [doors[door]], text)
        }
        assert.strictEqual(yield* tagOf(throughDoor(door, owner, "wilhelmina reads twelve letters")), "ok")
      })
  )

  it.effect("rejects the name of the organization of an invitation", () =>
    Effect.gen(function* () {
      const owner = yield* given
      for (const text of ["bluebottle1", owner.organization.slug, "Wilhelmina1"]) {
        assert.deepStrictEqual(yield* refusal(throughDoor("identity.acceptInvitation", owner, text)), ["/password"])
      }
    })
  )

  it.effect("applies the minimum length of the installation", () =>
    Effect.gen(function* () {
      const owner = yield* given
      const policy = yield* PasswordPolicy
      const reset = (text: string) =>
        throughDoor("identity.resetPassword", owner, text).pipe(
          Effect.provideService(PasswordPolicy, { ...policy, minLength: 15 })
        )
      assert.deepStrictEqual(yield* refusal(reset("owl barn 14 ch")), ["/password"])
      assert.strictEqual(yield* tagOf(reset("owl barn 15 chs")), "ok")
    })
  )

  it.effect("uses a password exactly as typed", () =>
    Effect.gen(function* () {
      const owner = yield* given
      yield* Effect.orDie(throughDoor("identity.setPasswordByLink", owner, " Spaces At Both Ends "))
      for (const [text, tag] of [
        [" Spaces At Both Ends ", "ok"],
        ["Spaces At Both Ends", "InvalidCredentials"],
        [" spaces at both ends ", "InvalidCredentials"]
      ] as const) {
        assert.strictEqual(yield* tagOf(logIn({ ...owner.person, password: Redacted.make(text) })), tag)
      }
    })
  )

  it.effect("does not apply new rules to an old password that proves an account", () =>
    Effect.gen(function* () {
      const { organization, person } = yield* givenCommon
      const { invitation } = yield* inviteByLink(person.user.email).pipe(asOperatorOf(organization), Effect.orDie)
      const acceptance = { token: invitation.token, name: "Ann", password: person.password, address: "here" }
      assert.strictEqual(yield* tagOf(acceptInvitation(acceptance)), "ok")
    })
  )
})

/** A user with a common password from a release that accepted it. */
const givenCommon = Effect.gen(function* () {
  const organization = yield* givenOrganization()
  const person = yield* givenUser()
  const password = Redacted.make("password")
  const hash = yield* (yield* PasswordHasher).rehash(password)
  yield* transact((yield* Users).setPassword(person.user.id, { hash, mustChange: false }))
  return { organization, person: { ...person, password } }
})

layer(TestKit.layer)("a session that must change the password", (it) => {
  it.effect("opens after a login with an older common password, and permits nothing else", () =>
    Effect.gen(function* () {
      const { person } = yield* givenCommon
      assert.strictEqual(yield* admissionOf(person), "PasswordChangeRequired")
    })
  )

  it.effect("opens after a login with an operator's password", () =>
    Effect.gen(function* () {
      const made = yield* givenUser({ isTemporary: true })
      assert.strictEqual(yield* admissionOf(made), "PasswordChangeRequired")
      const reset = yield* givenUser()
      yield* asOperator(resetPassword({ id: reset.user.id, password: everybodysPassword }))
      assert.strictEqual(yield* admissionOf(reset), "PasswordChangeRequired")
      yield* asOperator(resetPassword({ id: reset.user.id, password: everybodysPassword, isTemporary: false }))
      assert.strictEqual(yield* admissionOf(reset), "ok")
    })
  )

  it.effect("ends after a change to another password, but not to the same one", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const made = yield* givenUser({ isTemporary: true })
      const change = Effect.fnUntraced(function* (text: string) {
        const newPassword = Redacted.make(text)
        const actor = yield* Effect.orDie(actorOf(made))
        return yield* changePassword({ currentPassword: made.password, newPassword, address: "here" }).pipe(
          actingIn(organization, actor)
        )
      })
      const same = yield* Effect.flip(change(Redacted.value(made.password)))
      assert.deepStrictEqual(same._tag === "ValidationFailed" ? pointersIn(same) : [], ["/newPassword"])
      yield* Effect.orDie(change("four brown owls in a wood"))
      const changed = { ...made, password: Redacted.make("four brown owls in a wood") }
      assert.strictEqual(yield* admissionOf(changed), "ok")
    })
  )

  it.effect("replaces sessions and docs codes from before", () =>
    Effect.gen(function* () {
      const { organization, person } = yield* given
      const claims = yield* claimsOf(person)
      const { actor } = yield* authorize(claims, organization.id)
      const { code } = yield* actingIn(organization, actor)(handOffToDocs())
      yield* transact((yield* Users).requirePasswordChange(person.user.id))
      assert.strictEqual(yield* tagOf(exchangeDocsCode({ code })), "DocsCodeInvalid")
      assert.strictEqual(yield* tagOf(authorize(claims, organization.id)), "PasswordChangeRequired")
    })
  )
})

const source = new URL("../../../src/", import.meta.url)

/** The use cases with text that matches the pattern; for a match outside of use cases, the file. */
const placesOf = (pattern: RegExp) =>
  readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      readFileSync(new URL(file, source), "utf8")
        // The helpers of a use case precede it.
        .split(/(?<=^\)\n)/mu)
        .filter((part) => pattern.test(part))
        .map((part) => /^export const \w+ = useCase\(\s*\{\s*name: "([^"]+)"/mu.exec(part)?.[1] ?? file)
    )
    .toSorted()

describe("the hash of a password", () => {
  it("is created from a checked password", () => {
    expectTypeOf<Parameters<PasswordHasher["Service"]["hash"]>>().toEqualTypeOf<[password: CheckedPassword]>()
    expectTypeOf<Redacted.Redacted>().not.toExtend<CheckedPassword>()
  })

  it("is created again only after verification, and only the check creates checked passwords", () => {
    assert.deepStrictEqual(placesOf(/\.rehash\(/u), ["identity.login"])
    assert.deepStrictEqual(placesOf(/as CheckedPassword/u), ["platform/identity/passwords/PasswordHasher.ts"])
  })

  it("is created only by the paths under test", () => {
    assert.deepStrictEqual(placesOf(/\.hash\(/u), Object.keys(doors).toSorted())
  })
})
