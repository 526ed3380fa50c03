import { type DateTime, Option, Schema } from "effect"
import { type IdentityRef, parsePhoneNumber, type PhoneNumber } from "../crm/index.ts"
import { EmailAddressInput, Locale } from "../platform/identity/index.ts"
import type { StoreCustomerId } from "./Ids.ts"
import type { StoreConnection } from "./StoreConnection.ts"
import { type StoredCustomer, StoreCustomer, noCustomerMatch } from "./StoreCustomer.ts"
import { truncateCustomer, supersedes } from "./recordRules.ts"
import type { CustomerRecord } from "./shopRecords.ts"

const decodeEmail = Schema.decodeUnknownOption(EmailAddressInput)
const decodeLocale = Schema.decodeUnknownOption(Locale)

/** Returns the valid phone numbers of a customer, in E.164. */
const readPhones = (
  texts: ReadonlyArray<string | null>,
  { country }: Pick<StoreConnection, "country">
): ReadonlyArray<PhoneNumber> => [
  ...new Set(texts.flatMap((text) => (text === null ? [] : (parsePhoneNumber(text, country) ?? []))))
]

/** Returns the email address; `null` if it is invalid. */
const readEmail = (text: string | null) => Option.getOrNull(decodeEmail(text))

/** Applies a report of the shop to a customer. Returns the same object for an older record or a closed customer. It does not decide the contact. */
export const applyCustomerReport = (
  before: StoredCustomer | null,
  reported: CustomerRecord,
  connection: Pick<StoreConnection, "country" | "id">,
  newId: StoreCustomerId,
  now: DateTime.Utc
): StoredCustomer => {
  const isOld = before !== null && !supersedes(reported, { updatedAt: before.changedAt })
  if (before !== null && (before.closedAt !== null || isOld)) return before
  const { chatConsent, email, emailConsent, externalId, locale, name, phones, smsConsent, tags, updatedAt } =
    truncateCustomer(reported)
  return {
    customer: new StoreCustomer({
      ...(before?.customer ?? {
        id: newId,
        storeConnectionId: connection.id,
        externalId,
        createdAt: now,
        ...noCustomerMatch
      }),
      name,
      phone: readPhones(phones, connection)[0] ?? null,
      email: readEmail(email),
      locale: Option.getOrNull(decodeLocale(locale)),
      tags,
      smsConsent: smsConsent.state,
      chatConsent: chatConsent.state,
      emailConsent: emailConsent.state,
      updatedAt: now
    }),
    changedAt: updatedAt,
    smsConsentAt: smsConsent.at,
    chatConsentAt: chatConsent.at,
    closedAt: null
  }
}

/** Creates a closed customer for a deletion that arrives before any other report. */
export const newClosedCustomer = (
  id: StoreCustomerId,
  { id: storeConnectionId }: Pick<StoreConnection, "id">,
  externalId: string,
  now: DateTime.Utc
): StoredCustomer => ({
  customer: new StoreCustomer({
    id,
    storeConnectionId,
    externalId,
    ...noCustomerMatch,
    name: null,
    phone: null,
    email: null,
    locale: null,
    tags: [],
    smsConsent: "unknown",
    chatConsent: "unknown",
    emailConsent: "unknown",
    createdAt: now,
    updatedAt: now
  }),
  changedAt: now,
  smsConsentAt: null,
  chatConsentAt: null,
  closedAt: now
})

/** Returns the identity of a customer for contacts. It contains the shop id, which stays the same after a rename. */
export const customerIdentity = (provider: string, shopId: string, externalId: string): IdentityRef => ({
  kind: "store_customer",
  value: `${provider}/${shopId}/${externalId}`
})

/** Identities of a guest, by kind. */
export interface GuestIdentities {
  readonly phones: ReadonlyArray<IdentityRef>
  readonly emails: ReadonlyArray<IdentityRef>
}

/** Returns the identities of a guest who ordered without an account. */
export const toGuestIdentities = (
  { email, phones }: { readonly phones: ReadonlyArray<string | null>; readonly email: string | null },
  connection: Pick<StoreConnection, "country">
): GuestIdentities => {
  const address = readEmail(email)
  return {
    phones: readPhones(phones, connection).map((value) => ({ kind: "phone", value })),
    emails: address === null ? [] : [{ kind: "email", value: address }]
  }
}

/** Returns the identities of a customer for contacts. Empty while the shop id is unknown. */
export const toCustomerIdentities = (
  { provider, shopId }: Pick<StoreConnection, "provider" | "shopId">,
  externalId: string
): ReadonlyArray<IdentityRef> => (shopId === null ? [] : [customerIdentity(provider, shopId, externalId)])
