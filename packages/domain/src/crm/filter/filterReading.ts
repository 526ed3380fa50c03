import { type DateTime, Option, Schema } from "effect"
import type { Fault } from "../../kernel/index.ts"
import { EmailInput, Prose } from "../../platform/identity/index.ts"
import { type AttributeValue, faultOfValue } from "../Attributes.ts"
import { ConsentState } from "../Consent.ts"
import type { ContactField } from "../ContactFields.ts"
import { ContactId, IdentityKind, SegmentId, TagId } from "../Identity.ts"
import { parsePhoneNumber } from "../PhoneNumber.ts"
import { foldName } from "../contactSearch.ts"
import { type FilterFieldOfArea, listedIds } from "./ContactFilterFields.ts"
import {
  type Comparison,
  everybody,
  type Filter,
  type FilterInput,
  mostConditions,
  mostLevels,
  nobody,
  type TextField,
  type TimeField
} from "./Filter.ts"
import {
  FilterField,
  isFilterField,
  negated,
  type Operators,
  presence,
  type ReadCondition,
  someOf,
  timeOperators,
  valueReader
} from "./conditionOperators.ts"

/** What a filter is read against. */
export interface FilterSurroundings {
  readonly now: DateTime.Utc
  readonly fields: ReadonlyArray<ContactField>
  readonly tags: ReadonlySet<TagId>
  readonly segments: ReadonlyMap<SegmentId, FilterInput>
  /** What other areas know of contacts. */
  readonly others: ReadonlyArray<FilterFieldOfArea>
  /** What filters name of other areas and is there, by the field that names it. */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>
}

/** A filter that was read, or every fault of it. */
export interface FilterReading {
  readonly filter: Filter
  readonly faults: ReadonlyArray<Fault>
  /** What the filter names by an id that is nobody's here. */
  readonly missing: ReadonlyArray<{ readonly resource: string; readonly pointer: string }>
}

/** How many contacts a condition may name. */
const mostContacts = 1_000

const Text = Prose.check(Schema.isBetweenCodePoints(1, 200))

const someTags = valueReader(someOf(TagId), "Expected 1 to 50 ids of tags")
const consent = valueReader(ConsentState, `Expected one of: ${ConsentState.literals.join(", ")}`)
const identityKind = valueReader(IdentityKind, `Expected one of: ${IdentityKind.literals.join(", ")}`)
const aText = valueReader(Text, "Expected a text of 1 to 200 characters")
const someTexts = valueReader(someOf(Text), "Expected 1 to 50 texts")
const yesOrNo = valueReader(Schema.Boolean, "Expected true or false")
const aSegment = valueReader(SegmentId, "Expected the id of a segment")
const someContacts = valueReader(someOf(ContactId, mostContacts), `Expected 1 to ${mostContacts} ids of contacts`)

const all = (of: ReadonlyArray<Filter>): Filter => ({ kind: "all", of })
const any = (of: ReadonlyArray<Filter>): Filter => ({ kind: "any", of })

const asEmail = Schema.decodeUnknownOption(EmailInput)

const spelled: Readonly<Record<TextField, (text: string) => string>> = {
  name: foldName,
  phone: (text) => parsePhoneNumber(text) ?? text,
  email: (text) => Option.getOrElse(asEmail(text), () => text.toLowerCase()),
  locale: (text) => text,
  timezone: (text) => text
}

const part: Readonly<Record<TextField, (text: string) => string>> = {
  name: foldName,
  phone: (text) => text.replaceAll(/[\s()./-]/gu, ""),
  email: (text) => text.toLowerCase(),
  locale: (text) => text,
  timezone: (text) => text
}

const textOperators = (field: TextField): Operators => ({
  is: (value, fail) => aText(value, fail, (text) => ({ kind: "textIs", field, anyOf: [spelled[field](text)] })),
  is_not: (value, fail) =>
    aText(value, fail, (text) => negated({ kind: "textIs", field, anyOf: [spelled[field](text)] })),
  any_of: (value, fail) =>
    someTexts(value, fail, (texts) => ({ kind: "textIs", field, anyOf: texts.map(spelled[field]) })),
  contains: (value, fail) => aText(value, fail, (text) => ({ kind: "textContains", field, text: part[field](text) })),
  starts_with: (value, fail) => aText(value, fail, (text) => ({ kind: "textStarts", field, with: part[field](text) })),
  ...presence({ kind: "textSet", field })
})

const timesOf = (field: TimeField, now: DateTime.Utc): Operators =>
  timeOperators(
    {
      set: { kind: "timeSet", field },
      before: (at) => ({ kind: "before", field, at }),
      since: (at) => ({ kind: "since", field, at })
    },
    now
  )

