import { assert } from "@effect/vitest"
import type { PlanName } from "@parley/domain/kernel"
import { setOrganizationPlan } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { type Endpoint, endpoints } from "../harness/contract.ts"
import { type Caller, callers, expectedAnswer, expectedPermissions, isRole } from "../harness/expectedAnswers.ts"
import { type Answer, call } from "../harness/Http.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { givenAutomationToken, givenPerson, givenTenant, inside } from "../harness/tenants.ts"

const plans: ReadonlyArray<PlanName> = ["free", "growth", "scale"]

/**
 * A feature outside the plan is missing for all roles, so only the owner calls on each plan. The domain tests cover the combinations of role and
 * plan.
 */
const plansOf = (caller: Caller): ReadonlyArray<PlanName> => (caller === "owner" ? plans : ["scale"])

/** The answer of an endpoint to a caller on a plan, in a separate organization with all data that the request needs. */
const answerTo = Effect.fnUntraced(function* (endpoint: Endpoint, caller: Caller, plan: PlanName) {
  const tenant = yield* givenTenant()
  const person = caller === "owner" || !isRole(caller) ? tenant.owner : yield* givenPerson(tenant.organization, caller)
  const { path, token: _, ...what } = yield* validRequest(endpoint, { tenant, person })
  // The data of some requests needs the features of the largest plan.
  yield* Effect.orDie(setOrganizationPlan({ plan }).pipe(inside(tenant.organization)))
  const token = caller === "token" ? (yield* givenAutomationToken(tenant, [])).token : person.token
  return yield* call(endpoint.method, path, { ...what, ...(caller !== "nobody" && { token }) })
})

const outcomeOf = ({ body, status }: Answer) => {
  if (body.code === "permission_denied") return "no"
  return body.code === "feature_not_in_plan" ? "plan" : String(status)
}

/** Answers of an endpoint that differ from the expected ones. */
const differencesOf = Effect.fnUntraced(function* (endpoint: Endpoint) {
  const cells = yield* Effect.forEach(
    callers.flatMap((caller) => plansOf(caller).map((plan) => ({ caller, plan }))),
    ({ caller, plan }) =>
      Effect.map(answerTo(endpoint, caller, plan), (answer) => ({
        caller,
        plan,
        observed: outcomeOf(answer),
        expected: expectedAnswer(endpoint, caller, plan),
        permission: answer.body.code === "permission_denied" ? String(answer.body.permission) : null
      })),
    { concurrency: "unbounded" }
  )
  const named = Array.from(new Set(cells.flatMap(({ permission }) => permission ?? []))).toSorted()
  const expectedNames = expectedPermissions(endpoint).toSorted()
  return [
    ...cells
      .filter(({ expected, observed }) => expected !== observed)
      .map((cell) => ({ endpoint: endpoint.id, ...cell })),
    ...(named.join() === expectedNames.join() ? [] : [{ endpoint: endpoint.id, named, expectedNames }])
  ]
})

/** Every endpoint, every role, every plan. */
export const rolesSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect(
      "every endpoint answers each caller as declaration, role and plan say",
      () =>
        Effect.map(Effect.forEach(endpoints, differencesOf), (differences) =>
          assert.deepStrictEqual(differences.flat(), [])
        ),
      300_000
    )
  })
