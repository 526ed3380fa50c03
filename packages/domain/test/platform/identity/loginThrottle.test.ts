import { assert, layer } from "@effect/vitest"
import { CurrentActor } from "@parley/domain/kernel"
import {
  changePassword,
  IsKnownCaller,
  linkPasswordReset,
  login,
  type LoginAttempt,
  LoginOverloaded,
  PasswordHasher,
  resetPassword,
  setPasswordByLink,
  unknownAddress
} from "@parley/domain/platform"
import { actorOf, asOperator, givenUser, type Person, TestKit } from "@parley/testkit"
import { DateTime, Duration, Effect, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../../tagOf.ts"

const wrong = Redacted.make("wrong password")

const attemptBy = ({ password, user }: Person, overrides: Partial<LoginAttempt> = {}) =>
  login({ email: user.email, password, organizationId: null, address: `of ${user.id}`, ...overrides })

const tryBy = (person: Person, overrides: Partial<LoginAttempt> = {}) => tagOf(attemptBy(person, overrides))

const fail = (person: Person, times: number, address = `of ${person.user.id}`) =>
  Effect.replicateEffect(tryBy(person, { password: wrong, address }), times)

/** Wrong passwords from many addresses, which fill every lane. */
const attack = (person: Person, overrides: Partial<LoginAttempt> = {}) =>
  Effect.forEach(Array.from({ length: 300 }), (_, index) =>
    tryBy(person, { password: wrong, address: `attacker ${index}`, ...overrides })
  )

const refusals = (tags: ReadonlyArray<string>) => tags.filter((tag) => tag === "InvalidCredentials").length

layer(TestKit.layer)("the login throttle, for strangers", (it) => {
  it.effect("lets one address fail 5 times at an account, and refuses the right password too until it says", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      assert.deepStrictEqual(yield* fail(person, 6), [
        ...Array.from({ length: 5 }, () => "InvalidCredentials"),
        "LoginThrottled"
      ])
      const refusal = yield* Effect.flip(attemptBy(person))
      if (refusal._tag !== "LoginThrottled") return assert.fail(refusal._tag)
      assert.isTrue(refusal.retryAfterSeconds > 0 && refusal.retryAfterSeconds <= 900)
      yield* TestClock.adjust(Duration.seconds(refusal.retryAfterSeconds))
      assert.strictEqual(yield* tryBy(person), "ok")
    })
  )

  it.effect("lets no single address keep another one out", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      yield* fail(person, 500, "attacker")
      assert.strictEqual(yield* tryBy(person, { address: "a new place" }), "ok")
    })
  )

  it.effect("lets an account fail 12 times in a quarter of an hour, from however many addresses", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      assert.strictEqual(refusals(yield* attack(person)), 12)
      assert.strictEqual(yield* tryBy(person), "LoginThrottled")
    })
  )

  it.effect("lets a stranger through sooner or later, while others try from a few addresses without a rest", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      for (let quarter = 0; quarter < 60; quarter += 1) {
        for (const address of ["one", "two", "three"]) yield* fail(person, 10, address)
        if ((yield* tryBy(person)) === "ok") return
        yield* TestClock.adjust("15 minutes")
      }
      assert.fail("The stranger was kept out for 15 hours.")
    })
  )

  it.effect("counts unknown accounts like existing ones", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const email = `nobody@${person.user.id}.test`
      const deviceToken = (yield* attemptBy(person)).deviceToken
      assert.strictEqual(refusals(yield* attack(person, { email, deviceToken })), 12)
      for (const address of [`of ${person.user.id}`, "elsewhere"]) {
        assert.strictEqual(yield* tryBy(person, { email, address, deviceToken }), "LoginThrottled")
      }
    })
  )

  it.effect("does not count success: a correct login is never throttled", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      yield* fail(person, 4)
      const tags = yield* Effect.replicateEffect(tryBy(person), 30)
      assert.deepStrictEqual(Array.from(new Set(tags)), ["ok"])
    })
  )

  it.effect("allows 100 failures per address over all accounts, without effect on other addresses", () =>
    Effect.gen(function* () {
      const people = yield* Effect.replicateEffect(givenUser(), 26)
      const [last] = people
      if (last === undefined) return assert.fail("there are some")
      const address = `office of ${last.user.id}`
      const tags = yield* Effect.forEach(people.slice(1), (person) => fail(person, 4, address))
      assert.deepStrictEqual(Array.from(new Set(tags.flat())), ["InvalidCredentials"])
      assert.strictEqual(yield* tryBy(last, { address }), "LoginThrottled")
      assert.strictEqual(yield* tryBy(last), "ok")
    })
  )

  it.effect("does not charge an address for tries at an account that is refused already", () =>
    Effect.gen(function* () {
      const [attacked, neighbour] = [yield* givenUser(), yield* givenUser()]
      const address = `office of ${attacked.user.id}`
      yield* fail(attacked, 150, address)
      assert.strictEqual(yield* tryBy(neighbour, { address }), "ok")
    })
  )

  it.effect("does not charge an account for passwords that were never looked at", () =>
    Effect.gen(function* () {
      const real = yield* PasswordHasher
      const busy = PasswordHasher.of({ ...real, verify: () => new LoginOverloaded({ retryAfterSeconds: 1 }) })
      const person = yield* givenUser()
      const tags = yield* Effect.replicateEffect(tryBy(person), 50).pipe(Effect.provideService(PasswordHasher, busy))
      assert.deepStrictEqual(Array.from(new Set(tags)), ["LoginOverloaded"])
      assert.strictEqual(yield* tryBy(person), "ok")
    })
  )

  it.effect("allows no more under concurrency", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const tags = yield* Effect.replicateEffect(
        Effect.suspend(() => tryBy(person, { password: wrong })),
        60,
        { concurrency: "unbounded" }
      )
      assert.strictEqual(refusals(tags), 5)
    })
  )
})

