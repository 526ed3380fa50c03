import { ChatAccounts, ChatNumbers } from "./ChatAccounts.ts"
import { DailyReach } from "./DailyReach.ts"
import { MessageTemplates } from "./MessageTemplates.ts"
import { TemplateFetches } from "./TemplateFetches.ts"

/** The ports that a storage adapter provides of this area. */
export const chatStorage = [ChatAccounts, ChatNumbers, DailyReach, MessageTemplates, TemplateFetches] as const
