import { assert } from "@effect/vitest"
import type { Role } from "@parley/domain/kernel"
import { changeMemberRole, permissionsOfRole, removeMember, setOrganizationPlan } from "@parley/domain/platform"
import { PhoneNumber } from "@parley/domain/crm"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, textAt } from "../harness/answers.ts"
import { givenReadyBroadcast } from "../harness/campaigns.ts"
import { endpoints, isWebhook } from "../harness/contract.ts"
import { type Answer, call } from "../harness/Http.ts"
import { featureOf, permissionOf } from "../harness/declarations.ts"
import { validRequest, type ValidRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshText,
  givenAutomationToken,
  givenContact,
  givenPerson,
  givenTenant,
  inside,
  type Person,
  type Tenant
} from "../harness/tenants.ts"

const posts = endpoints.flatMap((endpoint) => {
  const permission = permissionOf(endpoint)
  return endpoint.method === "POST" && !isWebhook(endpoint) && permission !== null ? [{ ...endpoint, permission }] : []
})

const gated = posts.filter((endpoint) => featureOf(endpoint) !== null)

const isReplay = ({ headers }: Answer) => headers.get("idempotency-replayed") === "true"

/** Sends the same request with the same key each time. */
const repeated = ({ path, ...what }: ValidRequest) =>
  Effect.map(freshText("key"), (key) =>
    call("POST", path, { ...what, headers: { ...what.headers, "idempotency-key": key } })
  )

const assertSame = (again: Answer, first: Answer) => {
  assert.isTrue(isReplay(again))
  assert.deepStrictEqual([again.status, again.text], [first.status, first.text])
}

const assertWithdrawn = (answer: Answer, reason: string) => {
  assertProblem(answer, 409, "idempotency_answer_withdrawn")
  assert.isFalse(isReplay(answer))
  assert.strictEqual(answer.body.reason, reason)
}

const asRole = ({ organization }: Tenant, { member }: Person, role: Role) =>
  changeMemberRole({ id: member.id, role, ifVersion: null }).pipe(inside(organization), Effect.orDie)

const onPlan = ({ organization }: Tenant, plan: "free" | "scale") =>
  setOrganizationPlan({ plan }).pipe(inside(organization), Effect.orDie)

const phone = "+491701239876"

/** A stored answer is repeated only to a caller that could get it now, and only while its contacts exist. */
export const withdrawnAnswersSuite = <E>(name: string, ports: Layer.Layer<Ports | SqlClient.SqlClient, E>) =>
  overHttp<SqlClient.SqlClient, E>(name, ports, (it) => {
    it.effect.each(posts)("$id repeated after the loss of $permission does not show the first answer", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const person = yield* givenPerson(tenant.organization, "owner")
        const send = yield* repeated(yield* validRequest(endpoint, { tenant, person }))
        const first = yield* send
        assertStatus(first, endpoint.success)
        yield* asRole(tenant, person, "viewer")
        const refused = yield* send
        if (permissionsOfRole("viewer").has(endpoint.permission)) assertWithdrawn(refused, "permission_lost")
        else {
          assertProblem(refused, 403, "permission_denied")
          assert.isFalse(isReplay(refused))
        }
        yield* asRole(tenant, person, "owner")
        assertSame(yield* send, first)
      })
    )

    it.effect.each(gated)("$id repeated on a plan without the feature does not show the first answer", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = yield* repeated(yield* validRequest(endpoint, { tenant, person: tenant.owner }))
        const first = yield* send
        assertStatus(first, endpoint.success)
        yield* onPlan(tenant, "free")
        const refused = yield* send
        assertProblem(refused, 403, "feature_not_in_plan")
        assert.isFalse(isReplay(refused))
        yield* onPlan(tenant, "scale")
        assertSame(yield* send, first)
      })
    )

    it.effect("a former member does not get the first answer", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { member, token } = yield* givenPerson(tenant.organization, "admin")
        const send = yield* repeated({
          path: "/api/v1/automations",
          token,
          organization: tenant.organization.id,
          body: { name: "Greet" }
        })
        assertStatus(yield* send, 201)
        yield* removeMember({ id: member.id }).pipe(inside(tenant.organization))
        assertProblem(yield* send, 403, "organization_forbidden")
      })
    )

    it.effect("a token that can no longer read contacts does not get an answer with their data", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { chatAccountId } = yield* givenReadyBroadcast(tenant.organization)
        yield* givenContact(tenant.organization, {
          phone: PhoneNumber.make(phone),
          consent: { marketing: "subscribed", source: "form", changedAt: null }
        })
        const { automationToken, token } = yield* givenAutomationToken(tenant, ["broadcasts.manage", "contacts.read"])
        const send = yield* repeated({
          path: "/api/v1/broadcasts/audience_preview",
          token,
          organization: tenant.organization.id,
          body: { chatAccountId, audience: {} }
        })
        const first = yield* send
        assert.include(first.text, phone)
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE automation_tokens SET permissions = ARRAY['broadcasts.manage'] WHERE id = ${automationToken.id}`
        // Lookups of tokens are remembered for a moment.
        yield* TestClock.adjust("1 minute")
        const refused = yield* send
        assertWithdrawn(refused, "permission_lost")
        assert.deepStrictEqual(refused.body.missing, ["contacts.read"])
        assert.notInclude(refused.text, phone)
      })
    )

    it.effect("an erasure withdraws answers with data of contacts, and no others", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const what = { token: tenant.owner.token, organization: tenant.organization.id }
        const contacts = { ...what, path: "/api/v1/contacts", body: { name: "Hypatia", phone } }
        const create = yield* repeated(contacts)
        const refuse = yield* repeated(contacts)
        const automate = yield* repeated({ ...what, path: "/api/v1/automations", body: { name: "Greet" } })
        const other = yield* givenTenant()
        const elsewhere = yield* repeated({
          ...contacts,
          token: other.owner.token,
          organization: other.organization.id
        })
        const first = yield* create
        assertStatus(first, 201)
        assertProblem(yield* refuse, 409, "contact_exists")
        const automated = yield* automate
        const theirs = yield* elsewhere
        assertSame(yield* create, first)

        const path = `/api/v1/contacts/${textAt(first, "id")}`
        assertStatus(yield* call("DELETE", `${path}?erase=true`, what), 204)
        for (const answer of [yield* create, yield* refuse]) {
          assertWithdrawn(answer, "contact_erased")
          assert.notInclude(answer.text, phone)
        }
        assertSame(yield* automate, automated)
        assertSame(yield* elsewhere, theirs)
        assertProblem(yield* call("GET", path, what), 404, "not_found")

        const later = yield* repeated(contacts)
        const again = yield* later
        assertStatus(again, 201)
        assertSame(yield* later, again)
      })
    )
  })
