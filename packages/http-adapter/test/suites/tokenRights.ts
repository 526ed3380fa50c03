import { assert } from "@effect/vitest"
import {
  type AutomationTokenId,
  CurrentActor,
  CurrentOrganization,
  type Permission,
  type Role
} from "@parley/domain/kernel"
import {
  addMember,
  adoptAutomationToken,
  changeMemberRole,
  permissionsOfRole,
  removeMember,
  revokeAutomationToken,
  setOrganizationPlan,
  setOrganizationStatus,
  setUserStatus
} from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, rowsOf } from "../harness/answers.ts"
import { type Call, call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshText,
  givenAutomationToken,
  givenPerson,
  givenTenant,
  inside,
  operating,
  type Person,
  signedInAnew,
  type Tenant
} from "../harness/tenants.ts"

const issued = [
  "organization.read",
  "members.read",
  "members.manage",
  "audit.read",
  "contacts.manage",
  "automations.manage"
] as const satisfies ReadonlyArray<Permission>

/** A token that a member issued, and an owner who can adopt it. */
export interface IssuedToken {
  readonly tenant: Tenant
  readonly issuer: Person
  readonly owner: Person
  readonly tokenId: AutomationTokenId
  readonly caller: Required<Pick<Call, "token" | "organization">>
}

/** A tenant with a token that a member with the role issued. */
export const givenIssuedToken = Effect.fnUntraced(function* (role: Role) {
  const tenant = yield* givenTenant()
  const issuer = yield* givenPerson(tenant.organization, role)
  const owner = yield* givenPerson(tenant.organization, "owner")
  const { automationToken, token } = yield* givenAutomationToken({ ...tenant, owner: issuer }, issued)
  return {
    tenant,
    issuer,
    owner,
    tokenId: automationToken.id,
    caller: { token, organization: tenant.organization.id }
  } satisfies IssuedToken
})

type Step = (given: IssuedToken) => Effect.Effect<unknown, { readonly _tag: string }, Ports>

const inTenant =
  <A, E extends { readonly _tag: string }>(
    effect: (given: IssuedToken) => Effect.Effect<A, E, Ports | CurrentActor | CurrentOrganization>
  ): Step =>
  (given) =>
    effect(given).pipe(inside(given.tenant.organization))

const demoted = (role: Role) =>
  inTenant(({ issuer }) => changeMemberRole({ id: issuer.member.id, role, ifVersion: null }))
const removed = inTenant(({ issuer }) => removeMember({ id: issuer.member.id }))
const backAs = (role: Role) => inTenant(({ issuer }) => addMember({ userId: issuer.user.id, role }))
const account =
  (status: "active" | "disabled"): Step =>
  ({ issuer }) =>
    setUserStatus({ id: issuer.user.id, status }).pipe(operating)
const revoked = inTenant(({ tokenId }) => revokeAutomationToken({ id: tokenId }))
const onPlan = inTenant(() => setOrganizationPlan({ plan: "free" }))
const suspended = inTenant(() => setOrganizationStatus({ status: "suspended" }))
const ownerDemoted = (role: Role) =>
  inTenant(({ owner }) => changeMemberRole({ id: owner.member.id, role, ifVersion: null }))
const ownerRemoved = inTenant(({ owner }) => removeMember({ id: owner.member.id }))
const ownerDisabled: Step = ({ owner }) => setUserStatus({ id: owner.user.id, status: "disabled" }).pipe(operating)

const adopted: Step = ({ owner, tenant, tokenId }) =>
  adoptAutomationToken({ id: tokenId }).pipe(
    Effect.provideService(CurrentOrganization, { id: tenant.organization.id }),
    Effect.provideService(CurrentActor, {
      kind: "user",
      userId: owner.user.id,
      sessionId: owner.sessionId,
      role: "owner",
      permissions: permissionsOfRole("owner")
    })
  )

