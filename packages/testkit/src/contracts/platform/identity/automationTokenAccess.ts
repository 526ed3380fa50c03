import { assert } from "@effect/vitest"
import { AutomationTokenId, transact } from "@parley/domain/kernel"
import { Accounts, AutomationTokens, Members, Users } from "@parley/domain/platform"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import {
  after,
  freshId,
  givenInvitation,
  givenMember,
  givenOrganization,
  inside,
  newAutomationToken,
  present
} from "../../given.ts"
import { setStatus, justBefore } from "./givenAccess.ts"

const givenToken = Effect.gen(function* () {
  const now = yield* present
  const organization = yield* givenOrganization()
  const { member, user } = yield* givenMember(organization, "owner")
  const token = newAutomationToken(user, now)
  yield* transact((yield* AutomationTokens).insert(token)).pipe(inside(organization))
  const accounts = yield* Accounts
  const access = Effect.map(accounts.tokenAccess(token.id, now), (found) =>
    found === null || found.heldBy === "person" ? found : assert.fail("A plugin holds it.")
  )
  return { accounts, member, now, organization, access, token, user }
})

export const automationTokenAccess: StorageContract = {
  port: "Accounts (automation tokens)",
  promises: (it) => {
    it.effect("returns the access of an automation token", () =>
      Effect.gen(function* () {
        const { accounts, now, organization, access, token, user } = yield* givenToken
        assert.deepStrictEqual(yield* access, {
          heldBy: "person",
          organizationId: organization.id,
          organizationStatus: "active",
          responsibleUserId: user.id,
          responsible: { status: "active", role: "owner" },
          permissions: token.permissions,
          live: true
        })
        assert.isNull(yield* accounts.tokenAccess(freshId(AutomationTokenId), now))
      })
    )

    it.effect("ends the access of an automation token at its end time", () =>
      Effect.gen(function* () {
        const { accounts, access, token } = yield* givenToken
        assert.isTrue((yield* access)?.live)
        assert.isTrue((yield* accounts.tokenAccess(token.id, justBefore(token.expiresAt)))?.live)
        assert.isFalse((yield* accounts.tokenAccess(token.id, token.expiresAt))?.live)
      })
    )

    it.effect("shows the revocation of an automation token and the suspension of its organization directly", () =>
      Effect.gen(function* () {
        const { now, organization, access, token } = yield* givenToken
        assert.isTrue((yield* access)?.live)
        yield* setStatus(organization, "suspended")
        assert.strictEqual((yield* access)?.organizationStatus, "suspended")
        yield* (yield* AutomationTokens).revoke(token.id, now).pipe(transact, inside(organization))
        assert.isFalse((yield* access)?.live)
      })
    )

    it.effect("shows changes of the person responsible for an automation token directly", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const { member, organization, access, user } = yield* givenToken
        const stands = Effect.map(access, (access) => access?.responsible)
        assert.deepStrictEqual(yield* stands, { status: "active", role: "owner" })
        yield* members.setRole(member.id, "viewer", null).pipe(transact, inside(organization))
        assert.deepStrictEqual(yield* stands, { status: "active", role: "viewer" })
        yield* transact((yield* Users).setStatus(user.id, "disabled"))
        assert.deepStrictEqual(yield* stands, { status: "disabled", role: "viewer" })
        yield* members.remove(member.id).pipe(transact, inside(organization))
        assert.deepStrictEqual(yield* stands, { status: "disabled", role: null })
      })
    )

    it.effect("shows a new responsible person of an automation token directly", () =>
      Effect.gen(function* () {
        const { now, organization, access, token } = yield* givenToken
        const adopter = yield* givenMember(organization, "admin")
        assert.notStrictEqual((yield* access)?.responsibleUserId, adopter.user.id)
        yield* (yield* AutomationTokens).adopt(token.id, adopter.user.id, now).pipe(transact, inside(organization))
        const { responsible, responsibleUserId } = (yield* access) ?? assert.fail("There is no token.")
        assert.deepStrictEqual([responsibleUserId, responsible.role], [adopter.user.id, "admin"])
      })
    )

    it.effect("ignores memberships elsewhere and invitations for a token's organization", () =>
      Effect.gen(function* () {
        const { member, now, organization, access, user } = yield* givenToken
        yield* (yield* Members).remove(member.id).pipe(transact, inside(organization))
        yield* givenMember(yield* givenOrganization(), "owner", user)
        yield* givenInvitation(organization, after(now, "7 days"), { email: user.email, role: "owner" })
        assert.isNull((yield* access)?.responsible.role)
      })
    )
  }
}

/** Checks an adapter against the contract of the access of automation tokens. */
export const automationTokenAccessContract = runContract(automationTokenAccess)
