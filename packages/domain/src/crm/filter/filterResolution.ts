import { DateTime, Effect, Schema } from "effect"
import { type RequiredPermissions, NotFound, requirePermissions, ValidationFailed } from "../../kernel/index.ts"
import { ContactFields } from "../ContactFields.ts"
import { SegmentId, TagId } from "../Identity.ts"
import { Segments } from "../Segments.ts"
import { Tags } from "../Tags.ts"
import { ContactFilterFields, type AreaFilterField, findListedIds } from "./ContactFilterFields.ts"
import { type FilterInput, maxFilterDepth } from "./Filter.ts"
import { isFilterField } from "./conditionOperators.ts"
import { type FilterContext, isUnfiltered, readFilter } from "./filterReading.ts"

const isTagId = Schema.is(TagId)
const isSegmentId = Schema.is(SegmentId)

const childFilters = (input: FilterInput): ReadonlyArray<FilterInput> => [
  ...(input.all ?? []),
  ...(input.any ?? []),
  ...(input.not === undefined ? [] : [input.not])
]

/** Returns the ids of tags and segments that the filter itself names. */
export const findReferencedIds = (
  input: FilterInput
): { readonly tags: ReadonlyArray<TagId>; readonly segments: ReadonlyArray<SegmentId> } => {
  const below = childFilters(input).map(findReferencedIds)
  const tags = input.field === "tag" && Array.isArray(input.value) ? input.value.filter((id) => isTagId(id)) : []
  const segments = input.field === "segment" && isSegmentId(input.value) ? [input.value] : []
  return {
    tags: [...tags, ...below.flatMap(({ tags }) => tags)],
    segments: [...segments, ...below.flatMap(({ segments }) => segments)]
  }
}

/** Returns the texts that conditions of a field list. */
const findListedTexts = (input: FilterInput, field: AreaFilterField): ReadonlyArray<string> => [
  ...(input.field === field.name ? findListedIds(field, input.value).map(({ id }) => id) : []).filter(
    (id) => typeof id === "string"
  ),
  ...childFilters(input).flatMap((each) => findListedTexts(each, field))
]

const hasAttributeCondition = (input: FilterInput): boolean =>
  input.field === "attribute" || childFilters(input).some(hasAttributeCondition)

const loadNestedSegments = Effect.fnUntraced(function* (inputs: ReadonlyArray<FilterInput>) {
  const segments = yield* Segments
  const found = new Map<SegmentId, FilterInput>()
  let unread: ReadonlyArray<SegmentId> = inputs.flatMap((input) => findReferencedIds(input).segments)
  for (let level = 0; level < maxFilterDepth && unread.length > 0; level++) {
    const next = yield* segments.find([...new Set(unread)])
    for (const { filter, id } of next) found.set(id, filter)
    unread = next.flatMap(({ filter }) => findReferencedIds(filter).segments).filter((id) => !found.has(id))
  }
  return found
})

/** Context of an empty filter. */
const emptyContext = (now: DateTime.Utc): FilterContext => ({
  now,
  fields: [],
  tags: new Set(),
  segments: new Map(),
  others: [],
  named: new Map()
})

/** Loads the current context of these filters. */
export const loadFilterContext = Effect.fnUntraced(function* (given: ReadonlyArray<FilterInput>) {
  if (given.every(isUnfiltered)) return emptyContext(yield* DateTime.now)
  const segments = yield* loadNestedSegments(given)
  const inputs = [...given, ...segments.values()]
  const tagIds = inputs.flatMap((each) => findReferencedIds(each).tags)
  const ofAreas = yield* ContactFilterFields
  const others = yield* ofAreas.all()
  const named = yield* ofAreas.find(
    new Map(
      others.flatMap((field) =>
        field.names === null
          ? []
          : [[field.name, [...new Set(inputs.flatMap((each) => findListedTexts(each, field)))]] as const]
      )
    )
  )
  const tags = tagIds.length === 0 ? [] : yield* (yield* Tags).find([...new Set(tagIds)])
  const surroundings: FilterContext = {
    now: yield* DateTime.now,
    fields: inputs.some(hasAttributeCondition) ? yield* (yield* ContactFields).all() : [],
    tags: new Set(tags.map(({ id }) => id)),
    segments,
    others,
    named
  }
  return surroundings
})

const findFieldNames = (input: FilterInput): ReadonlyArray<string> => [
  ...(input.field === undefined ? [] : [input.field]),
  ...childFilters(input).flatMap(findFieldNames)
]

/** Returns the permissions of the fields in filters and in their segments. Unknown fields have none. */
export const filterFieldPermissions = (
  inputs: ReadonlyArray<FilterInput>,
  { others, segments }: Pick<FilterContext, "others" | "segments">
): RequiredPermissions =>
  new Set(
    [...inputs, ...segments.values()].flatMap(findFieldNames).flatMap((name) => {
      if (isFilterField(name)) return ["contacts.read" as const]
      return others.find((field) => field.name === name)?.permission ?? []
    })
  )

/** Returns the permissions of the fields of these filters; none for `null`. */
export const loadFilterPermissions = Effect.fnUntraced(function* (inputs: ReadonlyArray<FilterInput | null>) {
  const given = inputs.filter((input) => input !== null)
  return filterFieldPermissions(given, yield* loadFilterContext(given))
})

/**
 * Validates a filter against the tags, fields and segments of the organization. `pointer` locates it in the request. The actor needs the permission
 * of each field: a count, a run or the total of a job reveals the result of the filter.
 */
export const resolveFilter = Effect.fnUntraced(function* (
  input: FilterInput,
  pointer: string,
  own: SegmentId | null = null
) {
  const surroundings = yield* loadFilterContext([input])
  yield* requirePermissions(filterFieldPermissions([input], surroundings))
  const { faults, filter, missing } = readFilter(input, pointer, surroundings, own)
  if (faults.length > 0) return yield* new ValidationFailed({ errors: faults })
  const [first] = missing
  return first === undefined ? filter : yield* new NotFound(first)
})
