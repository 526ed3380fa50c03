import { DateTime, Effect, Schema } from "effect"
import { record } from "../../audit/index.ts"
import { defineJob, JobFailed, JobId, startJob } from "../../jobs/index.ts"
import { invalid, nextId, Timestamp, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { BulkChange, type BulkRequest } from "../Bulk.ts"
import type { NewConsent } from "../Consent.ts"
import { Contact } from "../Contact.ts"
import { ContactHoldings } from "../ContactHolding.ts"
import { Contacts } from "../Contacts.ts"
import { consentAfter } from "../drafts.ts"
import { both } from "../filter/Filter.ts"
import { FilterInput } from "../filter/FilterInput.ts"
import { resolveFilter } from "../filter/resolveFilter.ts"
import type { ContactId } from "../Ids.ts"
import { isLasting, latestOptOut, withdrawsOptOut } from "../consent/optOuts.ts"
import { Tags } from "../Tags.ts"
import { checkTags } from "../checkDetails.ts"
import { findSuppressed } from "../consent/suppressionList.ts"
import { recordConsents } from "../consent/recordConsents.ts"
import { releaseIdentities } from "../identities/releaseIdentities.ts"
import { shareOptOuts } from "../consent/shareOptOuts.ts"

/** How many contacts a step changes. */
const stride = 500

const changeConsent = Effect.fnUntraced(function* (ids: ReadonlyArray<ContactId>, said: NewConsent) {
  const contacts = yield* Contacts
  const now = yield* DateTime.now
  const taken = yield* contacts.lock(ids)
  const kept = yield* findSuppressed(withdrawsOptOut(said) ? taken.flatMap(({ identities }) => identities) : [])
  const changes = taken.flatMap((before) => {
    if (withdrawsOptOut(said) && (isLasting(before.consent) || latestOptOut(before.identities, kept) !== null))
      return []
    const consent = consentAfter(before.consent, said, now)
    return consent === before.consent
      ? []
      : [{ before, after: new Contact({ ...before, consent, updatedAt: now }), said }]
  })
  yield* contacts.saveAll(changes.map(({ after }) => after))
  yield* recordConsents(changes)
  yield* shareOptOuts(changes.map(({ after }) => after))
  return changes.length
})

const apply = Effect.fnUntraced(function* (change: BulkChange, ids: ReadonlyArray<ContactId>) {
  const contacts = yield* Contacts
  switch (change.action) {
    case "tag":
    case "untag": {
      const tags = (yield* (yield* Tags).find(change.tags)).map(({ id }) => id)
      return (yield* contacts[change.action](ids, tags, yield* DateTime.now)).length
    }
    case "consent":
      return yield* changeConsent(ids, change.marketing)
    case "delete": {
      // They are taken first, so that no conversation with them begins meanwhile.
      const taken = yield* contacts.lock(ids)
      yield* releaseIdentities(taken.map((contact) => ({ contact, identities: contact.identities })))
      yield* (yield* ContactHoldings).forget(ids)
      return (yield* contacts.remove(ids)).length
    }
  }
})

/** Changes all contacts that a filter matches. */
export const changeContactsJob = defineJob({
  name: "contacts.change",
  input: Schema.Struct({ jobId: JobId, change: BulkChange, filter: FilterInput, begunAt: Timestamp }),
  checkpoint: Schema.Struct({ after: Schema.NullOr(Schema.String), matched: Schema.Int, changed: Schema.Int }),
  step: Effect.fnUntraced(
    function* ({ begunAt, change, filter, jobId }, checkpoint) {
      const { after, changed, matched } = checkpoint ?? { after: null, changed: 0, matched: 0 }
      const contacts = yield* Contacts
      const wanted = both(yield* resolveFilter(filter, "/target/filter"), {
        kind: "before",
        field: "createdAt",
        // Clocks count milliseconds: whoever was added in the one in which the change began is meant too.
        at: DateTime.add(begunAt, { milliseconds: 1 })
      })
      const { resume, rows } = yield* contacts.list(
        { filter: wanted, search: null, sort: "createdAt" },
        { limit: stride, after: after === null ? null : [after] }
      )
      const ids = rows.map(({ id }) => id)
      const next = {
        after: resume?.[0] ?? ids.at(-1) ?? after,
        matched: matched + ids.length,
        changed: changed + (yield* apply(change, ids))
      }
      const done = resume === null && ids.length < stride
      if (done && next.changed > 0) {
        yield* appendEvent({
          type: "contacts.changed",
          action: change.action,
          changed: next.changed,
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
      NotFound: () => new JobFailed({ reason: "A tag or segment that the filter names was deleted." }),
      ValidationFailed: () => new JobFailed({ reason: "The filter does not fit the contact fields any more." })
    })
  )
})

/** Changes many contacts: those named at once, those that a filter matches in the background. */
export const changeContacts = useCase(
  "contacts.change",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* ({ change, target }: BulkRequest) {
    if (change.action === "tag" || change.action === "untag") yield* checkTags(change.tags, "/change/tags")
    const { filter, ids } = target
    if ((filter === undefined) === (ids === undefined)) return yield* invalid("/target", "Expected ids or a filter")

    if (filter !== undefined) {
      yield* resolveFilter(filter, "/target/filter")
      const jobId = yield* nextId(JobId)
      const begunAt = yield* DateTime.now
      const job = yield* startJob(changeContactsJob, { jobId, change, filter, begunAt }, { id: jobId })
      yield* record("contacts.changed", { kind: "job", id: job.id }, { after: { action: change.action } })
      return { kind: "started", job } as const
    }

    const named = ids ?? []
    const found = new Set((yield* (yield* Contacts).find(named)).map(({ id }) => id))
    const changed = yield* Effect.catchTag(
      apply(
        change,
        named.filter((id) => found.has(id))
      ),
      "ContactExists",
      Effect.die
    )
    if (changed > 0) {
      yield* record(
        "contacts.changed",
        { kind: "contacts", id: change.action },
        { after: { action: change.action, changed } }
      )
      yield* appendEvent({ type: "contacts.changed", action: change.action, changed, jobId: null })
    }
    return {
      kind: "done",
      result: { matched: found.size, changed, missing: named.filter((id) => !found.has(id)) }
    } as const
  }, transact)
)
