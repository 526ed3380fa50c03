import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { Locks, nextId, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { resolveFilter } from "../filter/resolveFilter.ts"
import { SegmentId } from "../Ids.ts"
import { type NewSegment, Segment } from "../Segment.ts"
import { Segments } from "../Segments.ts"

/** Adds a segment. */
export const createSegment = useCase(
  "segments.create",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* ({ filter, name }: NewSegment) {
    yield* (yield* Locks).exclusive("segments")
    yield* resolveFilter(filter, "/filter")
    const now = yield* DateTime.now
    const id = yield* nextId(SegmentId)
    const segment = new Segment({ id, name, filter, createdAt: now, updatedAt: now, version: 1 })
    yield* (yield* Segments).insert(segment)
    yield* record("segment.created", { kind: "segment", id }, { after: { name } })
    yield* appendEvent({ type: "segment.created", segmentId: id })
    return segment
  }, transact)
)
