import { DateTime, Effect, Schema } from "effect"
import { Timestamp } from "../kernel/index.ts"
import { defineJob, JobFailed, JobId } from "../platform/jobs/index.ts"
import { hasConsentChanged, type NewConsent } from "./Consent.ts"
import { BulkChange, Contact } from "./Contact.ts"
import { ContactFields, FieldKey } from "./ContactFields.ts"
import { ContactHistory } from "./ContactHistory.ts"
import { ContactDataOwners } from "./ContactDataOwner.ts"
import { Contacts } from "./Contacts.ts"
import { ContactFieldId, type ContactId } from "./Identity.ts"
import { findSuppressed, releaseIdentities } from "./Suppressions.ts"
import { Tags } from "./Tags.ts"
import { recordConsents, propagateOptOuts } from "./consentRecords.ts"
import { applyConsent } from "./contactDrafts.ts"
import { appendEvent } from "./events.ts"
import { and, FilterInput } from "./filter/Filter.ts"
import { resolveFilter } from "./filter/filterResolution.ts"
import { isLastingOptOut, findLatestOptOut, isOptOutWithdrawal } from "./optOuts.ts"

export interface BulkOutcome {
  readonly changed: number
  /** Contacts with consent changed to `unsubscribed`. */
  readonly unsubscribed: number
}

const toBulkOutcome = (changed: number): BulkOutcome => ({ changed, unsubscribed: 0 })

const changeConsent = Effect.fnUntraced(function* (ids: ReadonlyArray<ContactId>, input: NewConsent) {
  const contacts = yield* Contacts
  const now = yield* DateTime.now
  const taken = yield* contacts.lock(ids)
  const kept = yield* findSuppressed(isOptOutWithdrawal(input) ? taken.flatMap(({ identities }) => identities) : [])
  const changes = taken.flatMap((before) => {
    if (
      isOptOutWithdrawal(input) &&
      (isLastingOptOut(before.consent) || findLatestOptOut(before.identities, kept) !== null)
    )
      return []
    const consent = applyConsent(before.consent, input, now)
    return hasConsentChanged(before.consent, consent)
      ? [{ before, after: new Contact({ ...before, consent, updatedAt: now }) }]
      : []
  })
  yield* contacts.saveAll(changes.map(({ after }) => after))
  yield* recordConsents(
    changes.map(({ after, before }) => ({
      contactId: after.id,
      before: before.consent,
      after: after.consent,
      evidence: input.evidence ?? null
    }))
  )
  yield* propagateOptOuts(changes.map(({ after }) => after))
  const optedOut = changes.filter(
    ({ after, before }) => after.consent.marketing === "unsubscribed" && before.consent.marketing !== "unsubscribed"
  )
  return { changed: changes.length, unsubscribed: optedOut.length } satisfies BulkOutcome
})

export const applyBulkChange = Effect.fnUntraced(function* (change: BulkChange, ids: ReadonlyArray<ContactId>) {
  const contacts = yield* Contacts
  switch (change.action) {
    case "tag":
    case "untag": {
      const tags = (yield* (yield* Tags).find(change.tags)).map(({ id }) => id)
      return toBulkOutcome((yield* contacts[change.action](ids, tags, yield* DateTime.now)).length)
    }
    case "consent":
      return yield* changeConsent(ids, change.marketing)
    case "delete": {
      // Locks the contacts first, to prevent new conversations with them until the commit.
      const locked = yield* contacts.lock(ids)
      yield* releaseIdentities(locked.map((contact) => ({ contact, identities: contact.identities })))
      const parts = yield* (yield* ContactHistory).partsOf(ids)
      yield* (yield* ContactDataOwners).forget([...ids, ...parts], false)
      return toBulkOutcome((yield* contacts.remove(ids)).length)
    }
  }
})

/** Number of contacts in a step. */
const stepSize = 500

/** Changes all contacts that a filter matches. */
export const changeContactsJob = defineJob({
  name: "contacts.change",
  needs: ["contacts.manage"],
  input: Schema.Struct({ jobId: JobId, change: BulkChange, filter: FilterInput, begunAt: Timestamp }),
  checkpoint: Schema.Struct({
    after: Schema.NullOr(Schema.String),
    matched: Schema.Int,
    changed: Schema.Int,
    /** Absent in checkpoints of earlier versions. */
    unsubscribed: Schema.optionalKey(Schema.Int)
  }),
  step: Effect.fnUntraced(
    function* ({ begunAt, change, filter, jobId }, checkpoint) {
      const { after, changed, matched, unsubscribed = 0 } = checkpoint ?? { after: null, changed: 0, matched: 0 }
      const contacts = yield* Contacts
      const wanted = and(yield* resolveFilter(filter, "/target/filter"), {
        kind: "before",
        field: "createdAt",
        // Clocks count milliseconds: contacts added in the same millisecond as the start of the change are included.
        at: DateTime.add(begunAt, { milliseconds: 1 })
      })
      const { resume, rows } = yield* contacts.list(
        { filter: wanted, search: null, sort: "createdAt" },
        { limit: stepSize, after: after === null ? null : [after] }
      )
      const ids = rows.map(({ id }) => id)
      const outcome = yield* applyBulkChange(change, ids)
      const next = {
        after: resume?.[0] ?? ids.at(-1) ?? after,
        matched: matched + ids.length,
        changed: changed + outcome.changed,
        unsubscribed: unsubscribed + outcome.unsubscribed
      }
      const done = resume === null && ids.length < stepSize
      if (done && next.changed > 0) {
        yield* appendEvent({
          type: "contacts.changed",
          action: change.action,
          changed: next.changed,
          ...(next.unsubscribed > 0 && { unsubscribed: next.unsubscribed }),
          jobId
        })
      }
      return {
        checkpoint: next,
        done,
        progress: { done: next.matched, total: null },
        counts: { matched: next.matched, changed: next.changed }
      }
    },
    Effect.catchTags({
      ContactExists: Effect.die,
      NotFound: () => new JobFailed({ reason: "A tag or segment of the filter was deleted." }),
      ValidationFailed: () => new JobFailed({ reason: "The filter no longer matches the contact fields." })
    })
  )
})

/** Number of contacts in a step. */
const fieldDeletionStepSize = 1_000

/** Removes the values of a field from every contact, then the field. */
export const deleteContactFieldJob = defineJob({
  name: "contact_fields.delete",
  needs: null,
  input: Schema.Struct({ id: ContactFieldId, key: FieldKey }),
  checkpoint: Schema.Struct({ cleared: Schema.Int }),
  step: Effect.fnUntraced(function* ({ id, key }, checkpoint) {
    const cleared = yield* (yield* Contacts).clearAttribute(key, fieldDeletionStepSize, yield* DateTime.now)
    const total = (checkpoint?.cleared ?? 0) + cleared
    const done = cleared < fieldDeletionStepSize
    if (done) {
      yield* Effect.ignore((yield* ContactFields).remove(id))
      yield* appendEvent({ type: "contact_field.deleted", contactFieldId: id })
    }
    return { checkpoint: { cleared: total }, done, progress: { done: total, total: null }, counts: { cleared: total } }
  })
})
