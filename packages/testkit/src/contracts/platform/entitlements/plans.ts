import { assert } from "@effect/vitest"
import { type PlanName, transact } from "@parley/domain/kernel"
import { Organization, Organizations, Plans } from "@parley/domain/platform"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenOrganization, inside } from "../../given.ts"

const current = Effect.flatMap(Plans, (plans) => plans.current())

const put = (plan: PlanName) =>
  Effect.gen(function* () {
    const organizations = yield* Organizations
    const organization = yield* organizations.current()
    yield* organizations.save(new Organization({ ...organization, plan }), null)
  }).pipe(transact)

export const plans: StorageContract = {
  port: "Plans",
  promises: (it) => {
    it.effect("keeps one tenant's plan out of another's", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization({ plan: "scale" }), yield* givenOrganization({ plan: "growth" })]
        assert.strictEqual(yield* current.pipe(inside(one)), "scale")
        assert.strictEqual(yield* current.pipe(inside(other)), "growth")
        yield* put("free").pipe(inside(one))
        assert.strictEqual(yield* current.pipe(inside(other)), "growth")
      })
    )

    it.effect("shows a plan change directly", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          assert.strictEqual(yield* current, "free")
          for (const plan of ["growth", "scale", "free"] as const) {
            yield* put(plan)
            assert.strictEqual(yield* current, plan)
          }
        }).pipe(inside(yield* givenOrganization({ plan: "free" })))
      })
    )

    it.effect("remembers nothing of a unit of work that failed", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          assert.strictEqual(yield* current, "free")
          const within = yield* put("scale").pipe(
            Effect.andThen(current),
            Effect.flatMap((plan) => Effect.fail(plan)),
            transact,
            Effect.flip
          )
          assert.strictEqual(within, "scale")
          assert.strictEqual(yield* current, "free")
        }).pipe(inside(yield* givenOrganization({ plan: "free" })))
      })
    )
  }
}

export const plansContract = runContract(plans)
