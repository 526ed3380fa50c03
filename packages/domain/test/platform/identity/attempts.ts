import {
  acceptInvitation,
  addMember,
  adoptAutomationToken,
  changeMemberRole,
  changePassword,
  createOrganization,
  createUser,
  getAvailability,
  getMe,
  getOrganization,
  issueAutomationToken,
  issueOperatorToken,
  linkPasswordReset,
  listAutomationTokens,
  listMembers,
  listMyOrganizations,
  listOperatorTokens,
  listPlatformAuditEvents,
  login,
  logout,
  type NewAutomationToken,
  type NewOperatorToken,
  platformOrganizationId,
  refreshSession,
  removeMember,
  requestPasswordReset,
  resetPassword,
  revokeAutomationToken,
  revokeOperatorToken,
  rotateSigningKey,
  setAvailability,
  setOrganizationPlan,
  setOrganizationStatus,
  setPasswordByLink,
  setUserStatus,
  updateMe,
  updateOrganization
} from "@parley/domain/platform"
import { asOperator, asPerson, everybodysPassword, givenMember, givenUser, inviteByLink, signIn } from "@parley/testkit"
import { DateTime, Effect, Redacted } from "effect"
import { asOwner, attempt, firstPage, reads, type Values, type Prepare } from "../../attempting.ts"

const newToken = Effect.map(DateTime.now, (now): NewAutomationToken => ({
  name: "Sync",
  permissions: ["members.read"],
  expiresAt: DateTime.add(now, { days: 1 })
}))

const onUser = (id: string, action: string, before: Values | null = null, after: Values | null = null) => ({
  action,
  target: { kind: "user", id },
  before,
  after,
  event: null
})

const newPassword = Redacted.make("a new password, hard to guess")

