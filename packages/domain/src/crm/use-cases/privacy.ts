import { Effect } from "effect"
import {
  CurrentOrganization,
  IdempotencyKeys,
  NotFound,
  requireVersion,
  type Tenancy,
  transact,
  useCase
} from "../../kernel/index.ts"
import { AuditLog, recordAudit } from "../../platform/audit/index.ts"
import {
  findMergesInto,
  ContactHistory,
  maxExportedEntries,
  loadContactTimeline,
  currentContactId
} from "../ContactHistory.ts"
import {
  type AnyContactDataOwner,
  ContactDataOwners,
  type ExportedDataOf,
  type ExportedData,
  type ContactDataServices,
  readableDataOwners
} from "../ContactDataOwner.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Identity.ts"
import { suppressionListKeys, openSuppressionListKey, releaseIdentities, Suppressions } from "../Suppressions.ts"
import { Tags } from "../Tags.ts"
import { findDuplicates } from "../duplicatePairs.ts"
import { appendEvent } from "../events.ts"

const exportSlice = { limit: maxExportedEntries + 1, after: null }

const loadAuditTrail = Effect.fnUntraced(function* (id: ContactId) {
  const asked = { actorId: null, targetKind: "contact", targetId: id, action: null, from: null, to: null }
  return yield* (yield* AuditLog).list(asked, exportSlice)
})

const limitEntries = <A>(entries: ReadonlyArray<A>) => entries.slice(0, maxExportedEntries)

const isWithinLimit = (lists: ReadonlyArray<ReadonlyArray<unknown>>) =>
  lists.every(({ length }) => length <= maxExportedEntries)

const exportFrom = <H extends AnyContactDataOwner>(holding: H, id: ContactId) =>
  holding.export(id, exportSlice.limit) as Effect.Effect<ExportedData, never, ContactDataServices<H> | Tenancy>

/** Exports the readable data of the contact; owners without permission return `nothing`. */
const loadExportedData = Effect.fnUntraced(function* <H extends AnyContactDataOwner>(
  holdings: ReadonlyArray<H>,
  id: ContactId
) {
  const readable = yield* readableDataOwners(holdings)
  const lists = Object.assign(
    {},
    ...holdings.map(({ nothing }) => nothing),
    ...(yield* Effect.forEach(readable, (holding) => exportFrom(holding, id)))
  ) as ExportedData
  return {
    held: Object.fromEntries(
      Object.entries(lists).map(([name, list]) => [name, limitEntries(list)])
    ) as ExportedDataOf<H> & ExportedData,
    isWhole: readable.length === holdings.length && isWithinLimit(Object.values(lists))
  }
})

/**
 * Exports all data about one person for that person. Omits data that the actor cannot read, and marks such an export as incomplete. The audit trail
 * records the export.
 */
export const makeExportContact = <H extends AnyContactDataOwner>(holdings: ReadonlyArray<H>) =>
  useCase(
    { name: "contacts.exportOne", access: { permission: "contacts.export" }, audit: "contact.exported" },
    Effect.fnUntraced(function* ({ id }: { readonly id: ContactId }) {
      const contact = yield* (yield* Contacts).get(id)
      const consents = yield* (yield* ContactHistory).consents(id, exportSlice)
      const timeline = yield* loadContactTimeline(holdings, id, exportSlice)
      const { held, isWhole } = yield* loadExportedData(holdings, id)
      const duplicates = yield* findDuplicates(contact, exportSlice)
      const merges = yield* findMergesInto(id, exportSlice.limit)
      const trail = yield* Effect.forEach([id, ...merges.map(({ merged }) => merged.id)], loadAuditTrail)
      const audit = trail.flat().toSorted((one, other) => (one.id < other.id ? 1 : -1))
      yield* recordAudit("contact.exported", { kind: "contact", id })
      return {
        contact,
        tags: yield* (yield* Tags).find(contact.tags),
        consents: limitEntries(consents),
        timeline: limitEntries(timeline),
        ...held,
        duplicates: limitEntries(duplicates),
        merges: limitEntries(merges),
        audit: limitEntries(audit),
        complete: isWhole && isWithinLimit([consents, timeline, duplicates, merges, audit])
      }
    }, transact)
  )

const hasEverExisted = Effect.fnUntraced(function* (id: ContactId) {
  const [last] = yield* (yield* AuditLog).list(
    { actorId: null, targetKind: "contact", targetId: id, action: null, from: null, to: null },
    { limit: 1, after: null }
  )
  const latest = yield* (yield* ContactHistory).consents(id, { limit: 1, after: null })
  return (last !== undefined && last.action !== "contact.erased") || latest.length > 0
})

/** Returns whether the contact is part of an existing contact, across all active merges. */
const isMergedAway = Effect.fnUntraced(function* (id: ContactId) {
  const whole = yield* currentContactId(id)
  return whole !== null && (yield* (yield* Contacts).find([whole])).length > 0
})

/**
 * Erases a person permanently, including a contact that was deleted before. The fact of an erasure and counts remain, and for opt-outs digests that
 * identify no person.
 */
export const eraseContact = useCase(
  {
    name: "contacts.erase",
    access: { permission: "contacts.erase" },
    audit: "contact.erased",
    emits: ["contact.deleted"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: ContactId; readonly ifVersion: number | null }) {
    const contacts = yield* Contacts
    const [before] = yield* contacts.lock([id])
    if (before === undefined && (!(yield* hasEverExisted(id)) || (yield* isMergedAway(id)))) {
      return yield* new NotFound({ resource: "contact" })
    }
    if (before !== undefined) {
      yield* requireVersion(before, ifVersion)
      yield* releaseIdentities([{ contact: before, identities: before.identities }])
    }
    const everybody = [id, ...(yield* (yield* ContactHistory).partsOf([id]))]
    yield* (yield* ContactDataOwners).forget(everybody, true)
    yield* contacts.remove([id])
    yield* (yield* ContactHistory).erase(id)
    const trail = yield* AuditLog
    yield* Effect.forEach(everybody, (each) => trail.forget({ kind: "contact", id: each }), { discard: true })
    yield* (yield* IdempotencyKeys).withdraw((yield* CurrentOrganization).id)
    yield* recordAudit("contact.erased", { kind: "contact", id })
    yield* appendEvent({ type: "contact.deleted", contactId: id, erased: true })
  }, transact)
)

/**
 * Seals the key of the organization's suppression list with the newest master key. Returns whether one exists. The key and all digests stay the
 * same.
 */
export const reencryptSuppressions = useCase(
  { name: "suppressions.reseal", access: "operator", audit: "suppressions.resealed" },
  Effect.fnUntraced(function* () {
    const suppressions = yield* Suppressions
    const sealed = yield* suppressions.key()
    if (sealed === null) return false
    const key = yield* openSuppressionListKey(sealed)
    yield* suppressions.resealKey(yield* suppressionListKeys.seal("", key))
    yield* recordAudit("suppressions.resealed", { kind: "suppressions", id: (yield* CurrentOrganization).id })
    return true
  }, transact)
)
