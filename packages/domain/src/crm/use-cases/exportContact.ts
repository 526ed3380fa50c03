import { Effect } from "effect"
import { AuditLog, record } from "../../audit/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import { type ContactExport, mostExported } from "../ContactExport.ts"
import { ContactHistory } from "../ContactHistory.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Ids.ts"
import { Tags } from "../Tags.ts"
import { mergesWithin } from "./mergesWithin.ts"

const everything = { limit: mostExported + 1, after: null }

const trailOf = Effect.fnUntraced(function* (id: ContactId) {
  const asked = { actorId: null, targetKind: "contact", targetId: id, action: null, from: null, to: null }
  return yield* (yield* AuditLog).list(asked, everything)
})

/** Reads everything that is known of one person, for that person. That it was read stands in the audit trail. */
export const exportContact = useCase(
  "contacts.exportOne",
  { access: { permission: "contacts.export" } },
  Effect.fnUntraced(function* (id: ContactId) {
    const contact = yield* (yield* Contacts).get(id)
    const history = yield* ContactHistory
    const consents = yield* history.consents(id, everything)
    const timeline = yield* history.timeline(id, everything)
    const merges = yield* mergesWithin(id, mostExported + 1)
    const trail = yield* Effect.forEach([id, ...merges.map(({ merged }) => merged.id)], trailOf)
    const audit = trail.flat().toSorted((one, other) => (one.id < other.id ? 1 : -1))
    yield* record("contact.exported", { kind: "contact", id })
    return {
      contact,
      tags: yield* (yield* Tags).find(contact.tags),
      consents: consents.slice(0, mostExported),
      timeline: timeline.slice(0, mostExported),
      merges: merges.slice(0, mostExported),
      audit: audit.slice(0, mostExported),
      complete: [consents, timeline, merges, audit].every(({ length }) => length <= mostExported)
    } satisfies ContactExport
  }, transact)
)