/** One way to lose rights, or to get them back, and what the token may do afterwards. */
interface Row {
  readonly issuer: Role
  readonly what: string
  readonly steps: ReadonlyArray<Step>
  /** What comes of reading the organization, the members and the trail, of a new tag, an automation and the availability of another member. */
  readonly answers: string
  /** The token as shown in the list; `null` if no member can list it. */
  readonly listed: string | null
}

const all = "200 200 200 201 201 200"
const asAgent = "200 200 permission_denied 201 permission_denied permission_denied"
const asViewer = "200 200 permission_denied permission_denied permission_denied permission_denied"
const nothing = (code: string) => Array.from({ length: 6 }, () => code).join(" ")
const over = nothing("token_revoked")

/** Every way to lose rights, and back. */
export const waysToLoseRights: ReadonlyArray<Row> = [
  { issuer: "owner", what: "nothing happened", steps: [], answers: all, listed: "active" },
  { issuer: "admin", what: "nothing happened", steps: [], answers: all, listed: "active" },
  { issuer: "owner", what: "demoted to admin", steps: [demoted("admin")], answers: all, listed: "active" },
  { issuer: "owner", what: "demoted to agent", steps: [demoted("agent")], answers: asAgent, listed: "active" },
  { issuer: "owner", what: "demoted to viewer", steps: [demoted("viewer")], answers: asViewer, listed: "active" },
  { issuer: "admin", what: "demoted to agent", steps: [demoted("agent")], answers: asAgent, listed: "active" },
  { issuer: "admin", what: "demoted to viewer", steps: [demoted("viewer")], answers: asViewer, listed: "active" },
  {
    issuer: "admin",
    what: "demoted and promoted again",
    steps: [demoted("viewer"), demoted("admin")],
    answers: all,
    listed: "active"
  },
  { issuer: "admin", what: "promoted", steps: [demoted("owner")], answers: all, listed: "active" },
  { issuer: "owner", what: "removed", steps: [removed], answers: over, listed: "suspended responsible_left" },
  { issuer: "admin", what: "removed", steps: [removed], answers: over, listed: "suspended responsible_left" },
  {
    issuer: "admin",
    what: "removed, and back as a viewer",
    steps: [removed, backAs("viewer")],
    answers: asViewer,
    listed: "active"
  },
  { issuer: "admin", what: "removed, and back", steps: [removed, backAs("admin")], answers: all, listed: "active" },
  {
    issuer: "admin",
    what: "disabled everywhere",
    steps: [account("disabled")],
    answers: over,
    listed: "suspended responsible_disabled"
  },
  {
    issuer: "admin",
    what: "disabled and removed",
    steps: [account("disabled"), removed],
    answers: over,
    listed: "suspended responsible_disabled"
  },
  {
    issuer: "admin",
    what: "disabled, and let in again",
    steps: [account("disabled"), account("active")],
    answers: all,
    listed: "active"
  },
  {
    issuer: "admin",
    what: "the organization is suspended",
    steps: [suspended],
    answers: nothing("organization_suspended"),
    listed: null
  },
  {
    issuer: "admin",
    what: "the plan got smaller",
    steps: [onPlan],
    answers: "200 200 200 201 feature_not_in_plan 200",
    listed: "active"
  },
  { issuer: "admin", what: "revoked", steps: [revoked], answers: over, listed: "revoked" },
  {
    issuer: "admin",
    what: "adopted, then the issuer is demoted",
    steps: [adopted, demoted("viewer")],
    answers: all,
    listed: "active"
  },
  {
    issuer: "admin",
    what: "adopted, then the issuer is removed",
    steps: [adopted, removed],
    answers: all,
    listed: "active"
  },
  {
    issuer: "admin",
    what: "adopted, then the issuer is disabled",
    steps: [adopted, account("disabled")],
    answers: all,
    listed: "active"
  },
  { issuer: "admin", what: "removed, then adopted", steps: [removed, adopted], answers: all, listed: "active" },
  {
    issuer: "admin",
    what: "disabled, then adopted",
    steps: [account("disabled"), adopted],
    answers: all,
    listed: "active"
  },
  {
    issuer: "admin",
    what: "demoted, then adopted",
    steps: [demoted("viewer"), adopted],
    answers: all,
    listed: "active"
  },
  {
    issuer: "admin",
    what: "adopted, then the adopter is demoted",
    steps: [adopted, ownerDemoted("agent")],
    answers: asAgent,
    listed: "active"
  },
  {
    issuer: "admin",
    what: "adopted, then the adopter is removed",
    steps: [adopted, ownerRemoved],
    answers: over,
    listed: "suspended responsible_left"
  },
  {
    issuer: "admin",
    what: "adopted, then the adopter is disabled",
    steps: [adopted, ownerDisabled],
    answers: over,
    listed: "suspended responsible_disabled"
  },
  { issuer: "admin", what: "adopted, then revoked", steps: [adopted, revoked], answers: over, listed: "revoked" }
]

