import type { Promised } from "../../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case                       | who may             | plan gate
identity.acceptInvitation      | public              | -
identity.addMember             | operator            | -
identity.adoptAutomationToken  | owners.manage       | -
identity.changeMemberRole      | members.manage      | -
identity.changePassword        | user                | -
identity.createOrganization    | operator            | -
identity.createUser            | operator            | -
identity.getAvailability       | members.read        | -
identity.getMe                 | organization.read   | -
identity.getOrganization       | organization.read   | -
identity.inviteMember          | members.manage      | -
identity.issueAutomationToken  | tokens.manage       | -
identity.linkPasswordReset     | operator            | -
identity.listAutomationTokens  | tokens.manage       | -
identity.listMembers           | members.read        | -
identity.login                 | public              | -
identity.logout                | user                | -
identity.refreshSession        | public              | -
identity.removeMember          | members.manage      | -
identity.requestPasswordReset  | public              | -
identity.resetPassword         | operator            | -
identity.revokeAutomationToken | tokens.manage       | -
identity.rotateSigningKey      | operator            | -
identity.setAvailability       | members.read        | -
identity.setOrganizationPlan   | operator            | -
identity.setOrganizationStatus | operator            | -
identity.setPasswordByLink     | public              | -
identity.setUserStatus         | operator            | -
identity.updateMe              | user                | -
identity.updateOrganization    | organization.manage | -
`,
  access: `
use case                       | stranger | viewer | agent | admin | owner | token | operator
identity.acceptInvitation      | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.addMember             | -        | -      | -     | -     | -     | -     | yes
identity.adoptAutomationToken  | -        | -      | -     | -     | yes   | -     | -
identity.changeMemberRole      | -        | -      | -     | yes   | yes   | yes   | yes
identity.changePassword        | yes      | yes    | yes   | yes   | yes   | -     | -
identity.createOrganization    | -        | -      | -     | -     | -     | -     | yes
identity.createUser            | -        | -      | -     | -     | -     | -     | yes
identity.getAvailability       | -        | -      | -     | yes   | yes   | yes   | yes
identity.getMe                 | -        | yes    | yes   | yes   | yes   | yes   | -
identity.getOrganization       | -        | yes    | yes   | yes   | yes   | yes   | yes
identity.inviteMember          | -        | -      | -     | yes   | yes   | yes   | yes
identity.issueAutomationToken  | -        | -      | -     | yes   | yes   | -     | -
identity.linkPasswordReset     | -        | -      | -     | -     | -     | -     | yes
identity.listAutomationTokens  | -        | -      | -     | yes   | yes   | yes   | yes
identity.listMembers           | -        | yes    | yes   | yes   | yes   | yes   | yes
identity.login                 | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.logout                | yes      | yes    | yes   | yes   | yes   | -     | -
identity.refreshSession        | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.removeMember          | -        | -      | -     | yes   | yes   | yes   | yes
identity.requestPasswordReset  | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.resetPassword         | -        | -      | -     | -     | -     | -     | yes
identity.revokeAutomationToken | -        | -      | -     | yes   | yes   | yes   | yes
identity.rotateSigningKey      | -        | -      | -     | -     | -     | -     | yes
identity.setAvailability       | -        | -      | -     | yes   | yes   | yes   | yes
identity.setOrganizationPlan   | -        | -      | -     | -     | -     | -     | yes
identity.setOrganizationStatus | -        | -      | -     | -     | -     | -     | yes
identity.setPasswordByLink     | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.setUserStatus         | -        | -      | -     | -     | -     | -     | yes
identity.updateMe              | yes      | yes    | yes   | yes   | yes   | -     | -
identity.updateOrganization    | -        | -      | -     | yes   | yes   | yes   | yes
`,
  trails: `
use case                       | audit event                 | event
identity.acceptInvitation      | member.joined               | member.joined
identity.addMember             | member.joined               | member.joined
identity.adoptAutomationToken  | automation_token.adopted    | automation_token.adopted
identity.changeMemberRole      | member.role_changed         | member.role_changed
identity.changePassword        | user.password_changed       | -
identity.createOrganization    | organization.created        | organization.created
identity.createUser            | user.created                | -
identity.inviteMember          | member.invited              | member.invited
identity.issueAutomationToken  | automation_token.issued     | automation_token.issued
identity.linkPasswordReset     | user.password_reset_linked  | -
identity.login                 | session.opened              | -
identity.logout                | session.closed              | -
identity.removeMember          | member.removed              | member.removed
identity.resetPassword         | user.password_reset         | -
identity.revokeAutomationToken | automation_token.revoked    | automation_token.revoked
identity.rotateSigningKey      | signing_key.rotated         | -
identity.setAvailability       | member.availability_changed | member.availability_changed
identity.setOrganizationPlan   | organization.plan_changed   | organization.plan_changed
identity.setOrganizationStatus | organization.status_changed | organization.status_changed
identity.setPasswordByLink     | user.password_reset         | -
identity.setUserStatus         | user.status_changed         | -
identity.updateMe              | user.renamed                | -
identity.updateOrganization    | organization.updated        | organization.updated
`,
  traceless: [
    "identity.getAvailability",
    "identity.getMe",
    "identity.getOrganization",
    "identity.listAutomationTokens",
    "identity.listMembers",
    "identity.refreshSession",
    "identity.requestPasswordReset"
  ],
  withSecrets: [
    "identity.acceptInvitation",
    "identity.changePassword",
    "identity.createUser",
    "identity.inviteMember",
    "identity.issueAutomationToken",
    "identity.linkPasswordReset",
    "identity.login",
    "identity.refreshSession",
    "identity.resetPassword",
    "identity.setPasswordByLink"
  ],
  hiddenEvents: {
    agent: ["automation_token.adopted", "automation_token.issued", "automation_token.revoked"],
    viewer: ["automation_token.adopted", "automation_token.issued", "automation_token.revoked"]
  }
}
