import type { RecipientQuery } from "../RecipientList.ts"

/** Which recipients are asked for; what is absent is any. */
export type RecipientsRequest = {
  readonly [Name in keyof RecipientQuery]?: Exclude<RecipientQuery[Name], null>
}

/** The same as storage is asked for it. */
export const recipientQuery = (asked: RecipientsRequest): RecipientQuery => ({
  status: asked.status ?? null,
  reason: asked.reason ?? null,
  variant: asked.variant ?? null,
  replied: asked.replied ?? null,
  contactId: asked.contactId ?? null
})
