import { DateTime } from "effect"
import type { StoredCustomer } from "./StoreCustomer.ts"
import type { CustomerRecord, ShopConsent } from "./shopRecords.ts"

type Consents = Pick<CustomerRecord, "chatConsent" | "smsConsent">

/** Returns the consents of a stored customer with their times. */
export const consentsOf = ({
  chatConsentAt,
  customer,
  smsConsentAt
}: Pick<StoredCustomer, "chatConsentAt" | "customer" | "smsConsentAt">): Consents => ({
  smsConsent: { state: customer.smsConsent, at: smsConsentAt },
  chatConsent: { state: customer.chatConsent, at: chatConsentAt }
})

/** Whether the person can have opted out after the opt-in. A missing time counts as later, because a message without consent is worse than none. */
const isLaterOptOut = (optOut: ShopConsent, optIn: ShopConsent): boolean =>
  optOut.at === null || optIn.at === null || DateTime.isGreaterThan(optOut.at, optIn.at)

/**
 * Returns the consent of a customer that counts for chat messages: the consent to the chat, or without it the consent to SMS. An SMS opt-out that is
 * later than the opt-in to the chat wins.
 */
export const messageConsent = ({ chatConsent, smsConsent }: Consents): ShopConsent => {
  if (chatConsent.state === "unknown") return smsConsent
  const isOverruled =
    chatConsent.state === "subscribed" && smsConsent.state === "unsubscribed" && isLaterOptOut(smsConsent, chatConsent)
  return isOverruled ? smsConsent : chatConsent
}
