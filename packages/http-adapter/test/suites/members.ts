import { assert } from "@effect/vitest"
import type { PlanName, Role } from "@parley/domain/kernel"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, at, idsOf, rowsOf, textAt, whenNotBusy } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenInvitation, givenPerson, givenTenant, type Person, type Tenant } from "../harness/tenants.ts"

const as = ({ organization }: Tenant, { token }: Pick<Person, "token">) => ({ token, organization: organization.id })

const invite = (tenant: Tenant, by: Person, email: string, role: Role = "agent") =>
  call("POST", "/api/v1/members", { ...as(tenant, by), body: { email, role, delivery: "link" } })

const setRole = (tenant: Tenant, by: Person, id: string, role: Role) =>
  call("PATCH", `/api/v1/members/${id}`, { ...as(tenant, by), body: { role } })

const remove = (tenant: Tenant, by: Person, id: string) => call("DELETE", `/api/v1/members/${id}`, as(tenant, by))

const list = (tenant: Tenant, by: Person) => call("GET", "/api/v1/members?limit=100", as(tenant, by))

/** The people of an organization. */
export const membersSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("an invitation takes a seat and shows its link once", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const email = `${yield* freshId}@new.test`
        const answer = yield* invite(tenant, tenant.owner, ` ${email.toUpperCase()} `, "viewer")
        assertStatus(answer, 201)
        const id = textAt(answer, "member", "id")
        const member = {
          id,
          userId: null,
          email,
          name: null,
          role: "viewer",
          status: "invited",
          invitedAt: "2026-03-01T10:20:30.123Z",
          joinedAt: null,
          version: 1
        }
        assert.deepStrictEqual(answer.body.member, member)
        const token = textAt(answer, "invitation", "token")
        assert.match(token, /^[A-Za-z0-9_-]{43}$/)
        assert.deepStrictEqual(answer.body.invitation, {
          delivery: "link",
          token,
          url: `http://parley.test/invitations/accept#token=${token}`,
          expiresAt: "2026-03-08T10:20:30.123Z"
        })
        const listed = yield* list(tenant, tenant.owner)
        assert.deepStrictEqual(rowsOf(listed)[1], member)
        assert.notInclude(listed.text, token)
      })
    )

    it.effect("an invitation is mailed unless its link is requested, which only the requester sees", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const email = `${yield* freshId}@new.test`
        const answer = yield* call("POST", "/api/v1/members", {
          ...as(tenant, tenant.owner),
          body: { email, role: "agent" }
        })
        assertStatus(answer, 201)
        assert.deepStrictEqual(answer.body.invitation, { delivery: "mail", expiresAt: "2026-03-08T10:20:30.123Z" })
      })
    )

    it.effect("an address is a member once, and the answer says which", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const agent = yield* givenPerson(tenant.organization)
        const { member } = yield* givenInvitation(tenant.organization)
        for (const [email, id] of [
          [agent.user.email, agent.member.id],
          [member.email.toUpperCase(), member.id],
          [tenant.owner.user.email, tenant.owner.member.id]
        ] as const) {
          const answer = yield* invite(tenant, tenant.owner, email)
          assertProblem(answer, 409, "member_exists")
          assert.strictEqual(answer.body.memberId, id)
        }
        const elsewhere = yield* givenTenant()
        assertStatus(yield* invite(elsewhere, elsewhere.owner, agent.user.email), 201)
      })
    )

    it.effect.each([
      "",
      "x",
      "a@b",
      "a@b.",
      "@b.example",
      "a b@c.example",
      "a@b@c.example",
      `${"a".repeat(65)}@b.example`,
      "a\u0000@b.example"
    ])("%j is no e-mail address", (email) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        assertProblem(yield* invite(tenant, tenant.owner, email), 400, "validation_failed")
      })
    )

    it.effect.each([
      { plan: "free", seats: 3 },
      { plan: "growth", seats: 15 }
    ] as const)(
      "the plan $plan has $seats seats, invitations among them",
      ({ plan, seats }: { plan: PlanName; seats: number }) =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant(plan)
          const ids: Array<string> = []
          for (let taken = 1; taken < seats; taken++) {
            const answer = yield* invite(tenant, tenant.owner, `${yield* freshId}@new.test`)
            assertStatus(answer, 201)
            ids.push(textAt(answer, "member", "id"))
          }
          const full = yield* invite(tenant, tenant.owner, `${yield* freshId}@new.test`)
          assertProblem(full, 403, "plan_limit_reached")
          const { current, limit, max } = full.body
          assert.deepStrictEqual({ current, limit, max }, { current: seats, limit: "seats", max: seats })
          assertStatus(yield* remove(tenant, tenant.owner, String(ids[0])), 204)
          assertStatus(yield* invite(tenant, tenant.owner, `${yield* freshId}@new.test`), 201)
        })
    )

    it.effect("many concurrent invitations never exceed the seats", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const answers = yield* Effect.forEach(
          Array.from({ length: 20 }),
          () => Effect.flatMap(freshId, (id) => whenNotBusy(invite(tenant, tenant.owner, `${id}@new.test`))),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 201),
          2
        )
        for (const answer of answers.filter(({ status }) => status !== 201)) {
          assertProblem(answer, 403, "plan_limit_reached")
        }
        assert.lengthOf(rowsOf(yield* list(tenant, tenant.owner)), 3)
      })
    )

    it.effect("a role change takes effect directly and increases the version", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const agent = yield* givenPerson(tenant.organization)
        assertProblem(yield* invite(tenant, agent, `${yield* freshId}@new.test`), 403, "permission_denied")
        const answer = yield* setRole(tenant, tenant.owner, agent.member.id, "admin")
        assertStatus(answer, 200)
        assert.deepStrictEqual([answer.body.role, answer.body.version], ["admin", 2])
        assertStatus(yield* invite(tenant, agent, `${yield* freshId}@new.test`), 201)
      })
    )

    it.effect("a removed member has no access directly, and can be invited again", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const agent = yield* givenPerson(tenant.organization)
        assertStatus(yield* list(tenant, agent), 200)
        assertStatus(yield* remove(tenant, tenant.owner, agent.member.id), 204)
        assertProblem(yield* list(tenant, agent), 403, "organization_forbidden")
        assertProblem(yield* remove(tenant, tenant.owner, agent.member.id), 404, "not_found")
        assertStatus(yield* invite(tenant, tenant.owner, agent.user.email), 201)
      })
    )

    it.effect("the last owner neither goes nor steps down", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { owner } = tenant
        yield* givenInvitation(tenant.organization, { role: "owner" })
        assertProblem(yield* remove(tenant, owner, owner.member.id), 409, "last_owner")
        assertProblem(yield* setRole(tenant, owner, owner.member.id, "admin"), 409, "last_owner")
        const second = yield* givenPerson(tenant.organization, "owner")
        assertStatus(yield* setRole(tenant, owner, owner.member.id, "admin"), 200)
        assertProblem(yield* remove(tenant, second, second.member.id), 409, "last_owner")
      })
    )

    it.effect("of two owners who leave at the same time, one stays", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const second = yield* givenPerson(tenant.organization, "owner")
        const answers = yield* Effect.forEach(
          [tenant.owner, second],
          (person) => whenNotBusy(remove(tenant, person, person.member.id)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [204, 409])
      })
    )

    it.effect("only an owner makes, changes or removes an owner", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const admin = yield* givenPerson(tenant.organization, "admin")
        const agent = yield* givenPerson(tenant.organization, "agent")
        for (const refused of [
          yield* invite(tenant, admin, `${yield* freshId}@new.test`, "owner"),
          yield* setRole(tenant, admin, agent.member.id, "owner"),
          yield* setRole(tenant, admin, admin.member.id, "owner"),
          yield* setRole(tenant, admin, tenant.owner.member.id, "viewer"),
          yield* remove(tenant, admin, tenant.owner.member.id)
        ]) {
          assertProblem(refused, 403, "permission_denied")
          assert.strictEqual(refused.body.permission, "owners.manage")
        }
        assertStatus(yield* setRole(tenant, tenant.owner, agent.member.id, "owner"), 200)
      })
    )

    it.effect("members are listed oldest first", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const agent = yield* givenPerson(tenant.organization)
        const { member } = yield* givenInvitation(tenant.organization)
        assert.deepStrictEqual(idsOf(yield* list(tenant, agent)), [tenant.owner.member.id, agent.member.id, member.id])
        assert.strictEqual(at((yield* list(tenant, agent)).body, "nextCursor"), null)
      })
    )
  })
