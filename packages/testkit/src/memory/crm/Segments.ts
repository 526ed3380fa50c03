import { NotFound, VersionConflict } from "@parley/domain/kernel"
import { normalizeName, NameTaken, findReferencedIds, Segment, type SegmentId, Segments } from "@parley/domain/crm"
import { Effect, HashMap, Layer, Order } from "effect"
import { byKeys } from "../store/byCodePoints.ts"
import { rowAt, type Tenant } from "../store/State.ts"
import { refuse, Refused, Store } from "../store/Store.ts"

const keyOf = ({ id, name }: Segment): ReadonlyArray<string> => [normalizeName(name), id]

const inOrder: Order.Order<Segment> = Order.mapInput(byKeys, keyOf)

const stored = (
  { segments }: Tenant,
  id: SegmentId,
  expected: number | null
): Segment | Refused<NotFound | VersionConflict> => {
  const segment = rowAt(segments, id)
  if (segment === null) return refuse(new NotFound({ resource: "segment" }))
  return expected === null || expected === segment.version
    ? segment
    : refuse(new VersionConflict({ current: segment.version }))
}

const taken = ({ segments }: Tenant, segment: Segment): Refused<NameTaken> | null => {
  const other = HashMap.toValues(segments).find(
    ({ id, name }) => id !== segment.id && normalizeName(name) === normalizeName(segment.name)
  )
  return other === undefined ? null : refuse(new NameTaken({ resource: "segment", id: other.id }))
}

export const layer = Layer.effect(
  Segments,
  Effect.map(Store, (store) =>
    Segments.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ segments }) => rowAt(segments, id)),
          (segment) => segment !== null,
          () => new NotFound({ resource: "segment" })
        ),
      find: (ids) => store.readTenant(({ segments }) => [...new Set(ids)].flatMap((id) => rowAt(segments, id) ?? [])),
      list: ({ after, limit }) =>
        store.readTenant(({ segments }) =>
          HashMap.toValues(segments)
            .filter((segment) => after === null || byKeys(keyOf(segment), after) > 0)
            .toSorted(inOrder)
            .slice(0, limit)
        ),
      usersOf: (id) =>
        store.readTenant(({ segments }) =>
          HashMap.toValues(segments)
            .filter(({ filter }) => findReferencedIds(filter).segments.includes(id))
            .map((segment) => segment.id)
            .toSorted()
            .slice(0, 10)
        ),
      insert: (segment) =>
        store.writeTenant(
          (tenant) =>
            taken(tenant, segment) ?? [undefined, { segments: HashMap.set(tenant.segments, segment.id, segment) }]
        ),
      save: (segment, expected) =>
        store.writeTenant<Segment, NotFound | VersionConflict | NameTaken>((tenant) => {
          const before = stored(tenant, segment.id, expected)
          if (before instanceof Refused) return before
          const clash = taken(tenant, segment)
          if (clash !== null) return clash
          const after = new Segment({ ...segment, createdAt: before.createdAt, version: before.version + 1 })
          return [after, { segments: HashMap.set(tenant.segments, segment.id, after) }]
        }),
      remove: (id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          return before instanceof Refused ? before : [undefined, { segments: HashMap.remove(tenant.segments, id) }]
        })
    })
  )
)
