import { defineArea, seenWith } from "../../kernel/index.ts"
import { ChatEvent } from "./Events.ts"
import { chatSealedValues } from "./secrets.ts"
import { chatStorage } from "./Storage.ts"
import { chatAccountUse } from "./usage.ts"
import { chatWorks } from "./work.ts"
import { chatResources } from "./eventResources.ts"

/** What this area says of itself. */
export const chatArea = defineArea({
  name: "messaging/chat",
  storage: chatStorage,
  events: seenWith(ChatEvent, {
    "chat_account.connected": "chat_accounts.read",
    "chat_account.updated": "chat_accounts.read",
    "chat_account.status_changed": "chat_accounts.read",
    "chat_account.removed": "chat_accounts.read",
    "message_template.created": "message_templates.read",
    "message_template.updated": "message_templates.read",
    "message_template.status_changed": "message_templates.read",
    "message_template.deleted": "message_templates.read"
  }),
  permissions: ["chat_accounts.read", "chat_accounts.manage", "message_templates.read", "message_templates.manage"],
  works: chatWorks,
  limitUses: [chatAccountUse],
  sealedValues: chatSealedValues,
  eventResources: chatResources
})