const attributeOperators = (field: ContactField): Operators => {
  const { key, type } = field
  const value = (given: unknown, fail: (message: string) => Filter, then: (value: AttributeValue) => Filter) => {
    const fault = faultOfValue(field, given)
    if (fault !== null) return fail(fault)
    return typeof given === "string" || typeof given === "number" || typeof given === "boolean"
      ? then(given)
      : fail("Expected a value")
  }
  const is = (anyOf: ReadonlyArray<AttributeValue>): Filter => ({ kind: "attributeIs", key, anyOf })
  const comparing =
    (by: Comparison): ReadCondition =>
    (given, fail) =>
      value(given, fail, (found) =>
        typeof found === "boolean" || (type !== "number" && type !== "date")
          ? fail("Expected a number or a date")
          : { kind: "attributeCompares", key, type, by, value: found }
      )
  return {
    is: (given, fail) => value(given, fail, (found) => is([found])),
    is_not: (given, fail) => value(given, fail, (found) => negated(is([found]))),
    any_of: (given, fail) => {
      if (!Array.isArray(given) || given.length === 0 || given.length > 50) return fail("Expected 1 to 50 values")
      const fault = given.map((each) => faultOfValue(field, each)).find((fault) => fault !== null)
      return fault === undefined ? is(given.filter((each) => each !== null && typeof each !== "object")) : fail(fault)
    },
    ...(type === "text" && {
      contains: (given, fail) => aText(given, fail, (text) => ({ kind: "attributeContains", key, text }))
    }),
    ...((type === "number" || type === "date") && {
      lt: comparing("lt"),
      lte: comparing("lte"),
      gt: comparing("gt"),
      gte: comparing("gte")
    }),
    ...presence({ kind: "attributeSet", key })
  }
}

const consentOperators: Operators = {
  is: (value, fail) => consent(value, fail, (is) => ({ kind: "consent", is })),
  is_not: (value, fail) => consent(value, fail, (is) => negated({ kind: "consent", is }))
}

const identityOperators: Operators = {
  has: (value, fail) => identityKind(value, fail, (has) => ({ kind: "identity", has })),
  has_not: (value, fail) => identityKind(value, fail, (has) => negated({ kind: "identity", has }))
}

const blockedOperators: Operators = {
  is: (value, fail) => yesOrNo(value, fail, (is) => (is ? { kind: "blocked" } : negated({ kind: "blocked" })))
}

/** Nobody has the id of a contact that is not there. */
const contactOperators: Operators = {
  any_of: (value, fail) => someContacts(value, fail, (ids) => ({ kind: "oneOf", ids })),
  none_of: (value, fail) => someContacts(value, fail, (ids) => negated({ kind: "oneOf", ids }))
}

/** Where in a filter the reading is, and who is told of faults there. */
interface Place {
  readonly at: string
  readonly level: number
  readonly within: ReadonlyArray<SegmentId>
  /** What is wrong with how the filter is written. */
  readonly wrong: (at: string, message: string) => Filter
  readonly missing: (resource: string, at: string) => Filter
  /** What is too large, or turns in a circle. */
  readonly endless: (at: string, message: string) => Filter
}

/** Whether nothing is said of whom it finds. */
export const isEverybody = (input: FilterInput): boolean => Object.keys(input).length === 0

