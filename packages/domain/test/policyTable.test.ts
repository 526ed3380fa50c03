import { assert, it } from "@effect/vitest"
import { type Access } from "@parley/domain"
import { asTable, useCases } from "./useCases.ts"

const accessOf = (access: Access) => (typeof access === "string" ? access : access.permission)

const table = asTable([
  ["use case", "who may", "plan gate"],
  ...useCases.map(({ useCase: { access, gatedBy, name } }) => [name, accessOf(access), gatedBy ?? "-"])
])

const expected = `
use case                       | who may             | plan gate
audit.list                     | audit.read          | -
automation.create              | automations.manage  | automations
automation.delete              | automations.manage  | automations
automation.disable             | automations.manage  | automations
automation.enable              | automations.manage  | automations
automation.get                 | automations.read    | -
automation.list                | automations.read    | -
automation.update              | automations.manage  | automations
docsHandoff.exchange           | public              | -
docsHandoff.getSession         | public              | -
docsHandoff.handOff            | docs.handoff        | -
entitlements.get               | organization.read   | -
events.list                    | events.read         | -
identity.acceptInvitation      | public              | -
identity.addMember             | operator            | -
identity.changeMemberRole      | members.manage      | -
identity.changePassword        | user                | -
identity.createOrganization    | operator            | -
identity.createUser            | operator            | -
identity.getMe                 | organization.read   | -
identity.getOrganization       | organization.read   | -
identity.inviteMember          | members.manage      | -
identity.issueAutomationToken  | tokens.manage       | -
identity.listAutomationTokens  | tokens.manage       | -
identity.listMembers           | members.read        | -
identity.login                 | public              | -
identity.logout                | user                | -
identity.refreshSession        | public              | -
identity.removeMember          | members.manage      | -
identity.resetPassword         | operator            | -
identity.revokeAutomationToken | tokens.manage       | -
identity.rotateSigningKey      | operator            | -
identity.setOrganizationPlan   | operator            | -
identity.setOrganizationStatus | operator            | -
identity.setUserStatus         | operator            | -
identity.updateMe              | user                | -
identity.updateOrganization    | organization.manage | -
`.trim()

it("declares who may run each use case, and which of them a plan may lack", ({ annotate }) => {
  assert.strictEqual(table, expected, `\n${table}\n`)
  return annotate(`\n${table}`).then(() => undefined)
})

it("names each use case once", () => {
  const names = useCases.map(({ useCase }) => useCase.name)
  assert.deepStrictEqual(names, Array.from(new Set(names)))
})
