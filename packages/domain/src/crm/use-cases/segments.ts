import { DateTime, Effect, Equal } from "effect"
import { Locks, nextId, paged, type PageRequest, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { SegmentId } from "../Identity.ts"
import { type NewSegment, Segment, type SegmentPatch, Segments } from "../Segments.ts"
import { normalizeName } from "../contactSearch.ts"
import { SegmentInUse } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { resolveFilter } from "../filter/filterResolution.ts"

export const createSegment = useCase(
  {
    name: "segments.create",
    access: { permission: "contacts.manage" },
    audit: "segment.created",
    emits: ["segment.created"]
  },
  Effect.fnUntraced(function* ({ filter, name }: NewSegment) {
    yield* (yield* Locks).exclusive("segments")
    yield* resolveFilter(filter, "/filter")
    const now = yield* DateTime.now
    const id = yield* nextId(SegmentId)
    const segment = new Segment({ id, name, filter, createdAt: now, updatedAt: now, version: 1 })
    yield* (yield* Segments).insert(segment)
    yield* recordAudit("segment.created", { kind: "segment", id }, { after: { name } })
    yield* appendEvent({ type: "segment.created", segmentId: id })
    return segment
  }, transact)
)

export const getSegment = useCase(
  { name: "segments.get", access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: SegmentId }) {
    return yield* (yield* Segments).get(id)
  })
)

/** Lists the segments by name. */
export const listSegments = useCase(
  { name: "segments.list", access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* ({ page }: { readonly page: PageRequest }) {
    const segments = yield* Segments
    return yield* paged(
      "segments",
      page,
      (slice) => segments.list(slice),
      (segment) => [normalizeName(segment.name), segment.id]
    )
  })
)

export const updateSegment = useCase(
  {
    name: "segments.update",
    access: { permission: "contacts.manage" },
    audit: "segment.updated",
    emits: ["segment.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: SegmentId; readonly ifVersion: number | null } & SegmentPatch) {
    const segments = yield* Segments
    yield* (yield* Locks).exclusive("segments")
    const before = yield* segments.get(id)
    yield* requireVersion(before, ifVersion)
    if (patch.filter !== undefined) yield* resolveFilter(patch.filter, "/filter", id)
    const { filter = before.filter, name = before.name } = patch
    if (name === before.name && Equal.equals(filter, before.filter)) return before
    const after = yield* segments.save(
      new Segment({ ...before, name, filter, updatedAt: yield* DateTime.now }),
      ifVersion
    )
    yield* recordAudit(
      "segment.updated",
      { kind: "segment", id },
      { before: { name: before.name, filter: asJson(before) }, after: { name, filter: asJson(after) } }
    )
    yield* appendEvent({ type: "segment.updated", segmentId: id })
    return after
  }, transact)
)

const asJson = ({ filter }: Segment) => JSON.parse(JSON.stringify(filter))

/** Deletes a segment. Fails if another segment uses it. */
export const deleteSegment = useCase(
  {
    name: "segments.delete",
    access: { permission: "contacts.manage" },
    audit: "segment.deleted",
    emits: ["segment.deleted"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: SegmentId; readonly ifVersion: number | null }) {
    const segments = yield* Segments
    yield* (yield* Locks).exclusive("segments")
    const before = yield* segments.get(id)
    const segmentIds = yield* segments.usersOf(id)
    if (segmentIds.length > 0) return yield* new SegmentInUse({ segmentIds })
    yield* segments.remove(id, ifVersion)
    yield* recordAudit("segment.deleted", { kind: "segment", id }, { before: { name: before.name } })
    yield* appendEvent({ type: "segment.deleted", segmentId: id })
  }, transact)
)
