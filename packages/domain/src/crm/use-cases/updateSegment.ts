import { DateTime, Effect, Equal } from "effect"
import { record } from "../../platform/audit/index.ts"
import { Locks, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { resolveFilter } from "../filter/resolveFilter.ts"
import type { SegmentId } from "../Ids.ts"
import { Segment, type SegmentPatch } from "../Segment.ts"
import { Segments } from "../Segments.ts"

/** Changes the name or the filter of a segment. */
export const updateSegment = useCase(
  "segments.update",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: SegmentId, patch: SegmentPatch, expectedVersion: number | null) {
    const segments = yield* Segments
    yield* (yield* Locks).exclusive("segments")
    const before = yield* segments.get(id)
    yield* requireVersion(before, expectedVersion)
    if (patch.filter !== undefined) yield* resolveFilter(patch.filter, "/filter", id)
    const { filter = before.filter, name = before.name } = patch
    if (name === before.name && Equal.equals(filter, before.filter)) return before
    const after = yield* segments.save(
      new Segment({ ...before, name, filter, updatedAt: yield* DateTime.now }),
      expectedVersion
    )
    yield* record(
      "segment.updated",
      { kind: "segment", id },
      { before: { name: before.name, filter: asJson(before) }, after: { name, filter: asJson(after) } }
    )
    yield* appendEvent({ type: "segment.updated", segmentId: id })
    return after
  }, transact)
)

const asJson = ({ filter }: Segment) => JSON.parse(JSON.stringify(filter))
