import { DateTime } from "effect"
import type { Consent } from "../../crm/index.ts"
import type { ShopConsent } from "../records/CustomerRecord.ts"

/**
 * What a contact's consent is after a shop has said what the person told it; the very same where nothing follows. The last word of the person
 * counts: to subscribe in a shop answers a question that nobody has asked yet, and never takes back a word; to unsubscribe there does, if it came later.
 */
export const afterShopConsent = (
  before: Consent,
  { at, state }: ShopConsent,
  source: string,
  now: DateTime.Utc
): Consent => {
  const saidAt = at ?? now
  const isLater = before.changedAt === null || DateTime.isGreaterThan(saidAt, before.changedAt)
  const counts =
    isLater &&
    ((state === "subscribed" && before.marketing === "unknown") ||
      // Without a time nobody can say which word was the last one.
      (state === "unsubscribed" && before.marketing !== "unsubscribed" && (at !== null || before.changedAt === null)))
  return counts ? { marketing: state, source, changedAt: saidAt } : before
}
