import { DateTime, Effect } from "effect"
import { type BulkChange } from "../Bulk.ts"
import type { NewConsent } from "../Consent.ts"
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

/** Applies a change to contacts, and returns how many of them it changed. */
export const applyBulkChange = Effect.fnUntraced(function* (change: BulkChange, ids: ReadonlyArray<ContactId>) {
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
      // They are locked first, so that no conversation with them begins meanwhile.
      const locked = yield* contacts.lock(ids)
      yield* releaseIdentities(locked.map((contact) => ({ contact, identities: contact.identities })))
      const parts = yield* (yield* ContactHistory).partsOf(ids)
      yield* (yield* ContactHoldings).forget([...ids, ...parts], false)
      return (yield* contacts.remove(ids)).length
    }
  }
})
