import type { ChatAccounts, ChatNumbers, TemplateFetches } from "./ChatAccounts.ts"
import type { MessageTemplates } from "./MessageTemplates.ts"

/** What a storage adapter provides of this area. */
export type ChatStorage = ChatAccounts | ChatNumbers | MessageTemplates | TemplateFetches
