import { assert, it } from "@effect/vitest"
import { type Access } from "@parley/domain"
import { asTable, useCases } from "./useCases.ts"

const accessOf = (access: Access) => (typeof access === "string" ? access : access.permission)

const table = asTable([
  ["use case", "who may", "plan gate"],
  ...useCases.map(({ useCase: { access, gatedBy, name } }) => [name, accessOf(access), gatedBy ?? "-"])
])

const expected = `
use case                       | who may                  | plan gate
audit.list                     | audit.read               | -
automation.create              | automations.manage       | automations
automation.delete              | automations.manage       | automations
automation.disable             | automations.manage       | automations
automation.enable              | automations.manage       | automations
automation.get                 | automations.read         | -
automation.list                | automations.read         | -
automation.update              | automations.manage       | automations
cannedReplies.create           | conversations.manage     | -
cannedReplies.delete           | conversations.manage     | -
cannedReplies.list             | conversations.read       | -
cannedReplies.update           | conversations.manage     | -
chatAccounts.check             | chat_accounts.manage     | -
chatAccounts.connect           | chat_accounts.manage     | -
chatAccounts.get               | chat_accounts.read       | -
chatAccounts.list              | chat_accounts.read       | -
chatAccounts.platformApp       | chat_accounts.read       | -
chatAccounts.remove            | chat_accounts.manage     | -
chatAccounts.reseal            | operator                 | -
chatAccounts.rotateSecret      | chat_accounts.manage     | -
chatAccounts.signUp            | chat_accounts.manage     | -
chatAccounts.update            | chat_accounts.manage     | -
chatWebhooks.receive           | public                   | -
chatWebhooks.receiveForAccount | public                   | -
chatWebhooks.verify            | public                   | -
contactFields.create           | contact_fields.manage    | -
contactFields.delete           | contact_fields.manage    | -
contactFields.list             | contacts.read            | -
contactFields.update           | contact_fields.manage    | -
contacts.change                | contacts.manage          | -
contacts.create                | contacts.manage          | -
contacts.delete                | contacts.manage          | -
contacts.dismissDuplicate      | contacts.manage          | -
contacts.dropFile              | contacts.import          | -
contacts.erase                 | contacts.erase           | -
contacts.export                | contacts.export          | -
contacts.exportOne             | contacts.export          | -
contacts.get                   | contacts.read            | -
contacts.getImport             | contacts.import          | -
contacts.import                | contacts.import          | -
contacts.list                  | contacts.read            | -
contacts.listDuplicates        | contacts.read            | -
contacts.merge                 | contacts.manage          | -
contacts.readImportFaults      | contacts.import          | -
contacts.receiveFile           | contacts.import          | -
contacts.tag                   | contacts.manage          | -
contacts.timeline              | contacts.read            | -
contacts.unmerge               | contacts.manage          | -
contacts.untag                 | contacts.manage          | -
contacts.update                | contacts.manage          | -
contacts.upsertByPhone         | contacts.manage          | -
conversations.assign           | conversations.manage     | -
conversations.change           | conversations.manage     | -
conversations.count            | conversations.read       | -
conversations.get              | conversations.read       | -
conversations.list             | conversations.read       | -
conversations.open             | conversations.manage     | -
conversations.read             | conversations.manage     | -
conversations.reopen           | conversations.manage     | -
conversations.resolve          | conversations.manage     | -
conversations.snooze           | conversations.manage     | -
conversations.update           | conversations.manage     | -
deliveries.list                | operator                 | -
deliveries.park                | operator                 | -
deliveries.replay              | operator                 | -
deliveries.show                | operator                 | -
docsHandoff.exchange           | public                   | -
docsHandoff.getSession         | public                   | -
docsHandoff.handOff            | docs.handoff             | -
entitlements.get               | organization.read        | -
events.follow                  | events.read              | -
events.list                    | events.read              | -
identity.acceptInvitation      | public                   | -
identity.addMember             | operator                 | -
identity.adoptAutomationToken  | owners.manage            | -
identity.changeMemberRole      | members.manage           | -
identity.changePassword        | user                     | -
identity.createOrganization    | operator                 | -
identity.createUser            | operator                 | -
identity.getMe                 | organization.read        | -
identity.getOrganization       | organization.read        | -
identity.inviteMember          | members.manage           | -
identity.issueAutomationToken  | tokens.manage            | -
identity.linkPasswordReset     | operator                 | -
identity.listAutomationTokens  | tokens.manage            | -
identity.listMembers           | members.read             | -
identity.login                 | public                   | -
identity.logout                | user                     | -
identity.refreshSession        | public                   | -
identity.removeMember          | members.manage           | -
identity.requestPasswordReset  | public                   | -
identity.resetPassword         | operator                 | -
identity.revokeAutomationToken | tokens.manage            | -
identity.rotateSigningKey      | operator                 | -
identity.setOrganizationPlan   | operator                 | -
identity.setOrganizationStatus | operator                 | -
identity.setPasswordByLink     | public                   | -
identity.setUserStatus         | operator                 | -
identity.updateMe              | user                     | -
identity.updateOrganization    | organization.manage      | -
jobs.cancel                    | jobs.manage              | -
jobs.get                       | jobs.read                | -
jobs.list                      | jobs.read                | -
media.drop                     | conversations.manage     | -
media.keep                     | conversations.manage     | -
media.read                     | conversations.read       | -
media.receive                  | conversations.manage     | -
media.upload                   | conversations.manage     | -
messageTemplates.create        | message_templates.manage | -
messageTemplates.delete        | message_templates.manage | -
messageTemplates.get           | message_templates.read   | -
messageTemplates.list          | message_templates.read   | -
messageTemplates.preview       | message_templates.read   | -
messageTemplates.submit        | message_templates.manage | -
messageTemplates.sync          | message_templates.manage | -
messageTemplates.update        | message_templates.manage | -
messages.get                   | conversations.read       | -
messages.list                  | conversations.read       | -
messages.retry                 | conversations.manage     | -
messages.send                  | conversations.manage     | -
notes.create                   | conversations.manage     | -
notes.delete                   | conversations.manage     | -
notes.list                     | conversations.read       | -
notes.update                   | conversations.manage     | -
operations.showWorkers         | operator                 | -
segments.create                | contacts.manage          | -
segments.delete                | contacts.manage          | -
segments.get                   | contacts.read            | -
segments.list                  | contacts.read            | -
segments.update                | contacts.manage          | -
subscribers.forget             | operator                 | -
subscribers.list               | operator                 | -
subscribers.listParked         | operator                 | -
subscribers.replayParked       | operator                 | -
subscribers.rewind             | operator                 | -
subscribers.skipParked         | operator                 | -
suppressions.reseal            | operator                 | -
tags.create                    | contacts.manage          | -
tags.delete                    | contacts.manage          | -
tags.get                       | contacts.read            | -
tags.list                      | contacts.read            | -
tags.merge                     | contacts.manage          | -
tags.update                    | contacts.manage          | -
`.trim()

it("declares who may run each use case, and which of them a plan may lack", ({ annotate }) => {
  assert.strictEqual(table, expected, `\n${table}\n`)
  return annotate(`\n${table}`).then(() => undefined)
})

it("names each use case once", () => {
  const names = useCases.map(({ useCase }) => useCase.name)
  assert.deepStrictEqual(names, Array.from(new Set(names)))
})
