import { ChatAccounts, ChatNumbers, TemplateFetches } from "./ChatAccounts.ts"
import { MessageTemplates } from "./MessageTemplates.ts"

/** The ports that a storage adapter provides of this area. */
export const chatStorage = [ChatAccounts, ChatNumbers, MessageTemplates, TemplateFetches] as const
