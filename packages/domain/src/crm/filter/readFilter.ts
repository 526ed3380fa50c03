import { DateTime, Option, Schema } from "effect"
import { EmailInput, Prose } from "../../identity/index.ts"
import { type Fault, Timestamp } from "../../kernel/index.ts"
import { faultOfValue } from "../Attributes.ts"
import type { AttributeValue } from "../Attributes.ts"
import { ConsentState } from "../Consent.ts"
import type { ContactField } from "../ContactField.ts"
import { IdentityKind } from "../Identity.ts"
import { SegmentId, TagId } from "../Ids.ts"
import { foldName } from "../names.ts"
import { parsePhoneNumber } from "../PhoneNumber.ts"
import { type Comparison, everybody, type Filter, nobody, type TextField, type TimeField } from "./Filter.ts"
import { FilterField } from "./FilterField.ts"
import { type FilterInput, mostConditions, mostLevels } from "./FilterInput.ts"

/** What a filter is read against. */
export interface FilterSurroundings {
  readonly now: DateTime.Utc
  readonly fields: ReadonlyArray<ContactField>
  readonly tags: ReadonlySet<TagId>
  readonly segments: ReadonlyMap<SegmentId, FilterInput>
}

/** A filter that was read, or every fault of it. */
export interface FilterReading {
  readonly filter: Filter
  readonly faults: ReadonlyArray<Fault>
  /** Tags and segments that the filter names and that are nobody's here. */
  readonly missing: ReadonlyArray<{ readonly resource: "tag" | "segment"; readonly pointer: string }>
}

type Read = (value: Schema.Json | undefined, fail: (message: string) => Filter) => Filter

type Operators = Readonly<Record<string, Read>>

const parser = <A>(schema: Schema.Codec<A, unknown>, message: string) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (value: unknown, fail: (message: string) => Filter, then: (value: A) => Filter): Filter =>
    Option.match(decode(value), { onNone: () => fail(message), onSome: then })
}

const listOf = <A>(schema: Schema.Codec<A, unknown>) => Schema.Array(schema).check(Schema.isBetweenLength(1, 50))

const Text = Prose.check(Schema.isBetweenCodePoints(1, 200))

const someTags = parser(listOf(TagId), "Expected 1 to 50 ids of tags")
const consent = parser(ConsentState, `Expected one of: ${ConsentState.literals.join(", ")}`)
const identityKind = parser(IdentityKind, `Expected one of: ${IdentityKind.literals.join(", ")}`)
const aText = parser(Text, "Expected a text of 1 to 200 characters")
const someTexts = parser(listOf(Text), "Expected 1 to 50 texts")
const aTime = parser(Timestamp, "Expected a time such as 2026-03-01T09:30:00Z")
const days = parser(
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3_650 })),
  "Expected a whole number of days from 1 to 3650"
)
const yesOrNo = parser(Schema.Boolean, "Expected true or false")
const aSegment = parser(SegmentId, "Expected the id of a segment")

const not = (of: Filter): Filter => ({ kind: "not", of })
const all = (of: ReadonlyArray<Filter>): Filter => ({ kind: "all", of })
const any = (of: ReadonlyArray<Filter>): Filter => ({ kind: "any", of })

/** Operators that look for a value take one; those that ask whether there is one take none. */
const presence = (set: Filter): Operators => ({
  is_set: (value, fail) => (value === undefined ? set : fail("This operator takes no value")),
  is_not_set: (value, fail) => (value === undefined ? not(set) : fail("This operator takes no value"))
})

const asEmail = Schema.decodeUnknownOption(EmailInput)

const spelled: Readonly<Record<TextField, (text: string) => string>> = {
  name: foldName,
  phone: (text) => parsePhoneNumber(text) ?? text,
  email: (text) => Option.getOrElse(asEmail(text), () => text.toLowerCase()),
  locale: (text) => text
}

const part: Readonly<Record<TextField, (text: string) => string>> = {
  name: foldName,
  phone: (text) => text.replaceAll(/[\s()./-]/gu, ""),
  email: (text) => text.toLowerCase(),
  locale: (text) => text
}

const textOperators = (field: TextField): Operators => ({
  is: (value, fail) => aText(value, fail, (text) => ({ kind: "textIs", field, anyOf: [spelled[field](text)] })),
  is_not: (value, fail) => aText(value, fail, (text) => not({ kind: "textIs", field, anyOf: [spelled[field](text)] })),
  any_of: (value, fail) =>
    someTexts(value, fail, (texts) => ({ kind: "textIs", field, anyOf: texts.map(spelled[field]) })),
  contains: (value, fail) => aText(value, fail, (text) => ({ kind: "textContains", field, text: part[field](text) })),
  starts_with: (value, fail) => aText(value, fail, (text) => ({ kind: "textStarts", field, with: part[field](text) })),
  ...presence({ kind: "textSet", field })
})

