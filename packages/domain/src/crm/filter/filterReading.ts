import { type DateTime, Option, Schema } from "effect"
import type { ValidationIssue } from "../../kernel/index.ts"
import { EmailAddressInput, MultiLineText } from "../../platform/identity/index.ts"
import { type AttributeValue, attributeValueIssue } from "../Attributes.ts"
import { ConsentState } from "../Consent.ts"
import type { ContactField } from "../ContactFields.ts"
import { ContactId, IdentityKind, SegmentId, TagId } from "../Identity.ts"
import { parsePhoneNumber } from "../PhoneNumber.ts"
import { normalizeName } from "../contactSearch.ts"
import { type AreaFilterField, findListedIds } from "./ContactFilterFields.ts"
import {
  type Comparison,
  anyContact,
  type Filter,
  type FilterInput,
  maxFilterConditions,
  maxFilterDepth,
  noContact,
  type TextField,
  type TimeField
} from "./Filter.ts"
import {
  FilterField,
  isFilterField,
  negateFilter,
  type OperatorReaders,
  presenceOperators,
  type ConditionReader,
  nonEmptyList,
  timeOperators,
  valueReader
} from "./conditionOperators.ts"

export interface FilterContext {
  readonly now: DateTime.Utc
  readonly fields: ReadonlyArray<ContactField>
  readonly tags: ReadonlySet<TagId>
  readonly segments: ReadonlyMap<SegmentId, FilterInput>
  /** Filter fields of other areas. */
  readonly others: ReadonlyArray<AreaFilterField>
  /** Existing ids of other areas that filters name, by filter field. */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>
}

/** Parsed filter, or all its errors. */
export interface FilterReadResult {
  readonly filter: Filter
  readonly faults: ReadonlyArray<ValidationIssue>
  /** Ids in the filter without an existing resource. */
  readonly missing: ReadonlyArray<{ readonly resource: string; readonly pointer: string }>
}

/** Maximum number of contacts that a condition can name. */
const maxContacts = 1_000

const Text = MultiLineText.check(Schema.isBetweenCodePoints(1, 200))

const readTagIds = valueReader(nonEmptyList(TagId), "Expected 1 to 50 ids of tags")
const readConsent = valueReader(ConsentState, `Expected one of: ${ConsentState.literals.join(", ")}`)
const readIdentityKind = valueReader(IdentityKind, `Expected one of: ${IdentityKind.literals.join(", ")}`)
const readText = valueReader(Text, "Expected a text of 1 to 200 characters")
const readTexts = valueReader(nonEmptyList(Text), "Expected 1 to 50 texts")
const readBoolean = valueReader(Schema.Boolean, "Expected true or false")
const readSegmentId = valueReader(SegmentId, "Expected the id of a segment")
const readContactIds = valueReader(nonEmptyList(ContactId, maxContacts), `Expected 1 to ${maxContacts} ids of contacts`)

const combineAll = (of: ReadonlyArray<Filter>): Filter => ({ kind: "all", of })
const combineAny = (of: ReadonlyArray<Filter>): Filter => ({ kind: "any", of })

const decodeEmail = Schema.decodeUnknownOption(EmailAddressInput)

const exactNormalizers: Readonly<Record<TextField, (text: string) => string>> = {
  name: normalizeName,
  phone: (text) => parsePhoneNumber(text) ?? text,
  email: (text) => Option.getOrElse(decodeEmail(text), () => text.toLowerCase()),
  locale: (text) => text,
  timezone: (text) => text
}

const partialNormalizers: Readonly<Record<TextField, (text: string) => string>> = {
  name: normalizeName,
  phone: (text) => text.replaceAll(/[\s()./-]/gu, ""),
  email: (text) => text.toLowerCase(),
  locale: (text) => text,
  timezone: (text) => text
}

const textOperators = (field: TextField): OperatorReaders => ({
  is: (value, fail) =>
    readText(value, fail, (text) => ({ kind: "textIs", field, anyOf: [exactNormalizers[field](text)] })),
  is_not: (value, fail) =>
    readText(value, fail, (text) => negateFilter({ kind: "textIs", field, anyOf: [exactNormalizers[field](text)] })),
  any_of: (value, fail) =>
    readTexts(value, fail, (texts) => ({ kind: "textIs", field, anyOf: texts.map(exactNormalizers[field]) })),
  contains: (value, fail) =>
    readText(value, fail, (text) => ({ kind: "textContains", field, text: partialNormalizers[field](text) })),
  starts_with: (value, fail) =>
    readText(value, fail, (text) => ({ kind: "textStarts", field, with: partialNormalizers[field](text) })),
  ...presenceOperators({ kind: "textSet", field })
})

