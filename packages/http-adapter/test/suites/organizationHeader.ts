import { assert } from "@effect/vitest"
import { setOrganizationStatus } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, withoutRequest } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshId,
  givenAutomationToken,
  givenPerson,
  givenTenant,
  givenUser,
  inside,
  signIn
} from "../harness/tenants.ts"

/** Whom an organization lets in. */
export const organizationHeaderSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("another tenant's organization and an unknown one give the same answer", () =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        const other = yield* givenTenant()
        const get = (organization: string) => call("GET", "/api/v1/organization", { token: owner.token, organization })
        const foreign = yield* get(other.organization.id)
        assertProblem(foreign, 403, "organization_forbidden")
        assert.deepStrictEqual(withoutRequest(foreign), withoutRequest(yield* get(yield* freshId)))
      })
    )

    it.effect("a suspended organization is closed to its members, and no stranger learns of it", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization, owner } = tenant
        const stranger = yield* givenTenant()
        const { token } = yield* givenAutomationToken(tenant)
        const get = (by: typeof token) =>
          call("GET", "/api/v1/organization", { token: by, organization: organization.id })
        const before = yield* get(stranger.owner.token)
        yield* setOrganizationStatus({ status: "suspended" }).pipe(inside(organization))
        assertProblem(yield* get(owner.token), 403, "organization_suspended")
        assertProblem(yield* get(token), 403, "organization_suspended")
        assert.deepStrictEqual(withoutRequest(yield* get(stranger.owner.token)), withoutRequest(before))
        yield* setOrganizationStatus({ status: "active" }).pipe(inside(organization))
        assertStatus(yield* get(owner.token), 200)
      })
    )

    it.effect("a person without any organization is a stranger everywhere", () =>
      Effect.gen(function* () {
        const { token } = yield* signIn(yield* givenUser({}))
        const { organization } = yield* givenTenant()
        assertProblem(
          yield* call("GET", "/api/v1/organization", { token, organization: organization.id }),
          403,
          "organization_forbidden"
        )
        assertProblem(yield* call("GET", "/api/v1/auth/me", { token }), 403, "organization_forbidden")
      })
    )

    it.effect("a member who has yet to accept is a stranger", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const elsewhere = yield* givenTenant()
        const person = yield* givenPerson(elsewhere.organization)
        const invited = yield* call("POST", "/api/v1/members", {
          token: owner.token,
          organization: organization.id,
          body: { email: person.user.email, role: "admin" }
        })
        assertStatus(invited, 201)
        const answer = yield* call("GET", "/api/v1/organization", {
          token: person.token,
          organization: organization.id
        })
        assertProblem(answer, 403, "organization_forbidden")
      })
    )
  })
