import { DateTime, Effect, type Schema } from "effect"
import { type Contact, Contacts, type Filter, matches } from "../../../crm/index.ts"
import type { Facts, FactValue } from "../facts/Facts.ts"
import type { ConditionExplanation } from "./ConditionInput.ts"
import type { Condition, Said } from "./factFields.ts"

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
const seenOfFact = (seen: FactValue): Schema.Json => {
  if (seen === null || typeof seen === "number" || typeof seen === "boolean") return seen
  if (typeof seen === "string") return cutText(seen)
  if (DateTime.isDateTime(seen)) return DateTime.formatIso(seen)
  if ("amountMinor" in seen) return { amountMinor: seen.amountMinor, currency: seen.currency }
  return [...cutList(seen)]
}

/** What was seen of a contact; of what is known of it only as a whole, whether that held. */
const seenOfContact = (contact: Contact, { field, key = "" }: Said, held: boolean): Schema.Json => {
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

type Known = Extract<Filter, { readonly kind: "known" }>

const knownIn = (filter: Filter): ReadonlyArray<Known> => {
  switch (filter.kind) {
    case "known":
      return [filter]
    case "all":
    case "any":
      return filter.of.flatMap(knownIn)
    case "not":
      return knownIn(filter.of)
    default:
      return []
  }
}

const filtersIn = (condition: Condition): ReadonlyArray<Filter> => {
  switch (condition.kind) {
    case "contact":
      return [condition.filter]
    case "all":
    case "any":
      return condition.of.flatMap(filtersIn)
    case "not":
      return filtersIn(condition.of)
    default:
      return []
  }
}

const nameOf = ({ condition, values }: Known): string => JSON.stringify([condition, values])

/** Asks other areas what they know of the contact: each question once. */
const knownOf = Effect.fnUntraced(function* (condition: Condition, { contactId }: Facts) {
  const contacts = yield* Contacts
  const asked = new Map(
    filtersIn(condition).flatMap((filter) => knownIn(filter).map((known) => [nameOf(known), known]))
  )
  const answers = new Map<string, boolean>()
  for (const [name, known] of asked) {
    const filter: Filter = { kind: "all", of: [{ kind: "oneOf", ids: [contactId] }, known] }
    answers.set(name, (yield* contacts.countOf({ filter, search: null })) > 0)
  }
  return (known: Known): boolean => answers.get(nameOf(known)) === true
})

/** Whether something holds; `null` where it asks about what is gone, so that nobody can say. */
type Truth = boolean | null

interface Judged {
  readonly explanation: ConditionExplanation
  readonly truth: Truth
}

const heldBy = (truth: Truth) => truth === true

const allOf = (truths: ReadonlyArray<Truth>): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true

const anyOf = (truths: ReadonlyArray<Truth>): Truth =>
  truths.includes(true) ? true : truths.includes(null) ? null : false

const explaining = (facts: Facts, isKnown: (known: Known) => boolean) => {
  const judge = (condition: Condition): Judged => {
    const leaf = (said: Said, saw: Schema.Json, truth: Truth): Judged => ({
      explanation: { ...said, saw, held: heldBy(truth) },
      truth
    })
    switch (condition.kind) {
      case "always":
        return { explanation: { held: true }, truth: true }
      case "all": {
        const parts = condition.of.map(judge)
        const truth = allOf(parts.map((part) => part.truth))
        return { explanation: { all: parts.map(({ explanation }) => explanation), held: heldBy(truth) }, truth }
      }
      case "any": {
        const parts = condition.of.map(judge)
        const truth = anyOf(parts.map((part) => part.truth))
        return { explanation: { any: parts.map(({ explanation }) => explanation), held: heldBy(truth) }, truth }
      }
      case "not": {
        const { explanation, truth: inner } = judge(condition.of)
        const truth = inner === null ? null : !inner
        return { explanation: { not: explanation, held: heldBy(truth) }, truth }
      }
      case "contact": {
        const held = matches(condition.filter, facts.contact, isKnown)
        return leaf(condition.said, seenOfContact(facts.contact, condition.said, held), held)
      }
      case "fact": {
        const seen = facts.seen.get(condition.field) ?? null
        return leaf(condition.said, seenOfFact(seen), condition.test(seen, facts.at))
      }
      case "schedule": {
        const isOpen = facts.schedules.get(condition.id) ?? null
        const saw = isOpen === null ? null : isOpen ? "open" : "closed"
        return leaf(condition.said, saw, isOpen === null ? null : isOpen === condition.isOpen)
      }
      case "gone":
        return leaf(condition.said, null, null)
    }
  }
  return (condition: Condition) => judge(condition).explanation
}

/** What becomes of a condition now: every part of it is looked at, also where the rest has decided already. */
export const explain = (condition: Condition, facts: Facts) =>
  Effect.map(knownOf(condition, facts), (isKnown) => explaining(facts, isKnown)(condition))
