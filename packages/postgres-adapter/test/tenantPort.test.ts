import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import {
  CurrentActor,
  CurrentOrganization,
  findOutage,
  NotFound,
  OrganizationId,
  type Tenancy,
  type TenantScoped,
  type Transaction
} from "@parley/domain/kernel"
import { operator } from "@parley/testkit"
import { Cause, Context, Effect, Exit, type Stream } from "effect"
import { SqlError } from "effect/sql"
import { storagePort, type TenantMethods, tenantPort } from "../src/kernel/tenantPort.ts"

class Drawers extends Context.Service<
  Drawers,
  TenantScoped<{
    readonly open: (name: string) => Effect.Effect<string, NotFound>
    readonly fill: (name: string) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/postgres-adapter/test/Drawers") {}

class Keys extends Context.Service<Keys, { readonly count: Effect.Effect<number> }>()(
  "@parley/postgres-adapter/test/Keys"
) {}

const organizationId = OrganizationId.make("0197a0d0-0000-7000-8000-000000000001")

const asTenant = <A, E>(effect: Effect.Effect<A, E, Tenancy>) =>
  effect.pipe(
    Effect.provideService(CurrentOrganization, { id: organizationId }),
    Effect.provideService(CurrentActor, operator)
  )

const lost = new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: new Error("It is lost.") }) })
const wrong = new SqlError.SqlError({ reason: new SqlError.SqlSyntaxError({ cause: new Error("It is wrong.") }) })

const drawers = tenantPort(Drawers, {
  open: Effect.fnUntraced(function* (organization, name) {
    if (name === "missing") return yield* new NotFound({ resource: "drawer" })
    if (name === "lost") return yield* lost
    return yield* name === "wrong" ? wrong : Effect.succeed(`${name} of ${organization.id}`)
  }),
  fill: () => Effect.void
})

const causeOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.exit(effect), (exit) => (Exit.isFailure(exit) ? exit.cause : assert.fail("It succeeded.")))

describe("a storage port", () => {
  it.effect("passes the organization of the caller to its methods", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* asTenant(drawers.open("top")), `top of ${organizationId}`)
    })
  )

  it.effect("keeps the errors of the port", () =>
    Effect.gen(function* () {
      assert.instanceOf(yield* Effect.flip(asTenant(drawers.open("missing"))), NotFound)
    })
  )

  it.effect("turns a lost connection into an outage and a failed statement into a defect", () =>
    Effect.gen(function* () {
      assert.strictEqual(findOutage(yield* causeOf(asTenant(drawers.open("lost"))))?.cause, lost)
      const cause = yield* causeOf(asTenant(drawers.open("wrong")))
      assert.isNull(findOutage(cause))
      assert.deepStrictEqual(cause, Cause.die(wrong))
    })
  )

  it.effect("handles methods without arguments", () =>
    Effect.gen(function* () {
      const { count } = storagePort(Keys, { count: Effect.fail(wrong) })
      assert.deepStrictEqual(yield* causeOf(count), Cause.die(wrong))
    })
  )

  it("keeps the requirements of its methods and rejects methods that return streams", () => {
    expectTypeOf<Effect.Services<ReturnType<typeof drawers.fill>>>().toEqualTypeOf<Tenancy | Transaction>()
    expectTypeOf<TenantMethods<{ readonly read: () => Stream.Stream<number> }>["read"]>().toBeNever()
  })
})
