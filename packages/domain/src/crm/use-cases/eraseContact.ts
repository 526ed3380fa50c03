import { Effect } from "effect"
import { AuditLog, record } from "../../platform/audit/index.ts"
import { NotFound, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { ContactHistory } from "../ContactHistory.ts"
import { ContactHoldings } from "../ContactHolding.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Ids.ts"
import { releaseIdentities } from "../identities/releaseIdentities.ts"
import { wholeOf } from "../merges/wholeOf.ts"

const everHere = Effect.fnUntraced(function* (id: ContactId) {
  const [last] = yield* (yield* AuditLog).list(
    { actorId: null, targetKind: "contact", targetId: id, action: null, from: null, to: null },
    { limit: 1, after: null }
  )
  const said = yield* (yield* ContactHistory).consents(id, { limit: 1, after: null })
  return (last !== undefined && last.action !== "contact.erased") || said.length > 0
})

/** Whether somebody else is there of whom this one has become a part, by however many merges. */
const isPart = Effect.fnUntraced(function* (id: ContactId) {
  const whole = yield* wholeOf(id)
  return whole !== null && (yield* (yield* Contacts).find([whole])).length > 0
})

/**
 * Forgets a person for good, also one whose contact was deleted before: what is left is that somebody was erased, counts, and
 * of who had opted out digests that nobody can be known by.
 */
export const eraseContact = useCase(
  "contacts.erase",
  { access: { permission: "contacts.erase" } },
  Effect.fnUntraced(function* (id: ContactId, expectedVersion: number | null) {
    const contacts = yield* Contacts
    const [before] = yield* contacts.lock([id])
    if (before === undefined && (!(yield* everHere(id)) || (yield* isPart(id)))) {
      return yield* new NotFound({ resource: "contact" })
    }
    if (before !== undefined) {
      yield* requireVersion(before, expectedVersion)
      yield* releaseIdentities([{ contact: before, identities: before.identities }])
    }
    const everybody = [id, ...(yield* (yield* ContactHistory).partsOf([id]))]
    yield* (yield* ContactHoldings).forget(everybody, true)
    yield* contacts.remove([id])
    yield* (yield* ContactHistory).erase(id)
    const trail = yield* AuditLog
    yield* Effect.forEach(everybody, (each) => trail.forget({ kind: "contact", id: each }), { discard: true })
    yield* record("contact.erased", { kind: "contact", id })
    yield* appendEvent({ type: "contact.deleted", contactId: id, erased: true })
  }, transact)
)
