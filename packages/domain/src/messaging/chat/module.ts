import { DateTime, Effect } from "effect"
import { idArgument, defineArea, defineEventResource, defineEvents, transact } from "../../kernel/index.ts"
import { sweepOrganizations } from "../../platform/background/index.ts"
import { ChatAccountId, ChatAccountView, MessageTemplateId } from "./ChatAccount.ts"
import { ChatAccounts, ChatNumbers } from "./ChatAccounts.ts"
import { DailyRecipients } from "./DailyRecipients.ts"
import { MessageTemplate } from "./MessageTemplate.ts"
import { MessageTemplates } from "./MessageTemplates.ts"
import { ChatEvent } from "./events.ts"
import { chatSealedValues } from "./secrets.ts"
import { TemplateSyncs, templateSyncTask } from "./templates/templateSyncTask.ts"
import { getChatAccount } from "./use-cases/chatAccounts.ts"
import { getMessageTemplate } from "./use-cases/messageTemplates.ts"

/** The ports that a storage adapter provides of this area. */
const chatStorage = [ChatAccounts, ChatNumbers, DailyRecipients, MessageTemplates, TemplateSyncs] as const

/** Chat accounts that were removed take no room. */
const chatAccountUsage = {
  limit: "chatAccounts",
  lock: "chat_accounts",
  count: Effect.flatMap(ChatAccounts, (accounts) => accounts.count())
} as const

const sweepDailyRecipients = Effect.gen(function* () {
  yield* transact((yield* DailyRecipients).forget(yield* DateTime.now))
})

/** Templates that have changed at the provider are fetched, and whom a business wrote to more than a day ago is forgotten. */
export const chatTasks = [templateSyncTask, sweepOrganizations("daily reach", sweepDailyRecipients)] as const

/** The resources of the events of this area, as GET answers them. */
const chatResources = [
  defineEventResource("chat_account", getChatAccount, ChatAccountView, idArgument("chatAccountId", ChatAccountId)),
  defineEventResource(
    "message_template",
    getMessageTemplate,
    MessageTemplate,
    idArgument("messageTemplateId", MessageTemplateId)
  )
] as const

/** What this area says of itself. */
export const chatArea = defineArea({
  name: "messaging/chat",
  storage: chatStorage,
  events: defineEvents(ChatEvent, {
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
  works: chatTasks,
  limitUses: [chatAccountUsage],
  sealedValues: chatSealedValues,
  eventResources: chatResources
})