layer(TestKit.layer)("the login throttle for known persons", (it) => {
  it.effect("limits known addresses and devices separately from unknown ones", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const { deviceToken } = yield* attemptBy(person, { address: "home" })
      const real = yield* PasswordHasher
      const asked: Array<boolean> = []
      const noting = PasswordHasher.of({
        ...real,
        verify: (password, hash) =>
          Effect.andThen(
            Effect.map(IsKnownCaller, (isKnown) => asked.push(isKnown)),
            real.verify(password, hash)
          )
      })
      const ask = (overrides: Partial<LoginAttempt>) =>
        Effect.provideService(tryBy(person, { password: wrong, ...overrides }), PasswordHasher, noting)
      yield* ask({ address: "elsewhere" })
      yield* ask({ address: "home" })
      yield* ask({ address: "elsewhere", deviceToken })
      yield* ask({ address: "elsewhere", deviceToken: Redacted.make("0.forged") })
      assert.deepStrictEqual(asked, [false, true, true, false])
    })
  )

  const givenKnown = Effect.gen(function* () {
    const person = yield* givenUser()
    const home = `home of ${person.user.id}`
    const { deviceToken } = yield* attemptBy(person, { address: home })
    return { deviceToken, home, person }
  })

  it.effect("always hears the right password from an address that was logged in from before", () =>
    Effect.gen(function* () {
      const { home, person } = yield* givenKnown
      yield* attack(person)
      const tags = yield* Effect.replicateEffect(tryBy(person, { address: home }), 30)
      assert.deepStrictEqual(Array.from(new Set(tags)), ["ok"])
      assert.strictEqual(yield* tryBy(person, { address: "elsewhere" }), "LoginThrottled")
    })
  )

  it.effect("always accepts the right password from a known device at every address", () =>
    Effect.gen(function* () {
      const { deviceToken, person } = yield* givenKnown
      yield* attack(person)
      for (const address of ["train", "hotel", unknownAddress]) {
        assert.strictEqual(yield* tryBy(person, { address, deviceToken }), "ok")
      }
    })
  )

  it.effect("hears a known address though strangers there have failed a hundred times", () =>
    Effect.gen(function* () {
      const { home, person } = yield* givenKnown
      const others = yield* Effect.replicateEffect(givenUser(), 25)
      for (const other of others) yield* fail(other, 4, home)
      assert.strictEqual(yield* tryBy(yield* givenUser(), { address: home }), "LoginThrottled")
      assert.strictEqual(yield* tryBy(person, { address: home }), "ok")
    })
  )

  it.effect("lets a neighbour at a known address use up its tries, and hears the device nevertheless", () =>
    Effect.gen(function* () {
      const { deviceToken, home, person } = yield* givenKnown
      yield* attack(person)
      assert.deepStrictEqual(yield* fail(person, 3, home), [
        "InvalidCredentials",
        "InvalidCredentials",
        "LoginThrottled"
      ])
      assert.strictEqual(yield* tryBy(person, { address: home }), "LoginThrottled")
      assert.strictEqual(yield* tryBy(person, { address: home, deviceToken }), "ok")
    })
  )

  it.effect("lets a device that was stolen guess no more than twice in a quarter of an hour", () =>
    Effect.gen(function* () {
      const { deviceToken, home, person } = yield* givenKnown
      yield* attack(person)
      const tags = yield* attack(person, { deviceToken })
      assert.strictEqual(refusals(tags), 2)
      assert.strictEqual(yield* tryBy(person, { address: home }), "ok")
    })
  )

  it.effect("refuses device tokens of others, expired ones and altered ones", () =>
    Effect.gen(function* () {
      const [{ deviceToken, home, person }, stranger] = [yield* givenKnown, yield* givenKnown]
      yield* attack(person)
      const text = Redacted.value(deviceToken)
      for (const other of [
        Redacted.value(stranger.deviceToken),
        "",
        ".",
        `${text}x`,
        text.slice(1),
        text.slice(0, -1)
      ]) {
        assert.strictEqual(yield* tryBy(person, { deviceToken: Redacted.make(other) }), "LoginThrottled", other)
      }
      yield* TestClock.adjust("90 days")
      yield* attack(person)
      assert.strictEqual(yield* tryBy(person, { deviceToken }), "LoginThrottled")
      assert.strictEqual(yield* tryBy(person, { address: home }), "LoginThrottled", "the address is as old")
    })
  )

  it.effect("knows no person by an unknown address", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      yield* attemptBy(person, { address: unknownAddress })
      yield* attack(person)
      assert.strictEqual(yield* tryBy(person, { address: unknownAddress }), "LoginThrottled")
    })
  )

  it.effect("forgets all but the present address when the password changes, and all when it is reset", () =>
    Effect.gen(function* () {
      const { deviceToken, home, person } = yield* givenKnown
      const newPassword = Redacted.make("a new password, hard to guess")
      yield* attemptBy(person, { address: "office" })
      yield* changePassword({ currentPassword: person.password, newPassword, address: "office" }).pipe(
        Effect.provideService(CurrentActor, yield* actorOf(person))
      )
      const now = { ...person, password: newPassword }
      yield* attack(now)
      assert.strictEqual(yield* tryBy(now, { address: home }), "LoginThrottled")
      assert.strictEqual(yield* tryBy(now, { address: home, deviceToken }), "LoginThrottled")
      assert.strictEqual(yield* tryBy(now, { address: "office" }), "ok")
      yield* asOperator(resetPassword({ id: person.user.id, password: newPassword }))
      assert.strictEqual(yield* tryBy(now, { address: "office" }), "LoginThrottled")
    })
  )

  it.effect("hears who has set the password by a link from where they did that, while strangers try", () =>
    Effect.gen(function* () {
      const { home, person } = yield* givenKnown
      yield* attack(person)
      assert.strictEqual(yield* tryBy(person, { address: "train" }), "LoginThrottled")
      const { link } = yield* asOperator(linkPasswordReset({ id: person.user.id }))
      const password = Redacted.make("a new password, hard to guess")
      yield* setPasswordByLink({ token: link.token, password, address: "train" })
      const now = { ...person, password }
      assert.strictEqual(yield* tryBy(now, { address: "train" }), "ok")
      assert.strictEqual(yield* tryBy(now, { address: home }), "LoginThrottled")
    })
  )

  it.effect("lets the owner of a session change the password while strangers try", () =>
    Effect.gen(function* () {
      const { person } = yield* givenKnown
      const actor = yield* actorOf(person)
      yield* attack(person)
      const newPassword = Redacted.make("a new password, hard to guess")
      const change = changePassword({ currentPassword: person.password, newPassword, address: "train" })
      assert.strictEqual(yield* tagOf(change).pipe(Effect.provideService(CurrentActor, actor)), "ok")
    })
  )
})

