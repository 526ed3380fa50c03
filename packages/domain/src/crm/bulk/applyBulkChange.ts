import { DateTime, Effect } from "effect"
import { type BulkChange } from "../Bulk.ts"
import { hasConsentChanged, type NewConsent } from "../Consent.ts"
import { Contact } from "../Contact.ts"
import { ContactHistory } from "../ContactHistory.ts"
import { ContactHoldings } from "../ContactHolding.ts"
import { Contacts } from "../Contacts.ts"
import { consentAfter } from "../drafts.ts"
import type { ContactId } from "../Ids.ts"
import { isLasting, latestOptOut, withdrawsOptOut } from "../consent/optOuts.ts"
import { Tags } from "../Tags.ts"
import { findSuppressed } from "../consent/suppressionList.ts"
import { recordConsents } from "../consent/recordConsents.ts"
import { releaseIdentities } from "../identities/releaseIdentities.ts"
import { shareOptOuts } from "../consent/shareOptOuts.ts"

export interface BulkOutcome {
  readonly changed: number
  /** Contacts with consent changed to `unsubscribed`. */
  readonly unsubscribed: number
}

const outcomeOf = (changed: number): BulkOutcome => ({ changed, unsubscribed: 0 })

const changeConsent = Effect.fnUntraced(function* (ids: ReadonlyArray<ContactId>, said: NewConsent) {
  const contacts = yield* Contacts
  const now = yield* DateTime.now
  const taken = yield* contacts.lock(ids)
  const kept = yield* findSuppressed(withdrawsOptOut(said) ? taken.flatMap(({ identities }) => identities) : [])
  const changes = taken.flatMap((before) => {
    if (withdrawsOptOut(said) && (isLasting(before.consent) || latestOptOut(before.identities, kept) !== null))
      return []
    const consent = consentAfter(before.consent, said, now)
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
      evidence: said.evidence ?? null
    }))
  )
  yield* shareOptOuts(changes.map(({ after }) => after))
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
      return outcomeOf((yield* contacts[change.action](ids, tags, yield* DateTime.now)).length)
    }
    case "consent":
      return yield* changeConsent(ids, change.marketing)
    case "delete": {
      // They are locked first, so that no conversation with them begins meanwhile.
      const locked = yield* contacts.lock(ids)
      yield* releaseIdentities(locked.map((contact) => ({ contact, identities: contact.identities })))
      const parts = yield* (yield* ContactHistory).partsOf(ids)
      yield* (yield* ContactHoldings).forget([...ids, ...parts], false)
      return outcomeOf((yield* contacts.remove(ids)).length)
    }
  }
})
