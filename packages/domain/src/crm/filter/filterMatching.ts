import { DateTime } from "effect"
import type { AttributeValue } from "../Attributes.ts"
import type { Contact } from "../Contact.ts"
import { isSameIdentity } from "../Identity.ts"
import { normalizeName } from "../contactSearch.ts"
import type { Comparison, Filter, TextField } from "./Filter.ts"

const textOf = (contact: Contact, field: TextField): string | null =>
  field === "name" ? (contact.name === null ? null : normalizeName(contact.name)) : contact[field]

/** Reads own properties only: a key can equal a property of every object, such as `constructor`. */
const attributeOf = ({ attributes }: Contact, key: string): AttributeValue | undefined =>
  Object.hasOwn(attributes, key) ? attributes[key] : undefined

const compares = <A extends string | number>(by: Comparison, one: A, other: A): boolean => {
  switch (by) {
    case "lt":
      return one < other
    case "lte":
      return one <= other
    case "gt":
      return one > other
    case "gte":
      return one >= other
  }
}

/** Evaluates a condition of another area for a contact. */
export type AreaConditionCheck = (known: Extract<Filter, { readonly kind: "known" }>, contact: Contact) => boolean

/**
 * Evaluates a filter for a contact. The caller evaluates conditions of other areas. This function is the reference for the filters of all adapters.
 */
export const matchesFilter = (filter: Filter, contact: Contact, isKnown: AreaConditionCheck): boolean => {
  switch (filter.kind) {
    case "all":
      return filter.of.every((each) => matchesFilter(each, contact, isKnown))
    case "any":
      return filter.of.some((each) => matchesFilter(each, contact, isKnown))
    case "not":
      return !matchesFilter(filter.of, contact, isKnown)
    case "tagged":
      return contact.tags.includes(filter.tag)
    case "attributeSet":
      return attributeOf(contact, filter.key) !== undefined
    case "attributeIs":
      return filter.anyOf.some((value) => value === attributeOf(contact, filter.key))
    case "attributeContains": {
      const value = attributeOf(contact, filter.key)
      return typeof value === "string" && value.includes(filter.text)
    }
    case "attributeCompares": {
      const value = attributeOf(contact, filter.key)
      if (typeof value === "number" && typeof filter.value === "number") return compares(filter.by, value, filter.value)
      return typeof value === "string" && typeof filter.value === "string" && compares(filter.by, value, filter.value)
    }
    case "consent":
      return contact.consent.marketing === filter.is
    case "textSet":
      return textOf(contact, filter.field) !== null
    case "textIs":
      return filter.anyOf.some((text) => text === textOf(contact, filter.field))
    case "textStarts":
      return textOf(contact, filter.field)?.startsWith(filter.with) === true
    case "textContains":
      return textOf(contact, filter.field)?.includes(filter.text) === true
    case "identity":
      return contact.identities.some(({ kind }) => kind === filter.has)
    case "knownBy":
      return contact.identities.some((identity) => isSameIdentity(identity, filter.identity))
    case "timeSet":
      return contact[filter.field] !== null
    case "before": {
      const at = contact[filter.field]
      return at !== null && DateTime.isLessThan(at, filter.at)
    }
    case "since": {
      const at = contact[filter.field]
      return at !== null && !DateTime.isLessThan(at, filter.at)
    }
    case "blocked":
      return contact.blockedAt !== null
    case "oneOf":
      return filter.ids.includes(contact.id)
    case "known":
      return isKnown(filter, contact)
  }
}
