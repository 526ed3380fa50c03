import { NotFound, VersionConflict } from "@parley/domain/kernel"
import { type ConversationId, Note, type NoteId, Notes } from "@parley/domain/messaging"
import { Effect, HashMap, Layer } from "effect"
import { descending } from "../../store/slice.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import { refuse, Refused, Store } from "../../store/Store.ts"

const notFound = () => new NotFound({ resource: "note" })

const noteAt = ({ notes }: Tenant, conversationId: ConversationId, id: NoteId): Note | null => {
  const note = rowAt(notes, id)
  return note?.conversationId === conversationId ? note : null
}

const stored = (
  tenant: Tenant,
  conversationId: ConversationId,
  id: NoteId,
  expected: number | null
): Note | Refused<NotFound | VersionConflict> => {
  const note = noteAt(tenant, conversationId, id)
  if (note === null) return refuse(notFound())
  return expected === null || expected === note.version ? note : refuse(new VersionConflict({ current: note.version }))
}

export const layer = Layer.effect(
  Notes,
  Effect.map(Store, (store) =>
    Notes.of({
      get: (conversationId, id) =>
        Effect.filterOrFail(
          store.readTenant((tenant) => noteAt(tenant, conversationId, id)),
          (note) => note !== null,
          notFound
        ),
      list: (conversationId, slice) =>
        store.readTenant(({ notes }) =>
          descending(
            HashMap.toValues(notes).filter((note) => note.conversationId === conversationId),
            ({ id }) => id,
            slice
          )
        ),
      insert: (note) => store.writeTenant(({ notes }) => [undefined, { notes: HashMap.set(notes, note.id, note) }]),
      save: (note, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, note.conversationId, note.id, expected)
          if (before instanceof Refused) return before
          const { text, editedAt, mentions } = note
          const after = new Note({ ...before, text, editedAt, mentions, version: before.version + 1 })
          return [after, { notes: HashMap.set(tenant.notes, after.id, after) }]
        }),
      remove: (conversationId, id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, conversationId, id, expected)
          return before instanceof Refused ? before : [undefined, { notes: HashMap.remove(tenant.notes, id) }]
        })
    })
  )
)
