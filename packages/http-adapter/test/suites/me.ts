import { assert } from "@effect/vitest"
import { setOrganizationStatus } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, at, rowsOf } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import {
  givenAutomationToken,
  givenMember,
  givenOrganization,
  givenPerson,
  givenTenant,
  inside,
  type Person
} from "../harness/tenants.ts"

const me = ({ token }: Pick<Person, "token">, organization?: string) =>
  call("GET", "/api/v1/auth/me", { token, organization })

const listOrganizations = ({ token }: Pick<Person, "token">) => call("GET", "/api/v1/auth/organizations", { token })

/** Identity and name of the current user. */
export const meSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("GET /auth/organizations lists the active organizations of the person, with the role in each", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant("growth")
        const second = yield* givenOrganization({ plan: "free" })
        yield* givenMember(second, owner.user)
        const suspended = yield* givenOrganization({ plan: "free" })
        yield* givenMember(suspended, owner.user)
        yield* setOrganizationStatus({ status: "suspended" }).pipe(inside(suspended), Effect.orDie)
        yield* givenOrganization({ plan: "free" })
        const answer = yield* listOrganizations(owner)
        assertStatus(answer, 200)
        const row = ({ id, name, plan, slug }: typeof second, role: string) => ({
          id,
          slug,
          name,
          role,
          plan,
          status: "active"
        })
        const expected = [row(organization, "owner"), row(second, "agent")]
        assert.sameDeepMembers(Array.from(rowsOf(answer)), expected)
      })
    )

    it.effect("GET /auth/organizations refuses automation tokens", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        assertProblem(yield* listOrganizations(yield* givenAutomationToken(tenant, [])), 403, "permission_denied")
      })
    )

    it.effect("it tells the user, the organization, the membership and the entitlements", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant("growth")
        const agent = yield* givenPerson(organization, "agent")
        const answer = yield* me(agent, organization.id)
        assertStatus(answer, 200)
        assert.deepStrictEqual(answer.body, {
          user: {
            id: agent.user.id,
            email: agent.user.email,
            name: agent.user.name,
            avatarUrl: null,
            status: "active",
            emailVerifiedAt: "2026-03-01T10:20:30.123Z",
            createdAt: "2026-03-01T10:20:30.123Z"
          },
          organization: {
            id: organization.id,
            name: organization.name,
            slug: organization.slug,
            plan: "growth",
            timezone: "Europe/Berlin",
            locale: "en",
            currency: "EUR",
            status: "active",
            createdAt: "2026-03-01T10:20:30.123Z",
            version: 1
          },
          membership: {
            role: "agent",
            permissions: [
              "organization.read",
              "members.read",
              "docs.handoff",
              "jobs.read",
              "contacts.read",
              "chat_accounts.read",
              "message_templates.read",
              "conversations.read",
              "broadcasts.read",
              "store_connections.read",
              "commerce.read",
              "analytics.read",
              "automations.read",
              "workflows.read",
              "events.read",
              "jobs.manage",
              "contacts.manage",
              "conversations.manage",
              "broadcasts.manage"
            ]
          },
          entitlements: {
            plan: "growth",
            features: { automations: true, workflows: false, plugins: false },
            limits: {
              seats: { max: 15, used: 2 },
              contacts: { max: 100_000, used: 0 },
              chatAccounts: { max: 5, used: 0 },
              storeConnections: { max: 3, used: 0 },
              webhookSubscriptions: { max: 10, used: 0 },
              plugins: { max: 0, used: 0 },
              automations: { max: 50, used: 0 },
              workflows: { max: 0, used: 0 },
              broadcastRecipientsPerMonth: { max: 250_000, used: 0 }
            }
          }
        })
        assert.strictEqual(at((yield* me(owner, organization.id)).body, "membership", "role"), "owner")
      })
    )

    it.effect("without the header it is about the only organization there is", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const answer = yield* me(owner)
        assertStatus(answer, 200)
        assert.deepStrictEqual(answer.body, (yield* me(owner, organization.id)).body)
      })
    )

    it.effect("a person with several organizations must name one", () =>
      Effect.gen(function* () {
        const first = yield* givenTenant()
        const second = yield* givenOrganization({})
        yield* givenMember(second, first.owner.user, "viewer")
        assertProblem(yield* me(first.owner), 400, "organization_header_missing")
        assert.strictEqual(at((yield* me(first.owner, second.id)).body, "membership", "role"), "viewer")
        assert.strictEqual(at((yield* me(first.owner, first.organization.id)).body, "membership", "role"), "owner")
        yield* setOrganizationStatus({ status: "suspended" }).pipe(inside(second))
        assert.strictEqual(at((yield* me(first.owner)).body, "organization", "id"), first.organization.id)
      })
    )

    it.effect("an automation token shows its permissions and its responsible person", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization, owner } = tenant
        const token = yield* givenAutomationToken(tenant, ["organization.read", "automations.manage"])
        const answer = yield* me(token, organization.id)
        assertStatus(answer, 200)
        assert.deepStrictEqual(at(answer.body, "membership"), {
          role: null,
          permissions: ["organization.read", "automations.manage"]
        })
        assert.strictEqual(at(answer.body, "user", "id"), owner.user.id)
        assertProblem(yield* me(token), 400, "organization_header_missing")
        const blind = yield* givenAutomationToken(tenant, ["automations.read"])
        const refused = yield* me(blind, organization.id)
        assertProblem(refused, 403, "permission_denied")
        assert.strictEqual(refused.body.permission, "organization.read")
      })
    )

    it.effect("a person changes the name they go by, everywhere", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const rename = (body: unknown) => call("PATCH", "/api/v1/auth/me", { token: owner.token, body })
        const renamed = yield* rename({ name: "Zoë 中 🥐" })
        assertStatus(renamed, 200)
        assert.strictEqual(renamed.body.name, "Zoë 中 🥐")
        assert.strictEqual(at((yield* me(owner)).body, "user", "name"), "Zoë 中 🥐")
        const members = yield* call("GET", "/api/v1/members", { token: owner.token, organization: organization.id })
        assert.strictEqual(at(members.body, "data", 0, "name"), "Zoë 中 🥐")
        assert.deepStrictEqual((yield* rename({})).body, renamed.body)
        for (const name of ["", " ", " x", "x ", "a\nb", "a\u0000b", "\ud800", "x".repeat(201), null, 7]) {
          assertProblem(yield* rename({ name }), 400, "validation_failed")
        }
        assertStatus(yield* rename({ name: "x".repeat(200) }), 200)
      })
    )

    it.effect("an automation token has no account to change", () =>
      Effect.gen(function* () {
        const { token } = yield* givenAutomationToken(yield* givenTenant())
        for (const [method, path, body] of [
          ["PATCH", "/api/v1/auth/me", { name: "X" }],
          ["POST", "/api/v1/auth/logout", undefined],
          ["POST", "/api/v1/auth/password", { currentPassword: "x", newPassword: "long enough" }]
        ] as const) {
          const answer = yield* call(method, path, { token, body })
          assertProblem(answer, 403, "permission_denied")
          assert.strictEqual(answer.body.permission, "user")
        }
      })
    )
  })
