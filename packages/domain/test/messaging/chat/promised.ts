import type { Promised } from "../../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case                  | who may                  | plan gate
chatAccounts.check        | chat_accounts.manage     | -
chatAccounts.connect      | chat_accounts.manage     | -
chatAccounts.get          | chat_accounts.read       | -
chatAccounts.list         | chat_accounts.read       | -
chatAccounts.platformApp  | chat_accounts.read       | -
chatAccounts.remove       | chat_accounts.manage     | -
chatAccounts.reseal       | operator                 | -
chatAccounts.rotateSecret | chat_accounts.manage     | -
chatAccounts.signUp       | chat_accounts.manage     | -
chatAccounts.update       | chat_accounts.manage     | -
messageTemplates.create   | message_templates.manage | -
messageTemplates.delete   | message_templates.manage | -
messageTemplates.get      | message_templates.read   | -
messageTemplates.list     | message_templates.read   | -
messageTemplates.preview  | message_templates.read   | -
messageTemplates.submit   | message_templates.manage | -
messageTemplates.sync     | message_templates.manage | -
messageTemplates.update   | message_templates.manage | -
`,
  access: `
use case                  | stranger | viewer | agent | admin | owner | token | operator
chatAccounts.check        | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.connect      | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.get          | -        | yes    | yes   | yes   | yes   | yes   | yes
chatAccounts.list         | -        | yes    | yes   | yes   | yes   | yes   | yes
chatAccounts.platformApp  | -        | yes    | yes   | yes   | yes   | yes   | yes
chatAccounts.remove       | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.reseal       | -        | -      | -     | -     | -     | -     | yes
chatAccounts.rotateSecret | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.signUp       | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.update       | -        | -      | -     | yes   | yes   | yes   | yes
messageTemplates.create   | -        | -      | -     | yes   | yes   | yes   | yes
messageTemplates.delete   | -        | -      | -     | yes   | yes   | yes   | yes
messageTemplates.get      | -        | yes    | yes   | yes   | yes   | yes   | yes
messageTemplates.list     | -        | yes    | yes   | yes   | yes   | yes   | yes
messageTemplates.preview  | -        | yes    | yes   | yes   | yes   | yes   | yes
messageTemplates.submit   | -        | -      | -     | yes   | yes   | yes   | yes
messageTemplates.sync     | -        | -      | -     | yes   | yes   | yes   | yes
messageTemplates.update   | -        | -      | -     | yes   | yes   | yes   | yes
`,
  trails: `
use case                  | audit event                 | event
chatAccounts.check        | chat_account.checked        | chat_account.updated
chatAccounts.connect      | chat_account.connected      | chat_account.connected
chatAccounts.remove       | chat_account.removed        | chat_account.removed
chatAccounts.reseal       | chat_account.resealed       | -
chatAccounts.rotateSecret | chat_account.secret_rotated | chat_account.updated
chatAccounts.signUp       | chat_account.connected      | chat_account.connected
chatAccounts.update       | chat_account.updated        | chat_account.updated
messageTemplates.create   | message_template.created    | message_template.created
messageTemplates.delete   | message_template.deleted    | message_template.deleted
messageTemplates.submit   | message_template.submitted  | message_template.status_changed
messageTemplates.sync     | message_templates.synced    | message_template.created
messageTemplates.update   | message_template.updated    | message_template.updated
`,
  traceless: [
    "chatAccounts.get",
    "chatAccounts.list",
    "chatAccounts.platformApp",
    "messageTemplates.get",
    "messageTemplates.list",
    "messageTemplates.preview"
  ],
  withSecrets: ["chatAccounts.connect", "chatAccounts.signUp", "chatAccounts.update"]
}
