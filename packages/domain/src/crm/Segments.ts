import { Context, type Effect, Schema } from "effect"
import {
  type NotFound,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  type VersionConflict
} from "../kernel/index.ts"
import { SingleLineText } from "../platform/identity/index.ts"
import { SegmentId } from "./Identity.ts"
import type { NameTaken } from "./errors.ts"
import { FilterInput } from "./filter/Filter.ts"

const SegmentName = SingleLineText.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

/** Named filter of contacts. Each query evaluates its members. */
export class Segment extends Schema.Class<Segment>("Segment")({
  id: SegmentId,
  name: SegmentName,
  filter: FilterInput,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

export const NewSegment = Schema.Struct({ name: SegmentName, filter: FilterInput }).annotate({
  identifier: "NewSegment"
})
export type NewSegment = typeof NewSegment.Type

export const SegmentPatch = Schema.Struct({
  name: Schema.optionalKey(SegmentName),
  filter: Schema.optionalKey(FilterInput)
}).annotate({ identifier: "SegmentPatch" })
export type SegmentPatch = typeof SegmentPatch.Type

export class Segments extends Context.Service<
  Segments,
  TenantScoped<{
    readonly get: (id: SegmentId) => Effect.Effect<Segment, NotFound>
    /** Returns the existing ones, unordered. */
    readonly find: (ids: ReadonlyArray<SegmentId>) => Effect.Effect<ReadonlyArray<Segment>>
    /** Sorted by name. The row key is the folded name and the id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<Segment>>
    /** Returns at most ten segments whose filters name this one. */
    readonly usersOf: (id: SegmentId) => Effect.Effect<ReadonlyArray<SegmentId>>
    readonly insert: (segment: Segment) => Effect.Effect<void, NameTaken, Transaction>
    readonly save: (
      segment: Segment,
      expected: number | null
    ) => Effect.Effect<Segment, NotFound | VersionConflict | NameTaken, Transaction>
    readonly remove: (
      id: SegmentId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/crm/Segments") {}
