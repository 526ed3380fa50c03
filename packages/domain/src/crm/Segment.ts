import { Schema } from "effect"
import { Name } from "../platform/identity/index.ts"
import { Timestamp } from "../kernel/index.ts"
import { FilterInput } from "./filter/FilterInput.ts"
import { SegmentId } from "./Ids.ts"

const SegmentName = Name.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

/** A filter of contacts with a name. Who is in it is found out when it is asked. */
export class Segment extends Schema.Class<Segment>("Segment")({
  id: SegmentId,
  name: SegmentName,
  filter: FilterInput,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** What is said of a new segment. */
export const NewSegment = Schema.Struct({ name: SegmentName, filter: FilterInput }).annotate({
  identifier: "NewSegment"
})
export type NewSegment = typeof NewSegment.Type

/** What may be changed of a segment. */
export const SegmentPatch = Schema.Struct({
  name: Schema.optionalKey(SegmentName),
  filter: Schema.optionalKey(FilterInput)
}).annotate({ identifier: "SegmentPatch" })
export type SegmentPatch = typeof SegmentPatch.Type
