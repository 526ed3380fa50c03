import { Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { Locks, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { SegmentInUse } from "../Errors.ts"
import type { SegmentId } from "../Ids.ts"
import { Segments } from "../Segments.ts"

/** Deletes a segment that no other one is made of. */
export const deleteSegment = useCase(
  "segments.delete",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: SegmentId, expectedVersion: number | null) {
    const segments = yield* Segments
    yield* (yield* Locks).exclusive("segments")
    const before = yield* segments.get(id)
    const segmentIds = yield* segments.usersOf(id)
    if (segmentIds.length > 0) return yield* new SegmentInUse({ segmentIds })
    yield* segments.remove(id, expectedVersion)
    yield* record("segment.deleted", { kind: "segment", id }, { before: { name: before.name } })
    yield* appendEvent({ type: "segment.deleted", segmentId: id })
  }, transact)
)
