import { Effect } from "effect"
import { Contacts, type Filter, matches } from "../../crm/index.ts"
import type { Facts } from "../facts/Facts.ts"
import type { Condition } from "./Condition.ts"
import type { ConditionExplanation } from "./ConditionExplanation.ts"
import { seenOfContact, seenOfFact } from "./sawOf.ts"

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

const explaining = (facts: Facts, isKnown: (known: Known) => boolean) => {
  const explanationOf = (condition: Condition): ConditionExplanation => {
    switch (condition.kind) {
      case "always":
        return { held: true }
      case "all": {
        const all = condition.of.map(explanationOf)
        return { all, held: all.every(({ held }) => held) }
      }
      case "any": {
        const any = condition.of.map(explanationOf)
        return { any, held: any.some(({ held }) => held) }
      }
      case "not": {
        const not = explanationOf(condition.of)
        return { not, held: !not.held }
      }
      case "contact": {
        const held = matches(condition.filter, facts.contact, isKnown)
        return { ...condition.said, saw: seenOfContact(facts.contact, condition.said, held), held }
      }
      case "fact": {
        const seen = facts.seen.get(condition.field) ?? null
        return { ...condition.said, saw: seenOfFact(seen), held: condition.test(seen, facts.at) }
      }
      case "schedule": {
        const isOpen = facts.schedules.get(condition.id) ?? null
        const saw = isOpen === null ? null : isOpen ? "open" : "closed"
        return { ...condition.said, saw, held: isOpen === condition.isOpen }
      }
      case "gone":
        return { ...condition.said, saw: null, held: false }
    }
  }
  return explanationOf
}

/** What becomes of a condition now: every part of it is looked at, also where the rest has decided already. */
export const explain = (condition: Condition, facts: Facts) =>
  Effect.map(knownOf(condition, facts), (isKnown) => explaining(facts, isKnown)(condition))