/** Answers to one call for each permission of the token. */
export const tryAll = Effect.fnUntraced(function* ({ caller, tenant }: IssuedToken) {
  const name = yield* freshText("tag")
  const answers = yield* Effect.all([
    call("GET", "/api/v1/organization", caller),
    call("GET", "/api/v1/members", caller),
    call("GET", "/api/v1/audit_events", caller),
    call("POST", "/api/v1/tags", { ...caller, body: { name } }),
    call("POST", "/api/v1/automations", { ...caller, body: { name } }),
    call("PUT", `/api/v1/members/${tenant.owner.member.id}/availability`, { ...caller, body: { status: "available" } })
  ])
  return answers.map(({ body, status }) => (status < 400 ? status : String(body.code))).join(" ")
})

const listedAs = Effect.fnUntraced(function* ({ tenant, tokenId }: IssuedToken) {
  const list = yield* call("GET", "/api/v1/auth/tokens", {
    token: tenant.owner.token,
    organization: tenant.organization.id
  })
  const row = rowsOf(list).find((row) => at(row, "id") === tokenId)
  return [at(row, "status"), at(row, "suspendedBecause")].filter((word) => word !== null).join(" ")
})

const adopt = ({ tenant, tokenId }: IssuedToken, { token }: Pick<Person, "token">) =>
  call("POST", `/api/v1/auth/tokens/${tokenId}/adopt`, { token, organization: tenant.organization.id })

