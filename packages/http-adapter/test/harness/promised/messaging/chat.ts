import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint                               | needs                    | nobody | token | viewer | agent | admin | owner
chatAccounts.list                      | chat_accounts.read       | 401    | no    | 200    | 200   | 200   | 200
chatAccounts.create                    | chat_accounts.manage     | 401    | no    | no     | no    | 201   | 201
chatAccounts.get                       | chat_accounts.read       | 401    | no    | 200    | 200   | 200   | 200
chatAccounts.update                    | chat_accounts.manage     | 401    | no    | no     | no    | 200   | 200
chatAccounts.delete                    | chat_accounts.manage     | 401    | no    | no     | no    | 204   | 204
chatAccounts.check                     | chat_accounts.manage     | 401    | no    | no     | no    | 200   | 200
chatAccounts.rotateSecret              | chat_accounts.manage     | 401    | no    | no     | no    | 200   | 200
chatAccounts.platformApp               | chat_accounts.read       | 401    | no    | 200    | 200   | 200   | 200
chatAccounts.connectThroughPlatformApp | chat_accounts.manage     | 401    | no    | no     | no    | 201   | 201
messageTemplates.list                  | message_templates.read   | 401    | no    | 200    | 200   | 200   | 200
messageTemplates.create                | message_templates.manage | 401    | no    | no     | no    | 201   | 201
messageTemplates.get                   | message_templates.read   | 401    | no    | 200    | 200   | 200   | 200
messageTemplates.update                | message_templates.manage | 401    | no    | no     | no    | 200   | 200
messageTemplates.delete                | message_templates.manage | 401    | no    | no     | no    | 204   | 204
messageTemplates.submit                | message_templates.manage | 401    | no    | no     | no    | 200   | 200
messageTemplates.preview               | message_templates.read   | 401    | no    | 200    | 200   | 200   | 200
messageTemplates.sync                  | message_templates.manage | 401    | no    | no     | no    | 200   | 200
`,
  trails: {
    "chatAccounts.create": "chat_account.connected",
    "chatAccounts.update": "chat_account.updated",
    "chatAccounts.delete": "chat_account.removed",
    "chatAccounts.check": "chat_account.checked",
    "chatAccounts.rotateSecret": "chat_account.secret_rotated",
    "chatAccounts.connectThroughPlatformApp": "chat_account.connected",
    "messageTemplates.create": "message_template.created",
    "messageTemplates.update": "message_template.updated",
    "messageTemplates.delete": "message_template.deleted",
    "messageTemplates.submit": "message_template.submitted",
    "messageTemplates.preview": null,
    "messageTemplates.sync": "message_templates.synced"
  }
}
