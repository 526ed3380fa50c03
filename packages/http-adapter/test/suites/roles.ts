import { assert } from "@effect/vitest"
import type { PlanName, Ports, Role } from "@parley/domain"
import { Effect, type Layer } from "effect"
import { type Endpoint, endpoints } from "../harness/contract.ts"
import { type Answer, call } from "../harness/Http.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { givenAutomationToken, givenPerson, givenTenant } from "../harness/tenants.ts"

/**
 * Who may call what. "token" is an automation token without a permission; "no" is a refusal for want of the permission in
 * the second column; three outcomes are those on the plans free, growth and scale.
 */
const expected = `
  sessions.login            |                     | 200 | 200 | 200 | 200 | 200          | 200
  sessions.refresh          |                     | 200 | 200 | 200 | 200 | 200          | 200
  sessions.acceptInvitation |                     | 201 | 201 | 201 | 201 | 201          | 201
  account.logout            | user                | 401 | no  | 204 | 204 | 204          | 204
  account.update            | user                | 401 | no  | 200 | 200 | 200          | 200
  account.changePassword    | user                | 401 | no  | 204 | 204 | 204          | 204
  identity.me               | organization.read   | 401 | no  | 200 | 200 | 200          | 200
  tokens.list               | tokens.manage       | 401 | no  | no  | no  | 200          | 200
  tokens.issue              | tokens.manage       | 401 | no  | no  | no  | 201          | 201
  tokens.revoke             | tokens.manage       | 401 | no  | no  | no  | 204          | 204
  organization.get          | organization.read   | 401 | no  | 200 | 200 | 200          | 200
  organization.update       | organization.manage | 401 | no  | no  | no  | 200          | 200
  organization.entitlements | organization.read   | 401 | no  | 200 | 200 | 200          | 200
  members.list              | members.read        | 401 | no  | 200 | 200 | 200          | 200
  members.invite            | members.manage      | 401 | no  | no  | no  | 201          | 201
  members.changeRole        | members.manage      | 401 | no  | no  | no  | 200          | 200
  members.remove            | members.manage      | 401 | no  | no  | no  | 204          | 204
  automations.list          | automations.read    | 401 | no  | 200 | 200 | 200          | 200
  automations.create        | automations.manage  | 401 | no  | no  | no  | plan 201 201 | plan 201 201
  automations.get           | automations.read    | 401 | no  | 200 | 200 | 200          | 200
  automations.update        | automations.manage  | 401 | no  | no  | no  | plan 200 200 | plan 200 200
  automations.delete        | automations.manage  | 401 | no  | no  | no  | plan 204 204 | plan 204 204
  automations.enable        | automations.manage  | 401 | no  | no  | no  | plan 200 200 | plan 200 200
  automations.disable       | automations.manage  | 401 | no  | no  | no  | plan 200 200 | plan 200 200
  events.list               | events.read         | 401 | no  | no  | 200 | 200          | 200
  audit.list                | audit.read          | 401 | no  | no  | no  | 200          | 200
  docs.handoff              | docs.handoff        | 401 | no  | 200 | 200 | 200          | 200
  docs.exchange             |                     | 200 | 200 | 200 | 200 | 200          | 200
  docs.session              |                     | 401 | 401 | 401 | 401 | 401          | 401
  operations.jwks           |                     | 200 | 200 | 200 | 200 | 200          | 200
  operations.health         |                     | 200 | 200 | 200 | 200 | 200          | 200
  operations.ready          |                     | 200 | 200 | 200 | 200 | 200          | 200`

const callers = ["nobody", "token", "viewer", "agent", "admin", "owner"] as const
type Caller = (typeof callers)[number]

const plans: ReadonlyArray<PlanName> = ["free", "growth", "scale"]

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
    (caller) => Effect.forEach(plans, (plan) => answerTo(endpoint, caller, plan), { concurrency: "unbounded" }),
    { concurrency: "unbounded" }
  )
  const needed = new Set(
    cells.flat().flatMap(({ body }) => (body.code === "permission_denied" ? [String(body.permission)] : []))
  )
  return [endpoint.id, Array.from(needed).join(" "), ...cells.map(cellOf)].join(" | ")
})

const rowsOf = (table: string) =>
  table
    .trim()
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .map((cell) => cell.trim())
        .join(" | ")
    )

/** Every endpoint, every role, every plan: the whole table. */
export const rolesSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect(
      "every endpoint answers every caller on every plan as the table says",
      () => Effect.map(Effect.forEach(endpoints, rowOf), (rows) => assert.deepStrictEqual(rows, rowsOf(expected))),
      60_000
    )
  })