const timeFieldOperators = (field: TimeField, now: DateTime.Utc): OperatorReaders =>
  timeOperators(
    {
      set: { kind: "timeSet", field },
      before: (at) => ({ kind: "before", field, at }),
      since: (at) => ({ kind: "since", field, at })
    },
    now
  )

const attributeOperators = (field: ContactField): OperatorReaders => {
  const { key, type } = field
  const value = (given: unknown, fail: (message: string) => Filter, then: (value: AttributeValue) => Filter) => {
    const fault = attributeValueIssue(field, given)
    if (fault !== null) return fail(fault)
    return typeof given === "string" || typeof given === "number" || typeof given === "boolean"
      ? then(given)
      : fail("Expected a value")
  }
  const is = (anyOf: ReadonlyArray<AttributeValue>): Filter => ({ kind: "attributeIs", key, anyOf })
  const comparing =
    (by: Comparison): ConditionReader =>
    (given, fail) =>
      value(given, fail, (found) =>
        typeof found === "boolean" || (type !== "number" && type !== "date")
          ? fail("Expected a number or a date")
          : { kind: "attributeCompares", key, type, by, value: found }
      )
  return {
    is: (given, fail) => value(given, fail, (found) => is([found])),
    is_not: (given, fail) => value(given, fail, (found) => negateFilter(is([found]))),
    any_of: (given, fail) => {
      if (!Array.isArray(given) || given.length === 0 || given.length > 50) return fail("Expected 1 to 50 values")
      const fault = given.map((each) => attributeValueIssue(field, each)).find((fault) => fault !== null)
      return fault === undefined ? is(given.filter((each) => each !== null && typeof each !== "object")) : fail(fault)
    },
    ...(type === "text" && {
      contains: (given, fail) => readText(given, fail, (text) => ({ kind: "attributeContains", key, text }))
    }),
    ...((type === "number" || type === "date") && {
      lt: comparing("lt"),
      lte: comparing("lte"),
      gt: comparing("gt"),
      gte: comparing("gte")
    }),
    ...presenceOperators({ kind: "attributeSet", key })
  }
}

/** Operators of a custom field. They depend on its type. */
export const attributeOperatorNames = (field: ContactField): ReadonlyArray<string> =>
  Object.keys(attributeOperators(field))

const consentOperators: OperatorReaders = {
  is: (value, fail) => readConsent(value, fail, (is) => ({ kind: "consent", is })),
  is_not: (value, fail) => readConsent(value, fail, (is) => negateFilter({ kind: "consent", is }))
}

const identityOperators: OperatorReaders = {
  has: (value, fail) => readIdentityKind(value, fail, (has) => ({ kind: "identity", has })),
  has_not: (value, fail) => readIdentityKind(value, fail, (has) => negateFilter({ kind: "identity", has }))
}

const blockedOperators: OperatorReaders = {
  is: (value, fail) => readBoolean(value, fail, (is) => (is ? { kind: "blocked" } : negateFilter({ kind: "blocked" })))
}

/** The id of a missing contact matches no contact. */
const contactOperators: OperatorReaders = {
  any_of: (value, fail) => readContactIds(value, fail, (ids) => ({ kind: "oneOf", ids })),
  none_of: (value, fail) => readContactIds(value, fail, (ids) => negateFilter({ kind: "oneOf", ids }))
}

/** Position in a filter, with the error reporters there. */
interface ReadPosition {
  readonly at: string
  readonly level: number
  readonly within: ReadonlyArray<SegmentId>
  /** Reports an error in the form of the filter. */
  readonly wrong: (at: string, message: string) => Filter
  readonly missing: (resource: string, at: string) => Filter
  /** Reports a filter that is too large or circular. */
  readonly endless: (at: string, message: string) => Filter
}

/** Returns whether the input has no condition. */
export const isUnfiltered = (input: FilterInput): boolean => Object.keys(input).length === 0

