import { assert, layer } from "@effect/vitest"
import {
  createOrganization,
  createUser,
  getOrganization,
  listAuditEvents,
  Organizations,
  setOrganizationPlan,
  setOrganizationStatus,
  updateOrganization
} from "@parley/domain/platform"
import {
  actorOf,
  asOperator,
  asOperatorOf,
  asOwnerOf,
  everybodysPassword,
  givenMember,
  givenOrganization,
  givenUser,
  newOrganizations,
  organizationPatches,
  signIn,
  TestKit
} from "@parley/testkit"
import { Effect, Equal, Exit } from "effect"
import { tagOf } from "../../tagOf.ts"

const updates = {
  actorId: null,
  targetKind: null,
  targetId: null,
  action: "organization.updated",
  from: null,
  to: null
}

layer(TestKit.layer)("an organization", (it) => {
  it.effect.prop("is read as it was created", { input: newOrganizations }, ({ input }) =>
    Effect.gen(function* () {
      const created = yield* givenOrganization(input)
      const { currency, locale, name, plan, status, timezone, version } = yield* getOrganization().pipe(
        asOperatorOf(created)
      )
      assert.deepStrictEqual({ currency, locale, name, plan, timezone }, input)
      assert.deepStrictEqual([status, version], ["active", 1])
    })
  )

  it.effect.prop("keeps what a patch leaves out, and takes the rest", { patch: organizationPatches }, ({ patch }) =>
    Effect.gen(function* () {
      const before = yield* givenOrganization({ plan: "growth" })
      const after = yield* updateOrganization({ ...patch, ifVersion: 1 }).pipe(asOwnerOf(before))
      const settings = ({ currency, id, locale, name, plan, slug, status, timezone }: typeof before) => ({
        currency,
        id,
        locale,
        name,
        plan,
        slug,
        status,
        timezone
      })
      assert.deepStrictEqual(settings(after), { ...settings(before), ...patch })
      const changes = !Equal.equals(settings(after), settings(before))
      assert.strictEqual(after.version, changes ? 2 : 1)
      const { data } = yield* listAuditEvents({ ...updates, page: { limit: 5, cursor: null } }).pipe(asOwnerOf(before))
      assert.lengthOf(data, changes ? 1 : 0)
    })
  )

  it.effect("changes at the expected version only, when one is expected", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const update = (name: string, expected: number | null) => updateOrganization({ name, ifVersion: expected })
      yield* update("After", 1).pipe(asOwnerOf(organization))
      for (const name of ["After", "Later"]) {
        const conflict = yield* Effect.flip(update(name, 1).pipe(asOwnerOf(organization)))
        assert.strictEqual(conflict._tag === "VersionConflict" ? conflict.current : conflict._tag, 2)
      }
      assert.strictEqual((yield* update("Later", null).pipe(asOwnerOf(organization))).version, 3)
    })
  )

  it.effect("has a unique slug", () =>
    Effect.gen(function* () {
      const { slug } = yield* givenOrganization()
      const input = { name: "Second", slug, plan: "free", timezone: "UTC", locale: "en", currency: "EUR" } as const
      const refusal = yield* Effect.flip(asOperator(createOrganization(input)))
      assert.strictEqual(refusal._tag === "SlugTaken" ? refusal.slug : refusal._tag, slug)
    })
  )

  it.effect("changes its plan with immediate effect", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "free" })
      const changed = yield* setOrganizationPlan({ plan: "scale" }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual([changed.plan, changed.version], ["scale", 2])
      assert.strictEqual((yield* getOrganization().pipe(asOwnerOf(organization))).plan, "scale")
    })
  )

  it.effect("keeps all of several concurrent changes", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "free" })
      const real = yield* Organizations
      const slow = Organizations.of({ ...real, current: () => Effect.tap(real.current(), Effect.yieldNow) })
      yield* Effect.all(
        [
          updateOrganization({ name: "After", ifVersion: null }),
          updateOrganization({ locale: "pt-BR", ifVersion: null }),
          setOrganizationPlan({ plan: "scale" }),
          setOrganizationStatus({ status: "suspended" })
        ],
        { concurrency: "unbounded" }
      ).pipe(Effect.provideService(Organizations, slow), asOperatorOf(organization))
      const { locale, name, plan, status, version } = yield* real.current().pipe(asOperatorOf(organization))
      assert.deepStrictEqual([name, locale, plan, status, version], ["After", "pt-BR", "scale", "suspended", 5])
    })
  )

  it.effect("admits no member while suspended, and all members afterwards", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const person = yield* givenMember(organization, "owner")
      yield* setOrganizationStatus({ status: "suspended" }).pipe(asOperatorOf(organization))
      assert.isTrue(Exit.hasDies(yield* Effect.exit(actorOf(person, organization))))
      assert.deepStrictEqual((yield* signIn(person)).affiliations, [])
      yield* setOrganizationStatus({ status: "active" }).pipe(asOperatorOf(organization))
      assert.strictEqual((yield* actorOf(person, organization)).kind, "user")
    })
  )
})

layer(TestKit.layer)("createUser", (it) => {
  it.effect("refuses a used email address", () =>
    Effect.gen(function* () {
      const { user } = yield* givenUser()
      const again = createUser({ email: user.email, name: "Second", password: everybodysPassword })
      const refusal = yield* Effect.flip(asOperator(again))
      assert.strictEqual(refusal._tag === "EmailTaken" ? refusal.email : refusal._tag, user.email)
      assert.strictEqual(
        yield* tagOf(asOperator(createUser({ email: `x${user.email}`, name: "X", password: everybodysPassword }))),
        "ok"
      )
    })
  )
})
