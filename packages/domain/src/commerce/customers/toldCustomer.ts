import { type DateTime, Option, Schema } from "effect"
import { parsePhoneNumber, type PhoneNumber } from "../../crm/index.ts"
import { EmailInput, Locale } from "../../platform/identity/index.ts"
import type { StoreCustomerId } from "../Ids.ts"
import { unjoined } from "../joining/joinOf.ts"
import type { CustomerRecord } from "../records/CustomerRecord.ts"
import { cutCustomer } from "../records/cutRecords.ts"
import { supersedes } from "../records/supersedes.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { type KeptCustomer, StoreCustomer } from "../StoreCustomer.ts"

const decodeEmail = Schema.decodeUnknownOption(EmailInput)
const decodeLocale = Schema.decodeUnknownOption(Locale)

/** The numbers in what a shop writes that are valid ones, in E.164. */
export const readPhones = (
  texts: ReadonlyArray<string | null>,
  { country }: Pick<StoreConnection, "country">
): ReadonlyArray<PhoneNumber> => [
  ...new Set(texts.flatMap((text) => (text === null ? [] : (parsePhoneNumber(text, country) ?? []))))
]

/** The address in what a shop writes; `null` if it is none. */
export const readEmail = (text: string | null) => Option.getOrNull(decodeEmail(text))

/**
 * A customer after the shop has told of it; the very same one where an older record changes nothing, or it is closed. Which contact it is
 * is for others to say.
 */
export const toldCustomer = (
  before: KeptCustomer | null,
  told: CustomerRecord,
  connection: Pick<StoreConnection, "country" | "id">,
  newId: StoreCustomerId,
  now: DateTime.Utc
): KeptCustomer => {
  const isOld = before !== null && !supersedes(told, { updatedAt: before.changedAt })
  if (before !== null && (before.closedAt !== null || isOld)) return before
  const { email, emailConsent, externalId, locale, name, phones, smsConsent, tags, updatedAt } = cutCustomer(told)
  return {
    customer: new StoreCustomer({
      ...(before?.customer ?? { id: newId, storeConnectionId: connection.id, externalId, createdAt: now, ...unjoined }),
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
export const unknownCustomer = (
  id: StoreCustomerId,
  { id: storeConnectionId }: Pick<StoreConnection, "id">,
  externalId: string,
  now: DateTime.Utc
): KeptCustomer => ({
  customer: new StoreCustomer({
    id,
    storeConnectionId,
    externalId,
    ...unjoined,
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
