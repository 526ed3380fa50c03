import { Effect } from "effect"
import { AuditLog, record } from "../../audit/index.ts"
import type { ContactExport } from "../../ContactExport.ts"
import type { Media } from "../../inbox/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import { ContactConversations, type Correspondence } from "../ContactConversations.ts"
import { ContactHistory, mostExported } from "../ContactHistory.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Ids.ts"
import { Tags } from "../Tags.ts"
import { duplicatesOf } from "./listDuplicates.ts"
import { mergesWithin } from "./mergesWithin.ts"
import { mayReadConversations, timelineOf } from "./timelineOf.ts"

const everything = { limit: mostExported + 1, after: null }

const nothing: Correspondence = { conversations: [], messages: [], notes: [], media: [] }

const trailOf = Effect.fnUntraced(function* (id: ContactId) {
  const asked = { actorId: null, targetKind: "contact", targetId: id, action: null, from: null, to: null }
  return yield* (yield* AuditLog).list(asked, everything)
})

/** A file, and where its bytes are read. */
const linked = ({ createdAt, filename, id, kind, mimeType, size }: Media) => ({
  id,
  kind,
  mimeType,
  filename,
  size,
  createdAt,
  url: `/api/v1/media/${id}`
})

const fitting = <A>(entries: ReadonlyArray<A>) => entries.slice(0, mostExported)

/**
 * Reads everything that is known of one person, for that person; who may not read conversations gets it without them, and is
 * told that it is not complete. That it was read stands in the audit trail.
 */
export const exportContact = useCase(
  "contacts.exportOne",
  { access: { permission: "contacts.export" } },
  Effect.fnUntraced(function* (id: ContactId) {
    const contact = yield* (yield* Contacts).get(id)
    const consents = yield* (yield* ContactHistory).consents(id, everything)
    const timeline = yield* timelineOf(id, everything)
    const isWhole = yield* mayReadConversations
    const { conversations, media, messages, notes } = isWhole
      ? yield* (yield* ContactConversations).correspondence(id, everything.limit)
      : nothing
    const duplicates = yield* duplicatesOf(contact, everything)
    const merges = yield* mergesWithin(id, everything.limit)
    const trail = yield* Effect.forEach([id, ...merges.map(({ merged }) => merged.id)], trailOf)
    const audit = trail.flat().toSorted((one, other) => (one.id < other.id ? 1 : -1))
    yield* record("contact.exported", { kind: "contact", id })
    const lists = [consents, timeline, conversations, messages, notes, media, duplicates, merges, audit]
    return {
      contact,
      tags: yield* (yield* Tags).find(contact.tags),
      consents: fitting(consents),
      timeline: fitting(timeline),
      conversations: fitting(conversations),
      messages: fitting(messages),
      notes: fitting(notes),
      media: fitting(media).map(linked),
      duplicates: fitting(duplicates),
      merges: fitting(merges),
      audit: fitting(audit),
      complete: isWhole && lists.every(({ length }) => length <= mostExported)
    } satisfies ContactExport
  }, transact)
)
