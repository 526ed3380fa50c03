import { DateTime, Effect } from "effect"
import { idInput, defineArea, defineEventResource, defineEvents, transact } from "../../kernel/index.ts"
import { sweepOrganizations } from "../../platform/background/index.ts"
import { ChatAccountId, ChatAccountView, MessageTemplateId } from "./ChatAccount.ts"
import { ChatAccounts, ChatNumbers } from "./ChatAccounts.ts"
import { DailyRecipients } from "./DailyRecipients.ts"
import { MessageTemplate } from "./MessageTemplate.ts"
import { MessageTemplates } from "./MessageTemplates.ts"
import { ChatEvent } from "./events.ts"
import { refreshNumbers } from "./numberRefresh.ts"
import { chatSealedValues } from "./secrets.ts"
import { restrictionTask } from "./restrictions.ts"
import { RateCards } from "./pricing/RateCards.ts"
import { TemplateSyncs, templateSyncTask } from "./templates/templateSyncTask.ts"
import { getChatAccount } from "./use-cases/chatAccounts.ts"
import { getMessageTemplate } from "./use-cases/messageTemplates.ts"

const chatStorage = [ChatAccounts, ChatNumbers, DailyRecipients, MessageTemplates, RateCards, TemplateSyncs] as const

/** Usage of chat accounts. Removed accounts do not count. */
const chatAccountUsage = {
  limit: "chatAccounts",
  lock: "chat_accounts",
  count: Effect.flatMap(ChatAccounts, (accounts) => accounts.count())
} as const

const sweepDailyRecipients = Effect.gen(function* () {
  yield* transact((yield* DailyRecipients).forget(yield* DateTime.now))
})

/** Background tasks: fetch templates, restore accounts after restrictions, read the state of numbers, and delete daily recipients. */
export const chatTasks = [
  templateSyncTask,
  restrictionTask,
  sweepOrganizations("daily reach", sweepDailyRecipients),
  sweepOrganizations("states of numbers", refreshNumbers, "hourly", 4)
] as const

/** Resources of the events of this area, as returned by GET. */
const chatResources = [
  defineEventResource("chat_account", getChatAccount, ChatAccountView, idInput("chatAccountId", ChatAccountId)),
  defineEventResource(
    "message_template",
    getMessageTemplate,
    MessageTemplate,
    idInput("messageTemplateId", MessageTemplateId)
  )
] as const

export const chatArea = defineArea({
  name: "messaging/chat",
  storage: chatStorage,
  events: defineEvents(ChatEvent, {
    "chat_account.connected": "chat_accounts.read",
    "chat_account.updated": "chat_accounts.read",
    "chat_account.status_changed": "chat_accounts.read",
    "chat_account.removed": "chat_accounts.read",
    "chat_account.notice": "chat_accounts.read",
    "message_template.created": "message_templates.read",
    "message_template.updated": "message_templates.read",
    "message_template.status_changed": "message_templates.read",
    "message_template.category_change_announced": "message_templates.read",
    "message_template.deleted": "message_templates.read"
  }),
  permissions: ["chat_accounts.read", "chat_accounts.manage", "message_templates.read", "message_templates.manage"],
  backgroundTasks: chatTasks,
  limitUses: [chatAccountUsage],
  sealedValues: chatSealedValues,
  eventResources: chatResources
})
