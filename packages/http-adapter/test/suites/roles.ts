import { assert } from "@effect/vitest"
import type { PlanName, Ports, Role } from "@parley/domain"
import { Effect, type Layer } from "effect"
import { type Endpoint, endpoints } from "../harness/contract.ts"
import { type Answer, call } from "../harness/Http.ts"
import { promisedAnswers } from "../harness/promises.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { givenAutomationToken, givenPerson, givenTenant } from "../harness/tenants.ts"

const callers = ["nobody", "token", "viewer", "agent", "admin", "owner"] as const
type Caller = (typeof callers)[number]

const plans: ReadonlyArray<PlanName> = ["free", "growth", "scale"]

/** What a plan lacks it lacks for everybody: the owner asks on each. What comes of role and plan together, the domain's tests ask. */
const plansOf = (caller: Caller): ReadonlyArray<PlanName> => (caller === "owner" ? plans : ["scale"])

const isRole = (caller: Caller): caller is Role => caller !== "nobody" && caller !== "token"

/** What a caller gets from an endpoint on a plan: in an organization of its own, with everything that the request needs. */
const answerTo = Effect.fnUntraced(function* (endpoint: Endpoint, caller: Caller, plan: PlanName) {
  const tenant = yield* givenTenant(plan)
  const person = caller === "owner" || !isRole(caller) ? tenant.owner : yield* givenPerson(tenant.organization, caller)
  const { path, token: _, ...what } = yield* validRequest(endpoint, { tenant, person })
  const token = caller === "token" ? (yield* givenAutomationToken(tenant, [])).token : person.token
  return yield* call(endpoint.method, path, { ...what, ...(caller !== "nobody" && { token }) })
})

const outcomeOf = ({ body, status }: Answer) => {
  if (body.code === "permission_denied") return "no"
  return body.code === "feature_not_in_plan" ? "plan" : String(status)
}

const cellOf = (answers: ReadonlyArray<Answer>) => {
  const outcomes = answers.map(outcomeOf)
  return (new Set(outcomes).size === 1 ? outcomes.slice(0, 1) : outcomes).join(" ")
}

const rowOf = Effect.fnUntraced(function* (endpoint: Endpoint) {
  const cells = yield* Effect.forEach(
    callers,
    (caller) =>
      Effect.forEach(plansOf(caller), (plan) => answerTo(endpoint, caller, plan), { concurrency: "unbounded" }),
    { concurrency: "unbounded" }
  )
  const needed = new Set(
    cells.flat().flatMap(({ body }) => (body.code === "permission_denied" ? [String(body.permission)] : []))
  )
  return [endpoint.id, Array.from(needed).join(" "), ...cells.map(cellOf)].join(" | ")
})

/** What is promised of an endpoint, of those plans that each caller asks on: the last one is the largest. */
const askedOf = (row: string) => {
  const [id = "", permission = "", ...cells] = row.split(" | ")
  const asked = cells.map((cell, place) => (callers[place] === "owner" ? cell : cell.split(" ").at(-1)))
  return [id, permission, ...asked].join(" | ")
}

/** Every endpoint, every role, every plan. */
export const rolesSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect(
      "every endpoint answers every caller, and its owner on every plan, as its area says",
      () =>
        Effect.map(Effect.forEach(endpoints, rowOf), (rows) =>
          assert.deepStrictEqual(rows.toSorted(), promisedAnswers.map(askedOf).toSorted())
        ),
      300_000
    )
  })
