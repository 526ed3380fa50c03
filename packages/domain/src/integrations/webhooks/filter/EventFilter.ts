import { Schema } from "effect"

/** The most conditions a filter of events may have. */
export const mostEventConditions = 20

/** How deep a filter of events may nest. */
export const mostEventLevels = 8

/** A filter of events as it is written: a condition (`field`, `op`, `value`), or `all`, `any` or `not` of others. */
export interface EventFilter {
  readonly all?: ReadonlyArray<EventFilter>
  readonly any?: ReadonlyArray<EventFilter>
  readonly not?: EventFilter
  readonly field?: string
  readonly op?: string
  readonly value?: Schema.Json
}

const Nested = Schema.suspend((): Schema.Codec<EventFilter> => EventFilter)

const Word = Schema.String.check(Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }))

/** As filters of contacts are written. The parts of a condition depend on each other: they are checked when the filter is read. */
export const EventFilter: Schema.Codec<EventFilter> = Schema.Struct({
  all: Schema.optionalKey(Schema.Array(Nested)).annotateKey({ description: "Every one of these must hold." }),
  any: Schema.optionalKey(Schema.Array(Nested)).annotateKey({ description: "At least one of these must hold." }),
  not: Schema.optionalKey(Nested).annotateKey({ description: "This must not hold." }),
  field: Schema.optionalKey(Word).annotateKey({
    description: "What a condition looks at: `event.` and a field of the event, or `actor.kind`."
  }),
  op: Schema.optionalKey(Word).annotateKey({
    description: "How it compares: `is`, `is_not`, `any_of`, `is_set`, `is_not_set`."
  }),
  value: Schema.optionalKey(Schema.Json).annotateKey({ description: "What it compares with." })
}).annotate({
  identifier: "EventFilter",
  description:
    "A condition, or all, any or not of conditions; 20 conditions at most. An empty one lets everything through."
})
