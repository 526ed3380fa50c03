import { NotFound, VersionConflict } from "@parley/domain/kernel"
import { NameTaken } from "@parley/domain/crm"
import { CannedReplies, CannedReply, type CannedReplyId } from "@parley/domain/messaging"
import { Effect, HashMap, Layer } from "effect"
import { ascending } from "../../store/slice.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import { refuse, Refused, Store } from "../../store/Store.ts"

const notFound = () => new NotFound({ resource: "canned reply" })

const stored = (
  { cannedReplies }: Tenant,
  id: CannedReplyId,
  expected: number | null
): CannedReply | Refused<NotFound | VersionConflict> => {
  const reply = rowAt(cannedReplies, id)
  if (reply === null) return refuse(notFound())
  return expected === null || expected === reply.version
    ? reply
    : refuse(new VersionConflict({ current: reply.version }))
}

const taken = ({ cannedReplies }: Tenant, reply: CannedReply): Refused<NameTaken> | null => {
  const other = HashMap.toValues(cannedReplies).find(
    ({ id, shortcut }) => id !== reply.id && shortcut === reply.shortcut
  )
  return other === undefined ? null : refuse(new NameTaken({ resource: "canned reply", id: other.id }))
}

export const layer = Layer.effect(
  CannedReplies,
  Effect.map(Store, (store) =>
    CannedReplies.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ cannedReplies }) => rowAt(cannedReplies, id)),
          (reply) => reply !== null,
          notFound
        ),
      list: (beginning, slice) =>
        store.readTenant(({ cannedReplies }) =>
          ascending(
            HashMap.toValues(cannedReplies).filter(({ shortcut }) => shortcut.startsWith(beginning)),
            ({ shortcut }) => shortcut,
            slice
          )
        ),
      insert: (reply) =>
        store.writeTenant(
          (tenant) =>
            taken(tenant, reply) ?? [undefined, { cannedReplies: HashMap.set(tenant.cannedReplies, reply.id, reply) }]
        ),
      save: (reply, expected) =>
        store.writeTenant<CannedReply, NotFound | VersionConflict | NameTaken>((tenant) => {
          const before = stored(tenant, reply.id, expected)
          if (before instanceof Refused) return before
          const clash = taken(tenant, reply)
          if (clash !== null) return clash
          const after = new CannedReply({ ...reply, createdAt: before.createdAt, version: before.version + 1 })
          return [after, { cannedReplies: HashMap.set(tenant.cannedReplies, after.id, after) }]
        }),
      remove: (id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          return before instanceof Refused
            ? before
            : [undefined, { cannedReplies: HashMap.remove(tenant.cannedReplies, id) }]
        })
    })
  )
)
