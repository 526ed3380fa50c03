import { chatAccounts } from "./chatAccounts.ts"
import { dailyRecipients } from "./dailyRecipients.ts"
import { messageTemplates } from "./messageTemplates.ts"
import { platformAppNumbers } from "./platformAppNumbers.ts"
import { rateCards } from "./rateCards.ts"
import { removedChatAccounts } from "./removedChatAccounts.ts"

export { chatAccountsContract } from "./chatAccounts.ts"
export { dailyRecipientsContract } from "./dailyRecipients.ts"
export { deliveryReadingContract } from "./deliveryReading.ts"
export { mediaTransferContract } from "./mediaTransfer.ts"
export { messageSendingContract } from "./messageSending.ts"
export { messageTemplatesContract } from "./messageTemplates.ts"
export { numberCheckingContract } from "./numberChecking.ts"
export { numberSignupContract } from "./numberSignup.ts"
export { platformAppNumbersContract } from "./platformAppNumbers.ts"
export { rateCardsContract } from "./rateCards.ts"
export { removedChatAccountsContract } from "./removedChatAccounts.ts"
export * from "./sides.ts"
export { templateApprovalContract } from "./templateApproval.ts"

export const chatContracts = [
  chatAccounts,
  removedChatAccounts,
  platformAppNumbers,
  dailyRecipients,
  messageTemplates,
  rateCards
]