const timeOperators = (field: TimeField, now: DateTime.Utc): Operators => {
  const ago = (count: number): Filter => ({ kind: "since", field, at: DateTime.subtract(now, { days: count }) })
  return {
    before: (value, fail) => aTime(value, fail, (at) => ({ kind: "before", field, at })),
    since: (value, fail) => aTime(value, fail, (at) => ({ kind: "since", field, at })),
    within_days: (value, fail) => days(value, fail, ago),
    not_within_days: (value, fail) => days(value, fail, (count) => not(ago(count))),
    ...presence({ kind: "timeSet", field })
  }
}

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
    (by: Comparison): Read =>
    (given, fail) =>
      value(given, fail, (found) =>
        typeof found === "boolean" || (type !== "number" && type !== "date")
          ? fail("Expected a number or a date")
          : { kind: "attributeCompares", key, type, by, value: found }
      )
  return {
    is: (given, fail) => value(given, fail, (found) => is([found])),
    is_not: (given, fail) => value(given, fail, (found) => not(is([found]))),
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
  is_not: (value, fail) => consent(value, fail, (is) => not({ kind: "consent", is }))
}

const identityOperators: Operators = {
  has: (value, fail) => identityKind(value, fail, (has) => ({ kind: "identity", has })),
  has_not: (value, fail) => identityKind(value, fail, (has) => not({ kind: "identity", has }))
}

const blockedOperators: Operators = {
  is: (value, fail) => yesOrNo(value, fail, (is) => (is ? { kind: "blocked" } : not({ kind: "blocked" })))
}

const isFilterField = Schema.is(FilterField)

/** Where in a filter the reading is, and who is told of faults there. */
interface Place {
  readonly at: string
  readonly level: number
  readonly within: ReadonlyArray<SegmentId>
  /** What is wrong with how the filter is written. */
  readonly wrong: (at: string, message: string) => Filter
  readonly missing: (resource: "tag" | "segment", at: string) => Filter
  /** What is too large, or turns in a circle. */
  readonly endless: (at: string, message: string) => Filter
}

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
      none_of: (value, fail) => someTags(value, fail, (ids) => known(ids, (each) => not(any(each))))
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
      not_in: (value, fail) => aSegment(value, fail, (id) => not(members(id)))
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
      case "name":
      case "phone":
      case "email":
      case "locale":
        return textOperators(field)
      case "createdAt":
      case "lastSeenAt":
      case "lastInboundAt":
        return timeOperators(field, surroundings.now)
      case "attribute": {
        const found = surroundings.fields.find((field) => field.key === key && field.status === "active")
        return found === undefined ? null : attributeOperators(found)
      }
    }
  }

  const condition = ({ field, key, op, value }: FilterInput, place: Place): Filter => {
    const { at, wrong } = place
    conditions += 1
    if (conditions > mostConditions) {
      return conditions === mostConditions + 1
        ? place.endless(at, `Expected at most ${mostConditions} conditions`)
        : nobody
    }
    if (!isFilterField(field)) return wrong(`${at}/field`, `Expected one of: ${FilterField.literals.join(", ")}`)
    if (key !== undefined && field !== "attribute") return wrong(`${at}/key`, "Only an attribute has a key")
    const operators = operatorsOf(field, key, place)
    if (operators === null) return wrong(`${at}/key`, "There is no contact field with this key")
    const read = new Map(Object.entries(operators)).get(op ?? "")
    if (read === undefined) return wrong(`${at}/op`, `Expected one of: ${Object.keys(operators).join(", ")}`)
    return read(value, (message) => wrong(`${at}/value`, message))
  }

  const read = (input: FilterInput, place: Place): Filter => {
    const { at, level, wrong } = place
    if (Object.keys(input).length === 0) return everybody
    const parts = (["all", "any", "not", "field"] as const).filter((part) => input[part] !== undefined)
    if (parts.length !== 1) return wrong(at, "Expected one of: all, any, not, or a condition of field, op and value")
    if (level > mostLevels) return place.endless(at, `Expected at most ${mostLevels} levels`)
    if (input.field !== undefined) return condition(input, place)
    const stray = (["key", "op", "value"] as const).find((part) => input[part] !== undefined)
    if (stray !== undefined) return wrong(`${at}/${stray}`, "Only a condition has this")
    const below = (each: FilterInput, step: string) => read(each, { ...place, at: `${at}/${step}`, level: level + 1 })
    if (input.not !== undefined) return not(below(input.not, "not"))
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
