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

/** The numbers in what a shop writes that are valid ones, in E.164. */
const readPhones = (
  texts: ReadonlyArray<string | null>,
  { country }: Pick<StoreConnection, "country">
): ReadonlyArray<PhoneNumber> => [
  ...new Set(texts.flatMap((text) => (text === null ? [] : (parsePhoneNumber(text, country) ?? []))))
]

/** The address in what a shop writes; `null` if it is none. */
const readEmail = (text: string | null) => Option.getOrNull(decodeEmail(text))

/**
 * A customer after the shop has told of it; the very same one where an older record changes nothing, or it is closed. Which contact it is
 * is for others to say.
 */
export const applyCustomerReport = (
  before: StoredCustomer | null,
  told: CustomerRecord,
  connection: Pick<StoreConnection, "country" | "id">,
  newId: StoreCustomerId,
  now: DateTime.Utc
): StoredCustomer => {
  const isOld = before !== null && !supersedes(told, { updatedAt: before.changedAt })
  if (before !== null && (before.closedAt !== null || isOld)) return before
  const { email, emailConsent, externalId, locale, name, phones, smsConsent, tags, updatedAt } = truncateCustomer(told)
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
      emailConsent: emailConsent.state,
      updatedAt: now
    }),
    changedAt: updatedAt,
    smsConsentAt: smsConsent.at,
    closedAt: null
  }
}

/** A customer who was gone before anything else was told of them. */
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
    emailConsent: "unknown",
    createdAt: now,
    updatedAt: now
  }),
  changedAt: now,
  smsConsentAt: null,
  closedAt: now
})

/** What a contact is known by who is this customer: the shop stays the same when it is renamed. */
export const customerIdentity = (provider: string, shopId: string, externalId: string): IdentityRef => ({
  kind: "store_customer",
  value: `${provider}/${shopId}/${externalId}`
})

/** What somebody is known by, of each kind. */
export interface GuestIdentities {
  readonly phones: ReadonlyArray<IdentityRef>
  readonly emails: ReadonlyArray<IdentityRef>
}

/** What whoever has ordered without an account is known by. */
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

/** What a customer is known by to contacts; nothing where the shop is not known yet. */
export const toCustomerIdentities = (
  { provider, shopId }: Pick<StoreConnection, "provider" | "shopId">,
  externalId: string
): ReadonlyArray<IdentityRef> => (shopId === null ? [] : [customerIdentity(provider, shopId, externalId)])