/** A wrong or right attempt from one of the places, after this delay. */
const steps = Schema.Array(
  Schema.Struct({
    address: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 })),
    isRight: Schema.Boolean,
    withDevice: Schema.Boolean,
    times: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 })),
    waits: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 * 60 }))
  })
).check(Schema.isMinLength(20), Schema.isMaxLength(60))

layer(TestKit.layer)("the login throttle under random attempts", (it) => {
  it.effect.prop(
    "lets no account fail more than 100 times in any hour",
    { steps },
    ({ steps }) =>
      Effect.gen(function* () {
        const person = yield* givenUser()
        const { deviceToken } = yield* attemptBy(person)
        const failures: Array<number> = []
        for (const { address, isRight, times, waits, withDevice } of steps) {
          yield* TestClock.adjust(Duration.seconds(waits))
          const at = DateTime.toEpochMillis(yield* DateTime.now)
          const tags = yield* Effect.replicateEffect(
            tryBy(person, {
              address: `address ${address}`,
              ...(withDevice && { deviceToken }),
              ...(!isRight && { password: wrong })
            }),
            times
          )
          for (let count = refusals(tags); count > 0; count -= 1) failures.push(at)
        }
        for (const from of failures) {
          assert.isAtMost(failures.filter((at) => at >= from && at < from + 3_600_000).length, 100)
        }
      }),
    { arbitrary: { runs: 25, seed: "tries" }, timeout: 60_000 }
  )
})
