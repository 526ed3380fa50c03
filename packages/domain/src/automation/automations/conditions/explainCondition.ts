import { DateTime, Effect, type Schema } from "effect"
import { type Contact, Contacts, type Filter, matchesFilter } from "../../../crm/index.ts"
import type { Facts, FactValue } from "../facts/Facts.ts"
import { dataValueAt } from "../triggerUrls/callData.ts"
import type { ConditionExplanation } from "./ConditionInput.ts"
import type { Condition, LeafConditionInput } from "./factFields.ts"

/** Maximum length of a stored observed value, in characters. */
const maxObservedLength = 200

const truncateText = (text: string): string => Array.from(text).slice(0, maxObservedLength).join("")

/** Keeps the first elements whose JSON fits into that length. */
const truncateList = (list: ReadonlyArray<string>): ReadonlyArray<string> => {
  const fits = (end: number) => JSON.stringify(list.slice(0, end)).length <= maxObservedLength
  const end = list.findIndex((_, place) => !fits(place + 1))
  return end === -1 ? list : list.slice(0, end)
}

/** Encodes an observed fact for storage. */
const observedFact = (seen: FactValue): Schema.Json => {
  if (seen === null || typeof seen === "number" || typeof seen === "boolean") return seen
  if (typeof seen === "string") return truncateText(seen)
  if (DateTime.isDateTime(seen)) return DateTime.formatIso(seen)
  if ("amountMinor" in seen) return { amountMinor: seen.amountMinor, currency: seen.currency }
  return [...truncateList(seen)]
}

/** Encodes an observed contact field. For a field that is evaluated only as a whole, stores the result. */
const observedContact = (contact: Contact, { field, key = "" }: LeafConditionInput, held: boolean): Schema.Json => {
  switch (field) {
    case "tag":
      return observedFact(contact.tags)
    case "attribute":
      return observedFact(Object.hasOwn(contact.attributes, key) ? (contact.attributes[key] ?? null) : null)
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
      return observedFact(contact[field])
    case "identity":
      return observedFact([...new Set(contact.identities.map(({ kind }) => kind))])
    case "blocked":
      return contact.blockedAt !== null
    case "contact":
      return contact.id
    default:
      return held
  }
}

type KnownFilter = Extract<Filter, { readonly kind: "known" }>

const findKnownFilters = (filter: Filter): ReadonlyArray<KnownFilter> => {
  switch (filter.kind) {
    case "known":
      return [filter]
    case "all":
    case "any":
      return filter.of.flatMap(findKnownFilters)
    case "not":
      return findKnownFilters(filter.of)
    default:
      return []
  }
}

const findContactFilters = (condition: Condition): ReadonlyArray<Filter> => {
  switch (condition.kind) {
    case "contact":
      return [condition.filter]
    case "all":
    case "any":
      return condition.of.flatMap(findContactFilters)
    case "not":
      return findContactFilters(condition.of)
    default:
      return []
  }
}

const nameOf = ({ condition, values }: KnownFilter): string => JSON.stringify([condition, values])

/** Evaluates contact filters of other areas, each once. */
const evaluateKnownFilters = Effect.fnUntraced(function* (condition: Condition, { contactId }: Facts) {
  const contacts = yield* Contacts
  const asked = new Map(
    findContactFilters(condition).flatMap((filter) => findKnownFilters(filter).map((known) => [nameOf(known), known]))
  )
  const answers = new Map<string, boolean>()
  for (const [name, known] of asked) {
    const filter: Filter = { kind: "all", of: [{ kind: "oneOf", ids: [contactId] }, known] }
    answers.set(name, (yield* contacts.countOf({ filter, search: null })) > 0)
  }
  return (known: KnownFilter): boolean => answers.get(nameOf(known)) === true
})

/** Result of a condition; `null` if it is unknown, because a referenced resource is deleted. */
type Truth = boolean | null

interface EvaluatedCondition {
  readonly explanation: ConditionExplanation
  readonly truth: Truth
}

const isHeld = (truth: Truth) => truth === true

const allOf = (truths: ReadonlyArray<Truth>): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true

const anyOf = (truths: ReadonlyArray<Truth>): Truth =>
  truths.includes(true) ? true : truths.includes(null) ? null : false

const makeExplainer = (facts: Facts, isKnown: (known: KnownFilter) => boolean) => {
  const judge = (condition: Condition): EvaluatedCondition => {
    const leaf = (input: LeafConditionInput, saw: Schema.Json, truth: Truth): EvaluatedCondition => ({
      explanation: { ...input, saw, held: isHeld(truth) },
      truth
    })
    switch (condition.kind) {
      case "always":
        return { explanation: { held: true }, truth: true }
      case "all": {
        const parts = condition.of.map(judge)
        const truth = allOf(parts.map((part) => part.truth))
        return { explanation: { all: parts.map(({ explanation }) => explanation), held: isHeld(truth) }, truth }
      }
      case "any": {
        const parts = condition.of.map(judge)
        const truth = anyOf(parts.map((part) => part.truth))
        return { explanation: { any: parts.map(({ explanation }) => explanation), held: isHeld(truth) }, truth }
      }
      case "not": {
        const { explanation, truth: inner } = judge(condition.of)
        const truth = inner === null ? null : !inner
        return { explanation: { not: explanation, held: isHeld(truth) }, truth }
      }
      case "contact": {
        const held = matchesFilter(condition.filter, facts.contact, isKnown)
        return leaf(condition.input, observedContact(facts.contact, condition.input, held), held)
      }
      case "fact": {
        const seen = facts.seen.get(condition.field) ?? null
        return leaf(condition.input, observedFact(seen), condition.test(seen, facts.at))
      }
      case "data": {
        const data = condition.source === "webhook" ? facts.data : facts.steps
        const seen = data === undefined ? null : dataValueAt(data, condition.path)
        return leaf(condition.input, observedFact(seen), condition.test(seen, facts.at))
      }
      case "schedule": {
        const isOpen = facts.schedules.get(condition.id) ?? null
        const saw = isOpen === null ? null : isOpen ? "open" : "closed"
        return leaf(condition.input, saw, isOpen === null ? null : isOpen === condition.isOpen)
      }
      case "gone":
        return leaf(condition.input, null, null)
    }
  }
  return (condition: Condition) => judge(condition).explanation
}

/** Evaluates every part of a condition, including parts that cannot change the result. */
export const explainCondition = (condition: Condition, facts: Facts) =>
  Effect.map(evaluateKnownFilters(condition, facts), (isKnown) => makeExplainer(facts, isKnown)(condition))
