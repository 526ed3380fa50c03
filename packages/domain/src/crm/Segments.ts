import { Context, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction, VersionConflict } from "../kernel/index.ts"
import type { NameTaken } from "./Errors.ts"
import type { SegmentId } from "./Ids.ts"
import type { Segment } from "./Segment.ts"

/** The segments of the organization. */
export class Segments extends Context.Service<
  Segments,
  TenantScoped<{
    readonly get: (id: SegmentId) => Effect.Effect<Segment, NotFound>
    /** Those of them that there are, in no order. */
    readonly find: (ids: ReadonlyArray<SegmentId>) => Effect.Effect<ReadonlyArray<Segment>>
    /** By name; the key of a row is its folded name and its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<Segment>>
    /** The segments whose filters name this one, at most ten. */
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