/** Parses a filter and finds all its errors. `own` is the segment of the filter, if any. */
export const readFilter = (
  input: FilterInput,
  pointer: string,
  surroundings: FilterContext,
  own: SegmentId | null = null
): FilterReadResult => {
  const faults: Array<ValidationIssue> = []
  const missing: Array<FilterReadResult["missing"][number]> = []
  let conditions = 0

  const report = (pointer: string, message: string): Filter => {
    faults.push({ pointer, message })
    return noContact
  }

  const tagOperators = ({ at, missing }: ReadPosition): OperatorReaders => {
    const known = (ids: ReadonlyArray<TagId>, then: (each: ReadonlyArray<Filter>) => Filter) => {
      for (const [index, id] of ids.entries()) {
        if (!surroundings.tags.has(id)) missing("tag", `${at}/value/${index}`)
      }
      return then(ids.map((tag) => ({ kind: "tagged", tag })))
    }
    return {
      any_of: (value, fail) => readTagIds(value, fail, (ids) => known(ids, combineAny)),
      all_of: (value, fail) => readTagIds(value, fail, (ids) => known(ids, combineAll)),
      none_of: (value, fail) => readTagIds(value, fail, (ids) => known(ids, (each) => negateFilter(combineAny(each))))
    }
  }

  const segmentOperators = ({ at, endless, level, missing, within }: ReadPosition): OperatorReaders => {
    const members = (id: SegmentId): Filter => {
      const filter = surroundings.segments.get(id)
      if (id === own || within.includes(id)) return endless(`${at}/value`, "The segment would contain itself")
      if (filter === undefined) return missing("segment", `${at}/value`)
      // A stored filter can name deleted resources. This is no error here; they match no contact.
      return read(filter, {
        at,
        level: level + 1,
        within: [...within, id],
        wrong: () => noContact,
        missing: () => noContact,
        endless: (_, message) => endless(`${at}/value`, message)
      })
    }
    return {
      in: (value, fail) => readSegmentId(value, fail, members),
      not_in: (value, fail) => readSegmentId(value, fail, (id) => negateFilter(members(id)))
    }
  }

  const operatorsOf = (field: FilterField, key: string | undefined, place: ReadPosition): OperatorReaders | null => {
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
        return timeFieldOperators(field, surroundings.now)
      case "attribute": {
        const found = surroundings.fields.find((field) => field.key === key && field.status === "active")
        return found === undefined ? null : attributeOperators(found)
      }
    }
  }

  const fieldNames = () => [...FilterField.literals, ...surroundings.others.map(({ name }) => name)].join(", ")

  /** Builds the operators of another area's field. The named resources must exist, like tags. */
  const otherOperators = (
    other: AreaFilterField | undefined,
    { at, missing }: ReadPosition
  ): OperatorReaders | null => {
    if (other === undefined) return null
    const { name, names, operators } = other
    const known = surroundings.named.get(name)
    const read = operators(surroundings.now)
    if (names === null) return read
    return Object.fromEntries(
      Object.entries(read).map(([op, readValue]): [string, ConditionReader] => [
        op,
        (value, fail) => {
          let failed = false
          const filter = readValue(value, (message) => {
            failed = true
            return fail(message)
          })
          for (const { id, step } of failed ? [] : findListedIds(other, value)) {
            if (typeof id !== "string" || known?.has(id) !== true) missing(names, `${at}/value/${step}`)
          }
          return filter
        }
      ])
    )
  }

  const condition = ({ field, key, op, value }: FilterInput, place: ReadPosition): Filter => {
    const { at, wrong } = place
    conditions += 1
    if (conditions > maxFilterConditions) {
      return conditions === maxFilterConditions + 1
        ? place.endless(at, `Expected at most ${maxFilterConditions} conditions`)
        : noContact
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

  const read = (input: FilterInput, place: ReadPosition): Filter => {
    const { at, level, wrong } = place
    if (isUnfiltered(input)) return anyContact
    const parts = (["all", "any", "not", "field"] as const).filter((part) => input[part] !== undefined)
    if (parts.length !== 1) return wrong(at, "Expected one of: all, any, not, or a condition of field, op and value")
    if (level > maxFilterDepth) return place.endless(at, `Expected at most ${maxFilterDepth} levels`)
    if (input.field !== undefined) return condition(input, place)
    const stray = (["key", "op", "value"] as const).find((part) => input[part] !== undefined)
    if (stray !== undefined) return wrong(`${at}/${stray}`, "Only a condition has this")
    const below = (each: FilterInput, step: string) => read(each, { ...place, at: `${at}/${step}`, level: level + 1 })
    if (input.not !== undefined) return negateFilter(below(input.not, "not"))
    if (input.all !== undefined) return combineAll(input.all.map((each, index) => below(each, `all/${index}`)))
    return combineAny((input.any ?? []).map((each, index) => below(each, `any/${index}`)))
  }

  const filter = read(input, {
    at: pointer,
    level: 1,
    within: [],
    wrong: report,
    endless: report,
    missing: (resource, at) => {
      missing.push({ resource, pointer: at })
      return noContact
    }
  })
  return { filter, faults, missing }
}
