import { type DateTime, Schema } from "effect"
import { isStorable, StorableJson } from "../../kernel/index.ts"
import type { AttributeValue } from "../Attributes.ts"
import type { ConsentState } from "../Consent.ts"
import type { FieldType } from "../ContactFields.ts"
import type { ContactId, IdentityKind, IdentityRef, TagId } from "../Identity.ts"

/** Maximum number of conditions in a filter, including the segments that it names. */
export const maxFilterConditions = 50

/** Maximum nesting depth of a filter, including the segments that it names. */
export const maxFilterDepth = 8

/** Filter input: a condition (`field`, `op`, `value`), or `all`, `any` or `not` of others. */
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
 * Filter input. The parts of a condition depend on each other, so the filter reader checks them. It reports each error with a pointer. A schema of
 * all combinations would report every alternative.
 */
export const FilterInput: Schema.Codec<FilterInput> = Schema.Struct({
  all: Schema.optionalKey(Schema.Array(Nested)).annotateKey({ description: "All of these conditions must hold." }),
  any: Schema.optionalKey(Schema.Array(Nested)).annotateKey({
    description: "At least one of these conditions must hold."
  }),
  not: Schema.optionalKey(Nested).annotateKey({ description: "This condition must not hold." }),
  field: Schema.optionalKey(
    Schema.String.check(isStorable, Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))
  ).annotateKey({ description: "Field of the condition." }),
  key: Schema.optionalKey(
    Schema.String.check(isStorable, Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))
  ).annotateKey({
    description: "Key of the contact field, for conditions on an attribute."
  }),
  op: Schema.optionalKey(
    Schema.String.check(isStorable, Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))
  ).annotateKey({ description: "How it compares." }),
  value: Schema.optionalKey(StorableJson).annotateKey({ description: "Value to compare with." })
}).annotate({ identifier: "ContactFilter", description: "A condition, or a combination with `all`, `any` or `not`." })

/** Comparison of two values of the same type. */
export type Comparison = "lt" | "lte" | "gt" | "gte"

/**
 * Parsed filter: tags exist, values have the types of their fields, times are instants, and segments are expanded. An absent value meets no
 * condition, so `not` of a condition matches it.
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
  /** Contacts with this identity, in any notation, primary or not. */
  | { readonly kind: "knownBy"; readonly identity: IdentityRef }
  | { readonly kind: "timeSet"; readonly field: TimeField }
  | { readonly kind: "before"; readonly field: TimeField; readonly at: DateTime.Utc }
  | { readonly kind: "since"; readonly field: TimeField; readonly at: DateTime.Utc }
  | { readonly kind: "blocked" }
  | { readonly kind: "oneOf"; readonly ids: ReadonlyArray<ContactId> }
  /** Condition of another area, with the values to compare with. */
  | { readonly kind: "known"; readonly condition: string; readonly values: ReadonlyArray<string> }

/** Text fields of a contact that filters compare. Name comparison ignores case: see `normalizeName`. */
export type TextField = "name" | "phone" | "email" | "locale" | "timezone"

/** Time fields of a contact that filters compare. */
export type TimeField = "createdAt" | "lastSeenAt" | "lastInboundAt"

/** Matches every contact. */
export const anyContact: Filter = { kind: "all", of: [] }

/** Matches no contact. */
export const noContact: Filter = { kind: "any", of: [] }

export const and = (one: Filter, other: Filter): Filter => ({ kind: "all", of: [one, other] })
