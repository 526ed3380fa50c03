import { assert, layer } from "@effect/vitest"
import { AutomationTokenId, type OrganizationId, Permission } from "@parley/domain/kernel"
import {
  authorize,
  AutomationTokens,
  issueAutomationToken,
  listAutomationTokens,
  listMembers,
  type NewAutomationToken,
  type Organization,
  revokeAutomationToken,
  setOrganizationStatus,
  TokenSigner
} from "@parley/domain/platform"
import { createAutomation } from "@parley/domain/automation"
import { actingIn, asAdminOf, asOperatorOf, asOwnerOf, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Duration, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../../tagOf.ts"

const input = (life: Duration.Input, ...permissions: ReadonlyArray<Permission>) =>
  Effect.map(DateTime.now, (now): NewAutomationToken => ({
    name: "Nightly sync",
    permissions: ["members.read", ...permissions],
    expiresAt: DateTime.addDuration(now, life)
  }))

const issue = (organization: Organization, life: Duration.Input = "1 day", ...permissions: ReadonlyArray<Permission>) =>
  Effect.flatMap(input(life, ...permissions), issueAutomationToken).pipe(asOwnerOf(organization))

const admission = Effect.fnUntraced(function* (token: Redacted.Redacted, organizationId: OrganizationId | null) {
  const claims = yield* (yield* TokenSigner).verify(token, ["automation"])
  if (claims.use !== "automation") return yield* Effect.die(new Error("This is no automation token."))
  return yield* authorize(claims, organizationId)
})

layer(TestKit.layer)("automation tokens", (it) => {
  it.effect("act in their organization with their permissions, and no others", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const { automationToken, token } = yield* issue(organization)
      const { actor, organizationId } = yield* admission(token, organization.id)
      assert.strictEqual(organizationId, organization.id)
      assert.deepStrictEqual(actor.kind === "token" ? [actor.tokenId, Array.from(actor.permissions)] : actor.kind, [
        automationToken.id,
        ["members.read"]
      ])
      const asToken = actingIn(organization, actor)
      assert.strictEqual(yield* tagOf(listMembers({ page: { limit: 1, cursor: null } }).pipe(asToken)), "ok")
      assert.strictEqual(yield* tagOf(createAutomation({ name: "X" }).pipe(asToken)), "PermissionDenied")
    })
  )

  it.effect("act nowhere else", () =>
    Effect.gen(function* () {
      const [organization, other] = [yield* givenOrganization(), yield* givenOrganization()]
      const { token } = yield* issue(organization)
      assert.strictEqual(yield* tagOf(admission(token, other.id)), "OrganizationForbidden")
    })
  )

  it.effect("get no permission that their maker lacks", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const all = yield* input("1 day", ...Permission.literals)
      const refusal = yield* Effect.flip(issueAutomationToken(all).pipe(asAdminOf(organization)))
      assert.strictEqual(refusal._tag === "PermissionDenied" ? refusal.permission : refusal._tag, "owners.manage")
      const { automationToken } = yield* issueAutomationToken(all).pipe(asOwnerOf(organization))
      assert.sameMembers(Array.from(automationToken.permissions), Array.from(Permission.literals))
    })
  )

  it.effect("hold each permission once", () =>
    Effect.gen(function* () {
      const { automationToken } = yield* issue(yield* givenOrganization(), "1 day", "members.read", "audit.read")
      assert.deepStrictEqual(Array.from(automationToken.permissions), ["members.read", "audit.read"])
    })
  )

  it.effect("make no further tokens with any permission", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { token } = yield* issue(organization, "1 day", "tokens.manage")
      const { actor } = yield* admission(token, organization.id)
      const again = Effect.flatMap(input("1 day"), issueAutomationToken).pipe(actingIn(organization, actor))
      const refusal = yield* Effect.flip(again)
      assert.strictEqual(refusal._tag === "PermissionDenied" ? refusal.permission : refusal._tag, "user")
    })
  )

  it.effect("end in the future, and within 366 days", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const fault = (life: Duration.Input) =>
        Effect.map(Effect.flip(issue(organization, life)), (error) =>
          error._tag === "ValidationFailed" ? error.errors.map(({ pointer }) => pointer) : error._tag
        )
      assert.deepStrictEqual(yield* fault(0), ["/expiresAt"])
      assert.deepStrictEqual(yield* fault(Duration.sum(Duration.days(366), Duration.millis(1))), ["/expiresAt"])
      assert.strictEqual(yield* tagOf(issue(organization, 1)), "ok")
      assert.strictEqual(yield* tagOf(issue(organization, "366 days")), "ok")
      const now = yield* DateTime.now
      const past = { ...(yield* input("1 day")), expiresAt: DateTime.subtract(now, { seconds: 1 }) }
      assert.strictEqual(yield* tagOf(issueAutomationToken(past).pipe(asOwnerOf(organization))), "ValidationFailed")
    })
  )

  it.effect("are over when their time is", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { token } = yield* issue(organization, "1 day")
      assert.strictEqual(yield* tagOf(admission(token, organization.id)), "ok")
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* tagOf(admission(token, organization.id)), "TokenExpired")
    })
  )

  it.effect("end directly on revocation, which can be repeated", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { automationToken, token } = yield* issue(organization)
      const revoke = revokeAutomationToken({ id: automationToken.id }).pipe(asOwnerOf(organization))
      yield* revoke
      assert.strictEqual(yield* tagOf(admission(token, organization.id)), "TokenRevoked")
      assert.strictEqual(yield* tagOf(revoke), "ok")
    })
  )

  it.effect("of another organization are out of reach", () =>
    Effect.gen(function* () {
      const [organization, other] = [yield* givenOrganization(), yield* givenOrganization()]
      const { automationToken, token } = yield* issue(organization)
      const revoke = (id: AutomationTokenId) => tagOf(revokeAutomationToken({ id }).pipe(asOwnerOf(other)))
      assert.strictEqual(yield* revoke(automationToken.id), "NotFound")
      assert.strictEqual(yield* revoke(AutomationTokenId.make("01990000-0000-7000-8000-00000000dead")), "NotFound")
      assert.strictEqual(yield* tagOf(admission(token, organization.id)), "ok")
      const seen = yield* listAutomationTokens({ page: { limit: 10, cursor: null } }).pipe(asOwnerOf(other))
      assert.deepStrictEqual(seen.data, [])
    })
  )

  it.effect("do nothing while their organization is suspended", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { token } = yield* issue(organization)
      yield* setOrganizationStatus({ status: "suspended" }).pipe(asOperatorOf(organization))
      assert.strictEqual(yield* tagOf(admission(token, organization.id)), "OrganizationSuspended")
      yield* setOrganizationStatus({ status: "active" }).pipe(asOperatorOf(organization))
      assert.strictEqual(yield* tagOf(admission(token, organization.id)), "ok")
    })
  )

  it.effect("are listed newest first, with their last use, and without themselves", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const [first, second] = [yield* issue(organization), yield* issue(organization)]
      const now = yield* DateTime.now
      yield* (yield* AutomationTokens).touch(first.automationToken.id, now).pipe(asOperatorOf(organization))
      const list = listAutomationTokens({ page: { limit: 10, cursor: null } }).pipe(asOwnerOf(organization))
      const { data } = yield* list
      assert.deepStrictEqual(
        data.map(({ id, lastUsedAt }) => [id, lastUsedAt && DateTime.formatIso(lastUsedAt)]),
        [
          [second.automationToken.id, null],
          [first.automationToken.id, DateTime.formatIso(now)]
        ]
      )
      for (const { token } of [first, second]) assert.notInclude(JSON.stringify(data), Redacted.value(token))
    })
  )
})