/** Automation tokens after the responsible member loses permissions. */
export const tokenRightsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(waysToLoseRights)("a token of the $issuer: $what", ({ answers, issuer, listed, steps }) =>
      Effect.gen(function* () {
        const given = yield* givenIssuedToken(issuer)
        for (const step of steps) yield* step(given)
        assert.strictEqual(yield* tryAll(given), answers)
        if (listed !== null) assert.strictEqual(yield* listedAs(given), listed)
      })
    )

    it.effect("a token grants no role with a permission that it lacks", () =>
      Effect.gen(function* () {
        const { caller, tenant } = yield* givenIssuedToken("owner")
        const agent = yield* givenPerson(tenant.organization, "agent")
        for (const role of ["admin", "agent", "viewer"]) {
          const body = { email: `${yield* freshText("new")}@new.test`, role, delivery: "link" }
          assertProblem(yield* call("POST", "/api/v1/members", { ...caller, body }), 403, "permission_denied")
        }
        const promoted = yield* call("PATCH", `/api/v1/members/${agent.member.id}`, {
          ...caller,
          body: { role: "admin" }
        })
        assertProblem(promoted, 403, "permission_denied")
      })
    )

    it.effect("a token without effect lists its missing permissions, and the list says that it lacks all", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const admin = yield* givenPerson(tenant.organization, "admin")
        const { token } = yield* givenAutomationToken({ ...tenant, owner: admin }, ["audit.read"])
        yield* changeMemberRole({ id: admin.member.id, role: "viewer", ifVersion: null }).pipe(
          inside(tenant.organization)
        )
        const organization = tenant.organization.id
        const denied = yield* call("GET", "/api/v1/audit_events", { token, organization })
        assertProblem(denied, 403, "permission_denied")
        assert.strictEqual(denied.body.permission, "audit.read")
        const [row] = rowsOf(yield* call("GET", "/api/v1/auth/tokens", { token: tenant.owner.token, organization }))
        assert.deepStrictEqual(
          [at(row, "status"), at(row, "suspendedBecause"), at(row, "effectivePermissions"), at(row, "permissions")],
          ["suspended", "permissions_lost", [], ["audit.read"]]
        )
      })
    )

    it.effect("the refusal says why, and who can help", () =>
      Effect.gen(function* () {
        const given = yield* givenIssuedToken("admin")
        const read = call("GET", "/api/v1/organization", given.caller)
        yield* removed(given)
        const left = yield* read
        assertProblem(left, 401, "token_revoked")
        assert.deepStrictEqual(
          [left.body.reason, left.body.detail],
          [
            "responsible_left",
            "The responsible user of this automation token has left the organization. An owner can adopt the token."
          ]
        )
        yield* account("disabled")(given)
        assert.strictEqual((yield* read).body.reason, "responsible_disabled")
        yield* revoked(given)
        assert.notProperty((yield* read).body, "reason")
      })
    )

    it.effect("only an owner adopts a token of any issuer, and no token does", () =>
      Effect.gen(function* () {
        const given = yield* givenIssuedToken("admin")
        for (const caller of [given.issuer, yield* givenPerson(given.tenant.organization, "agent")]) {
          const refused = yield* adopt(given, caller)
          assertProblem(refused, 403, "permission_denied")
          assert.strictEqual(refused.body.permission, "owners.manage")
        }
        const every = yield* givenAutomationToken(given.tenant)
        const byToken = yield* adopt(given, every)
        assertProblem(byToken, 403, "permission_denied")
        assert.strictEqual(byToken.body.permission, "user")
        const answer = yield* adopt(given, given.owner)
        assertStatus(answer, 200)
        assert.deepStrictEqual(
          [answer.body.createdBy, answer.body.responsibleUserId, answer.body.adoptedAt, answer.body.status],
          [given.issuer.user.id, given.owner.user.id, "2026-03-01T10:20:30.123Z", "active"]
        )
        const me = yield* call("GET", "/api/v1/auth/me", given.caller)
        assert.strictEqual(at(me.body, "user", "id"), given.owner.user.id)
      })
    )

    it.effect("repeated adoption succeeds without an event, and another owner can take over", () =>
      Effect.gen(function* () {
        const given = yield* givenIssuedToken("admin")
        const organization = given.tenant.organization.id
        const first = yield* adopt(given, given.owner)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual((yield* adopt(given, given.owner)).body, first.body)
        const second = yield* adopt(given, given.tenant.owner)
        assert.strictEqual(second.body.responsibleUserId, given.tenant.owner.user.id)
        const trail = yield* call("GET", `/api/v1/audit_events?action=automation_token.adopted`, {
          token: given.tenant.owner.token,
          organization
        })
        assert.deepStrictEqual(
          rowsOf(trail).map((row) => [at(row, "before"), at(row, "after")]),
          [
            [{ responsibleUserId: given.owner.user.id }, { responsibleUserId: given.tenant.owner.user.id }],
            [{ responsibleUserId: given.issuer.user.id }, { responsibleUserId: given.owner.user.id }]
          ]
        )
      })
    )

    it.effect("ended and unknown tokens are not adopted", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenIssuedToken("admin"), yield* givenIssuedToken("admin")]
        assertProblem(yield* adopt(one, other.owner), 403, "organization_forbidden")
        assertProblem(yield* adopt({ ...one, tokenId: other.tokenId }, one.owner), 404, "not_found")
        yield* revoked(one)
        assertProblem(yield* adopt(one, one.owner), 409, "automation_token_inactive")
        yield* TestClock.adjust("30 days")
        assert.strictEqual(yield* listedAs({ ...other, tenant: yield* signedInAnew(other.tenant) }), "expired")
      })
    )
  })
