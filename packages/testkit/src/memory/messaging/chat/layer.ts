import { Layer } from "effect"
import * as ChatAccounts from "./ChatAccounts.ts"
import * as ChatNumbers from "./ChatNumbers.ts"
import * as DailyReach from "./DailyReach.ts"
import * as MessageTemplates from "./MessageTemplates.ts"
import * as TemplateFetches from "./TemplateFetches.ts"

export const layer = Layer.mergeAll(
  ChatAccounts.layer,
  ChatNumbers.layer,
  DailyReach.layer,
  MessageTemplates.layer,
  TemplateFetches.layer
)