const newOperatorToken = Effect.map(DateTime.now, (now): NewOperatorToken => ({
  name: "Billing",
  scopes: ["rate_cards.write"],
  allowedAddresses: ["203.0.113.0/24"],
  expiresAt: DateTime.add(now, { days: 30 })
}))

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "identity.acceptInvitation": (world) =>
    Effect.gen(function* () {
      const email = `invited@${world.organization.id}.test`
      const { invitation, member } = yield* asOwner(world, inviteByLink(email))
      const acceptance = { token: invitation.token, name: "Grace", password: newPassword, address: "here" }
      return attempt(
        acceptInvitation(acceptance),
        ({ user }) => ({
          action: "member.joined",
          target: { kind: "member", id: member.id },
          before: null,
          after: { email },
          event: { type: "member.joined", memberId: member.id, role: "agent" },
          actor: user.id
        }),
        acceptance
      )
    }),
  "identity.addMember": () =>
    Effect.map(givenUser(), ({ user }) =>
      attempt(addMember({ userId: user.id, role: "agent" }), ({ id }) => ({
        action: "member.joined",
        target: { kind: "member", id },
        before: null,
        after: { email: user.email, role: "agent" },
        event: { type: "member.joined", memberId: id, role: "agent" }
      }))
    ),
  "identity.adoptAutomationToken": ({ organization }) =>
    Effect.gen(function* () {
      const issuer = yield* givenMember(organization, "admin")
      const { automationToken } = yield* Effect.flatMap(newToken, issueAutomationToken).pipe(
        asPerson(organization, issuer)
      )
      const { id } = automationToken
      return attempt(adoptAutomationToken({ id }), ({ responsibleUserId }) => ({
        action: "automation_token.adopted",
        target: { kind: "automation_token", id },
        before: { responsibleUserId: issuer.user.id },
        after: { responsibleUserId },
        event: { type: "automation_token.adopted", automationTokenId: id }
      }))
    }).pipe(Effect.orDie),
  "identity.changeMemberRole": ({ organization }) =>
    Effect.map(givenMember(organization, "viewer"), ({ member: { id } }) =>
      attempt(changeMemberRole({ id, role: "agent", ifVersion: 1 }), () => ({
        action: "member.role_changed",
        target: { kind: "member", id },
        before: { role: "viewer" },
        after: { role: "agent" },
        event: { type: "member.role_changed", memberId: id, from: "viewer", to: "agent" }
      }))
    ),
  "identity.changePassword": () => {
    const change = { currentPassword: everybodysPassword, newPassword, address: "here" }
    return Effect.succeed(attempt(changePassword(change), () => onUser("the actor", "user.password_changed"), change))
  },
  "identity.createOrganization": ({ organization }) =>
    Effect.succeed(
      attempt(
        createOrganization({
          name: "Second",
          slug: `second-${organization.id}`,
          plan: "growth",
          timezone: "UTC",
          locale: "en",
          currency: "EUR"
        }),
        ({ id, slug }) => ({
          action: "organization.created",
          target: { kind: "organization", id },
          before: null,
          after: { name: "Second", slug, plan: "growth" },
          place: id,
          event: { type: "organization.created", organizationId: id }
        })
      )
    ),
  "identity.createUser": ({ organization }) => {
    const input = { email: `new@${organization.id}.test`, name: "Grace", password: newPassword }
    return Effect.succeed(
      attempt(
        createUser(input),
        ({ id }) => ({
          ...onUser(id, "user.created", null, { email: input.email, name: "Grace" }),
          place: platformOrganizationId
        }),
        input
      )
    )
  },
  "identity.getAvailability": ({ organization }) =>
    Effect.map(givenMember(organization, "agent"), ({ member: { id } }) => attempt(getAvailability({ id }))),
  "identity.getMe": reads(() => getMe()),
  "identity.listOrganizations": reads(() => listMyOrganizations()),
  "identity.getOrganization": reads(() => getOrganization()),
  "identity.inviteMember": ({ organization }) => {
    const email = `invited@${organization.id}.test`
    return Effect.succeed(
      attempt(inviteByLink(email), ({ member: { id } }) => ({
        action: "member.invited",
        target: { kind: "member", id },
        before: null,
        after: { email, role: "agent", delivery: "link" },
        event: { type: "member.invited", memberId: id, role: "agent" }
      }))
    )
  },
  "identity.issueAutomationToken": () =>
    Effect.map(newToken, (input) =>
      attempt(issueAutomationToken(input), ({ automationToken: { id } }) => ({
        action: "automation_token.issued",
        target: { kind: "automation_token", id },
        before: null,
        after: { name: "Sync", permissions: ["members.read"] },
        event: { type: "automation_token.issued", automationTokenId: id }
      }))
    ),
  "identity.listAutomationTokens": reads(() => listAutomationTokens({ page: firstPage })),
  "identity.listMembers": reads(() => listMembers({ page: firstPage })),
  "identity.login": ({ owner }) => {
    const input = { email: owner.user.email, password: owner.password, organizationId: null, address: "here" }
    return Effect.succeed(
      attempt(login(input), ({ user }) => ({ ...onUser(user.id, "session.opened"), actor: user.id }), input)
    )
  },
  "identity.logout": () => Effect.succeed(attempt(logout(), () => onUser("the actor", "session.closed"))),
  "identity.refreshSession": ({ owner }) =>
    Effect.map(signIn(owner), ({ refreshToken }) =>
      attempt(refreshSession({ refreshToken }), () => null, refreshToken)
    ),
  "identity.removeMember": ({ organization }) =>
    Effect.map(givenMember(organization, "viewer"), ({ member: { email, id } }) =>
      attempt(removeMember({ id }), () => ({
        action: "member.removed",
        target: { kind: "member", id },
        before: { email, role: "viewer" },
        after: null,
        event: { type: "member.removed", memberId: id }
      }))
    ),
  "identity.resetPassword": ({ owner: { user } }) =>
    Effect.succeed(
      attempt(
        resetPassword({ id: user.id, password: newPassword }),
        () => onUser(user.id, "user.password_reset"),
        newPassword
      )
    ),
  "identity.linkPasswordReset": ({ owner: { user } }) =>
    Effect.succeed(attempt(linkPasswordReset({ id: user.id }), () => onUser(user.id, "user.password_reset_linked"))),
  "identity.requestPasswordReset": reads(({ owner: { user } }) =>
    requestPasswordReset({ email: user.email, address: "here" })
  ),
  "identity.setPasswordByLink": (world) =>
    Effect.map(linkPasswordReset({ id: world.owner.user.id }).pipe(asOperator, Effect.orDie), ({ link }) => {
      const input = { token: link.token, password: newPassword, address: "here" }
      return attempt(setPasswordByLink(input), ({ id }) => ({ ...onUser(id, "user.password_reset"), actor: id }), input)
    }),
  "identity.revokeAutomationToken": (world) =>
    Effect.map(asOwner(world, Effect.flatMap(newToken, issueAutomationToken)), ({ automationToken: { id } }) =>
      attempt(revokeAutomationToken({ id }), () => ({
        action: "automation_token.revoked",
        target: { kind: "automation_token", id },
        before: { name: "Sync" },
        after: null,
        event: { type: "automation_token.revoked", automationTokenId: id }
      }))
    ),
  "identity.rotateSigningKey": () =>
    Effect.succeed(
      attempt(rotateSigningKey(), ({ kid }) => ({
        action: "signing_key.rotated",
        target: { kind: "signing_key", id: kid },
        before: null,
        after: null,
        place: platformOrganizationId,
        event: null
      }))
    ),
  "audit.listPlatform": reads(() => listPlatformAuditEvents({ page: firstPage })),
  "identity.issueOperatorToken": () =>
    Effect.map(newOperatorToken, (input) =>
      attempt(issueOperatorToken(input), ({ operatorToken: { id } }) => ({
        action: "operator_token.issued",
        target: { kind: "operator_token", id },
        before: null,
        after: {
          name: input.name,
          scopes: input.scopes,
          allowedAddresses: input.allowedAddresses,
          expiresAt: DateTime.formatIso(input.expiresAt)
        },
        place: platformOrganizationId,
        event: null
      }))
    ),
  "identity.listOperatorTokens": reads(() => listOperatorTokens({ limit: 10, after: null })),
  "identity.revokeOperatorToken": () =>
    Effect.gen(function* () {
      const { operatorToken } = yield* Effect.orDie(asOperator(issueOperatorToken(yield* newOperatorToken)))
      return attempt(revokeOperatorToken({ id: operatorToken.id }), () => ({
        action: "operator_token.revoked",
        target: { kind: "operator_token", id: operatorToken.id },
        before: { name: operatorToken.name },
        after: null,
        place: platformOrganizationId,
        event: null
      }))
    }),
  "identity.setAvailability": ({ organization }) =>
    Effect.map(givenMember(organization, "agent"), ({ member: { id } }) =>
      attempt(setAvailability({ id, status: "away", capacity: 5 }), () => ({
        action: "member.availability_changed",
        target: { kind: "member", id },
        before: { status: "available", capacity: 20 },
        after: { status: "away", capacity: 5 },
        event: { type: "member.availability_changed", memberId: id }
      }))
    ),
  "identity.setOrganizationPlan": ({ organization: { id } }) =>
    Effect.succeed(
      attempt(setOrganizationPlan({ plan: "growth" }), () => ({
        action: "organization.plan_changed",
        target: { kind: "organization", id },
        before: { plan: "scale" },
        after: { plan: "growth" },
        event: { type: "organization.plan_changed", organizationId: id, from: "scale", to: "growth" }
      }))
    ),
  "identity.setOrganizationStatus": ({ organization: { id } }) =>
    Effect.succeed(
      attempt(setOrganizationStatus({ status: "suspended" }), () => ({
        action: "organization.status_changed",
        target: { kind: "organization", id },
        before: { status: "active" },
        after: { status: "suspended" },
        event: { type: "organization.status_changed", organizationId: id, from: "active", to: "suspended" }
      }))
    ),
  "identity.setUserStatus": ({ owner: { user } }) =>
    Effect.succeed(
      attempt(setUserStatus({ id: user.id, status: "disabled" }), () =>
        onUser(user.id, "user.status_changed", { status: "active" }, { status: "disabled" })
      )
    ),
  "identity.updateMe": () =>
    Effect.succeed(
      attempt(updateMe({ name: "Grace" }), () =>
        onUser("the actor", "user.renamed", { name: "Ada Lovelace" }, { name: "Grace" })
      )
    ),
  "identity.updateOrganization": ({ organization: { id } }) =>
    Effect.succeed(
      attempt(updateOrganization({ name: "After", locale: "en", ifVersion: null }), () => ({
        action: "organization.updated",
        target: { kind: "organization", id },
        before: { name: "Before" },
        after: { name: "After" },
        event: { type: "organization.updated", organizationId: id }
      }))
    )
}
