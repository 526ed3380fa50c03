import { DateTime, type Schema } from "effect"
import type { Contact } from "../../../crm/index.ts"
import type { FactValue } from "../facts/Facts.ts"
import type { Said } from "./Condition.ts"

/** So many characters of what was seen are kept. */
const mostSeen = 200

const cutText = (text: string): string => Array.from(text).slice(0, mostSeen).join("")

/** As many of them as fit. */
const cutList = (list: ReadonlyArray<string>): ReadonlyArray<string> => {
  const fits = (end: number) => JSON.stringify(list.slice(0, end)).length <= mostSeen
  const end = list.findIndex((_, place) => !fits(place + 1))
  return end === -1 ? list : list.slice(0, end)
}

/** What was seen, as it is kept. */
export const seenOfFact = (seen: FactValue): Schema.Json => {
  if (seen === null || typeof seen === "number" || typeof seen === "boolean") return seen
  if (typeof seen === "string") return cutText(seen)
  if (DateTime.isDateTime(seen)) return DateTime.formatIso(seen)
  if ("amountMinor" in seen) return { amountMinor: seen.amountMinor, currency: seen.currency }
  return [...cutList(seen)]
}

/** What was seen of a contact; of what is known of it only as a whole, whether that held. */
export const seenOfContact = (contact: Contact, { field, key = "" }: Said, held: boolean): Schema.Json => {
  switch (field) {
    case "tag":
      return seenOfFact(contact.tags)
    case "attribute":
      return seenOfFact(Object.hasOwn(contact.attributes, key) ? (contact.attributes[key] ?? null) : null)
    case "consent":
      return contact.consent.marketing
    case "name":
    case "phone":
    case "email":
    case "locale":
    case "timezone":
    case "createdAt":
    case "lastSeenAt":
    case "lastInboundAt":
      return seenOfFact(contact[field])
    case "identity":
      return seenOfFact([...new Set(contact.identities.map(({ kind }) => kind))])
    case "blocked":
      return contact.blockedAt !== null
    case "contact":
      return contact.id
    default:
      return held
  }
}
