import { type DateTime, Schema } from "effect"
import type { AttributeValue } from "../Attributes.ts"
import type { ConsentState } from "../Consent.ts"
import type { FieldType } from "../ContactFields.ts"
import type { ContactId, IdentityKind, IdentityRef, TagId } from "../Identity.ts"

/** The most conditions a filter may have, counted through the segments it names. */
export const maxFilterConditions = 50

/** How deep a filter may nest, counted through the segments it names. */
export const maxFilterDepth = 8

/** A filter as it is written: a condition (`field`, `op`, `value`), or `all`, `any` or `not` of others. */
export interface FilterInput {
  readonly all?: ReadonlyArray<FilterInput>
  readonly any?: ReadonlyArray<FilterInput>
  readonly not?: FilterInput
  readonly field?: string
  readonly key?: string
  readonly op?: string
  readonly value?: Schema.Json
}

const Nested = Schema.suspend((): Schema.Codec<FilterInput> => FilterInput)

/**
 * A filter as it is written. The parts of a condition depend on each other, so they are checked when the filter is
 * read, with a pointer to each fault; a schema of all the combinations would name every one that it is not.
 */
export const FilterInput: Schema.Codec<FilterInput> = Schema.Struct({
  all: Schema.optionalKey(Schema.Array(Nested)).annotateKey({ description: "Every one of these must hold." }),
  any: Schema.optionalKey(Schema.Array(Nested)).annotateKey({ description: "At least one of these must hold." }),
  not: Schema.optionalKey(Nested).annotateKey({ description: "This must not hold." }),
  field: Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))
  ).annotateKey({ description: "What a condition looks at." }),
  key: Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))
  ).annotateKey({
    description: "The key of the contact field, where the condition looks at an attribute."
  }),
  op: Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))
  ).annotateKey({ description: "How it compares." }),
  value: Schema.optionalKey(Schema.Json).annotateKey({ description: "What it compares with." })
}).annotate({ identifier: "ContactFilter", description: "A condition, or all, any or not of conditions." })

/** How a value may be compared with another one of its type. */
export type Comparison = "lt" | "lte" | "gt" | "gte"

/**
 * A filter that has been read: its tags exist, its values have their fields' types, its times are instants, its segments
 * are what they stand for. What is absent meets no condition, so `not` of a condition holds for it.
 */
export type Filter =
  | { readonly kind: "all"; readonly of: ReadonlyArray<Filter> }
  | { readonly kind: "any"; readonly of: ReadonlyArray<Filter> }
  | { readonly kind: "not"; readonly of: Filter }
  | { readonly kind: "tagged"; readonly tag: TagId }
  | { readonly kind: "attributeSet"; readonly key: string }
  | { readonly kind: "attributeIs"; readonly key: string; readonly anyOf: ReadonlyArray<AttributeValue> }
  | { readonly kind: "attributeContains"; readonly key: string; readonly text: string }
  | {
      readonly kind: "attributeCompares"
      readonly key: string
      readonly type: Extract<FieldType, "number" | "date">
      readonly by: Comparison
      readonly value: string | number
    }
  | { readonly kind: "consent"; readonly is: ConsentState }
  | { readonly kind: "textSet"; readonly field: TextField }
  | { readonly kind: "textIs"; readonly field: TextField; readonly anyOf: ReadonlyArray<string> }
  | { readonly kind: "textStarts"; readonly field: TextField; readonly with: string }
  | { readonly kind: "textContains"; readonly field: TextField; readonly text: string }
  | { readonly kind: "identity"; readonly has: IdentityKind }
  /** Known by this subscriber's identity, however it is spelled, whether it is their first of its kind or another. */
  | { readonly kind: "knownBy"; readonly identity: IdentityRef }
  | { readonly kind: "timeSet"; readonly field: TimeField }
  | { readonly kind: "before"; readonly field: TimeField; readonly at: DateTime.Utc }
  /** At that time or later. */
  | { readonly kind: "since"; readonly field: TimeField; readonly at: DateTime.Utc }
  | { readonly kind: "blocked" }
  | { readonly kind: "oneOf"; readonly ids: ReadonlyArray<ContactId> }
  /** Something that another area knows of contacts: a condition that it has named, with the values that it compares with. */
  | { readonly kind: "known"; readonly condition: string; readonly values: ReadonlyArray<string> }

/** The texts of a contact that a filter looks at. Names are compared without their case: see `foldName`. */
export type TextField = "name" | "phone" | "email" | "locale" | "timezone"

/** The times of a contact that a filter looks at. */
export type TimeField = "createdAt" | "lastSeenAt" | "lastInboundAt"

/** Everybody. */
export const anyContact: Filter = { kind: "all", of: [] }

/** Nobody. */
export const noContact: Filter = { kind: "any", of: [] }

/** Both hold. */
export const and = (one: Filter, other: Filter): Filter => ({ kind: "all", of: [one, other] })
