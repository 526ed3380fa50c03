import { Layer } from "effect"
import * as ChatAccounts from "./ChatAccounts.ts"
import * as ChatNumbers from "./ChatNumbers.ts"
import * as DailyRecipients from "./DailyRecipients.ts"
import * as MessageTemplates from "./MessageTemplates.ts"
import * as RateCards from "./RateCards.ts"
import * as TemplateSyncs from "./TemplateSyncs.ts"

export const layer = Layer.mergeAll(
  ChatAccounts.layer,
  ChatNumbers.layer,
  DailyRecipients.layer,
  MessageTemplates.layer,
  RateCards.layer,
  TemplateSyncs.layer
)