/** Reads a filter that somebody wrote, for the segment `own` if it is one's, and finds every fault of it. */
export const readFilter = (
  input: FilterInput,
  pointer: string,
  surroundings: FilterSurroundings,
  own: SegmentId | null = null
): FilterReading => {
  const faults: Array<Fault> = []
  const missing: Array<FilterReading["missing"][number]> = []
  let conditions = 0

  const report = (pointer: string, message: string): Filter => {
    faults.push({ pointer, message })
    return nobody
  }

  const tagOperators = ({ at, missing }: Place): Operators => {
    const known = (ids: ReadonlyArray<TagId>, then: (each: ReadonlyArray<Filter>) => Filter) => {
      for (const [index, id] of ids.entries()) {
        if (!surroundings.tags.has(id)) missing("tag", `${at}/value/${index}`)
      }
      return then(ids.map((tag) => ({ kind: "tagged", tag })))
    }
    return {
      any_of: (value, fail) => someTags(value, fail, (ids) => known(ids, any)),
      all_of: (value, fail) => someTags(value, fail, (ids) => known(ids, all)),
      none_of: (value, fail) => someTags(value, fail, (ids) => known(ids, (each) => negated(any(each))))
    }
  }

  const segmentOperators = ({ at, endless, level, missing, within }: Place): Operators => {
    const members = (id: SegmentId): Filter => {
      const filter = surroundings.segments.get(id)
      if (id === own || within.includes(id)) return endless(`${at}/value`, "The segment would contain itself")
      if (filter === undefined) return missing("segment", `${at}/value`)
      // What a stored filter names may be gone by now: that is no fault here, and nobody has it.
      return read(filter, {
        at,
        level: level + 1,
        within: [...within, id],
        wrong: () => nobody,
        missing: () => nobody,
        endless: (_, message) => endless(`${at}/value`, message)
      })
    }
    return {
      in: (value, fail) => aSegment(value, fail, members),
      not_in: (value, fail) => aSegment(value, fail, (id) => negated(members(id)))
    }
  }

  const operatorsOf = (field: FilterField, key: string | undefined, place: Place): Operators | null => {
    switch (field) {
      case "tag":
        return tagOperators(place)
      case "segment":
        return segmentOperators(place)
      case "consent":
        return consentOperators
      case "identity":
        return identityOperators
      case "blocked":
        return blockedOperators
      case "contact":
        return contactOperators
      case "name":
      case "phone":
      case "email":
      case "locale":
      case "timezone":
        return textOperators(field)
      case "createdAt":
      case "lastSeenAt":
      case "lastInboundAt":
        return timesOf(field, surroundings.now)
      case "attribute": {
        const found = surroundings.fields.find((field) => field.key === key && field.status === "active")
        return found === undefined ? null : attributeOperators(found)
      }
    }
  }

  const fieldNames = () => [...FilterField.literals, ...surroundings.others.map(({ name }) => name)].join(", ")

  /** Those of another area: what they name has to be there, as tags have. */
  const otherOperators = (other: FilterFieldOfArea | undefined, { at, missing }: Place): Operators | null => {
    if (other === undefined) return null
    const { name, names, operators } = other
    const known = surroundings.named.get(name)
    const read = operators(surroundings.now)
    if (names === null) return read
    return Object.fromEntries(
      Object.entries(read).map(([op, readValue]): [string, ReadCondition] => [
        op,
        (value, fail) => {
          let failed = false
          const filter = readValue(value, (message) => {
            failed = true
            return fail(message)
          })
          for (const { id, step } of failed ? [] : listedIds(other, value)) {
            if (typeof id !== "string" || known?.has(id) !== true) missing(names, `${at}/value/${step}`)
          }
          return filter
        }
      ])
    )
  }

  const condition = ({ field, key, op, value }: FilterInput, place: Place): Filter => {
    const { at, wrong } = place
    conditions += 1
    if (conditions > mostConditions) {
      return conditions === mostConditions + 1
        ? place.endless(at, `Expected at most ${mostConditions} conditions`)
        : nobody
    }
    const other = surroundings.others.find(({ name }) => name === field)
    if (other === undefined && !isFilterField(field)) return wrong(`${at}/field`, `Expected one of: ${fieldNames()}`)
    if (key !== undefined && field !== "attribute" && other?.takesKey !== true)
      return wrong(`${at}/key`, "Only an attribute has a key")
    const operators = isFilterField(field) ? operatorsOf(field, key, place) : otherOperators(other, place)
    if (operators === null) return wrong(`${at}/key`, "There is no contact field with this key")
    const read = new Map(Object.entries(operators)).get(op ?? "")
    if (read === undefined) return wrong(`${at}/op`, `Expected one of: ${Object.keys(operators).join(", ")}`)
    return read(value, (message) => wrong(`${at}/value`, message))
  }

  const read = (input: FilterInput, place: Place): Filter => {
    const { at, level, wrong } = place
    if (isEverybody(input)) return everybody
    const parts = (["all", "any", "not", "field"] as const).filter((part) => input[part] !== undefined)
    if (parts.length !== 1) return wrong(at, "Expected one of: all, any, not, or a condition of field, op and value")
    if (level > mostLevels) return place.endless(at, `Expected at most ${mostLevels} levels`)
    if (input.field !== undefined) return condition(input, place)
    const stray = (["key", "op", "value"] as const).find((part) => input[part] !== undefined)
    if (stray !== undefined) return wrong(`${at}/${stray}`, "Only a condition has this")
    const below = (each: FilterInput, step: string) => read(each, { ...place, at: `${at}/${step}`, level: level + 1 })
    if (input.not !== undefined) return negated(below(input.not, "not"))
    if (input.all !== undefined) return all(input.all.map((each, index) => below(each, `all/${index}`)))
    return any((input.any ?? []).map((each, index) => below(each, `any/${index}`)))
  }

  const filter = read(input, {
    at: pointer,
    level: 1,
    within: [],
    wrong: report,
    endless: report,
    missing: (resource, at) => {
      missing.push({ resource, pointer: at })
      return nobody
    }
  })
  return { filter, faults, missing }
}
