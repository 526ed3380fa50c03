import { Effect, Result, Schema } from "effect"
import { type FilterContext, isUnfiltered, readFilter, loadFilterContext } from "../../../crm/index.ts"
import type { ValidationIssue } from "../../../kernel/index.ts"
import { ScheduleId } from "../../schedules/index.ts"
import type { FactGroups } from "../triggers/factGroups.ts"
import { type ConditionInput, type ConditionLeaf, findConditionLeaves } from "./ConditionInput.ts"
import { readDataPath } from "../triggerUrls/callData.ts"
import {
  type Condition,
  factFields,
  conditionOnlyFields,
  isDataSource,
  isFactFieldName,
  isFactFieldAvailable
} from "./factFields.ts"
import { type FactTestReader, jsonOperators } from "./factTests.ts"
import { isKnownResource, type KnownResources, loadKnownResources, referencesInLeaves } from "./resourceReferences.ts"

/** Contact fields and resources that conditions are parsed against. */
export interface ConditionContext {
  readonly filters: FilterContext
  readonly things: KnownResources
}

/** Parsed condition with all its problems. */
export interface ParsedCondition {
  readonly condition: Condition
  readonly faults: ReadonlyArray<ValidationIssue>
  /** References by id to unknown resources. */
  readonly missing: ReadonlyArray<{ readonly resource: string; readonly pointer: string }>
}

/** Loads the current context for these conditions. */
export const loadConditionContext = Effect.fnUntraced(function* (inputs: ReadonlyArray<ConditionInput>) {
  const filters = yield* loadFilterContext(inputs)
  const things = yield* loadKnownResources(
    referencesInLeaves(inputs.flatMap((input) => findConditionLeaves(input, "")))
  )
  const surroundings: ConditionContext = { filters, things }
  return surroundings
})

const isScheduleId = Schema.is(ScheduleId)

const validateKey = ({ pointer, input }: ConditionLeaf): ReadonlyArray<ValidationIssue> => {
  if (input.field === "schedule" && !isScheduleId(input.key)) {
    return [{ pointer: `${pointer}/key`, message: "Expected the id of a schedule" }]
  }
  return isDataSource(input.field) && readDataPath(input.key) === null
    ? [{ pointer: `${pointer}/key`, message: "Expected the path of a value, such as customer.plan" }]
    : []
}

/** Reads the value of a condition with one of these operators; `null` if it does not fit. */
const readTest = (operators: Readonly<Record<string, FactTestReader>>, { op = "", value }: ConditionInput) => {
  const read = new Map(Object.entries(operators)).get(op)?.(value)
  return read !== undefined && Result.isSuccess(read) ? read.success : null
}

/** Reports fields that exist, but not for this event. */
const unknownFields = (leaves: ReadonlyArray<ConditionLeaf>, groups: FactGroups): ReadonlyMap<string, string> =>
  new Map(
    leaves.flatMap(({ pointer, input: { field } }) =>
      (isFactFieldName(field) && !isFactFieldAvailable(field, groups)) || (isDataSource(field) && !groups.has(field))
        ? [[`${pointer}/field`, `The field ${field} is not available for this event`] as const]
        : []
    )
  )

const alwaysTrue: ParsedCondition = { condition: { kind: "always" }, faults: [], missing: [] }

/** Parses conditions against existing fields and resources. A condition that can no longer be parsed never holds. */
export const makeConditionReader = ({ filters, things }: ConditionContext, groups: FactGroups) => {
  let inAll: FilterContext | null = null
  const surroundings = () => (inAll ??= { ...filters, others: [...filters.others, ...conditionOnlyFields(groups)] })

  const leaf = (input: ConditionInput): Condition => {
    const { all: _all, any: _any, not: _not, ...given } = input
    const { field, key, value } = given
    const { faults, filter, missing } = readFilter(given, "", surroundings())
    const named = referencesInLeaves([{ input: given, pointer: "" }])
    if (faults.length + missing.length > 0 || !named.every((thing) => isKnownResource(things, thing))) {
      return { kind: "gone", input: given }
    }
    if (field === "schedule") {
      return isScheduleId(key)
        ? { kind: "schedule", input: given, id: key, isOpen: value === "open" }
        : { kind: "gone", input: given }
    }
    if (isDataSource(field)) {
      const [path, test] = [readDataPath(key), readTest(jsonOperators, given)]
      return path === null || test === null
        ? { kind: "gone", input: given }
        : { kind: "data", source: field, input: given, path, test }
    }
    if (!isFactFieldName(field)) return { kind: "contact", input: given, filter }
    const test = readTest(factFields[field].operators, given)
    return test === null ? { kind: "gone", input: given } : { kind: "fact", input: given, field, test }
  }

  const conditionOf = (input: ConditionInput): Condition => {
    if (input.field !== undefined) return leaf(input)
    if (input.not !== undefined) return { kind: "not", of: conditionOf(input.not) }
    if (input.all !== undefined) return { kind: "all", of: input.all.map(conditionOf) }
    return input.any === undefined ? { kind: "always" } : { kind: "any", of: input.any.map(conditionOf) }
  }

  return (input: ConditionInput, pointer: string): ParsedCondition => {
    if (isUnfiltered(input)) return alwaysTrue
    const leaves = findConditionLeaves(input, pointer)
    const { faults, missing } = readFilter(input, pointer, surroundings())
    const unknown = unknownFields(leaves, groups)
    const keyFaults = leaves.flatMap(validateKey)
    const explained = faults.map((fault) => ({ ...fault, message: unknown.get(fault.pointer) ?? fault.message }))
    const faultyAt = [...explained, ...keyFaults].map((fault) => fault.pointer)
    const absent = referencesInLeaves(leaves)
      .filter((thing) => !isKnownResource(things, thing))
      .filter(({ pointer }) => !faultyAt.some((at) => pointer === at || pointer.startsWith(`${at}/`)))
      .map(({ kind, pointer }) => ({ resource: kind, pointer }))
    return { condition: conditionOf(input), faults: [...explained, ...keyFaults], missing: [...missing, ...absent] }
  }
}

/** Parses a condition against the current context. `groups` are its available facts; `pointer` is its location. */
export const readCondition = Effect.fnUntraced(function* (input: ConditionInput, groups: FactGroups, pointer: string) {
  return makeConditionReader(yield* loadConditionContext([input]), groups)(input, pointer)
})
