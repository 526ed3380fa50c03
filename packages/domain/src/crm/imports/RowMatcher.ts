import type { DateTime } from "effect"
import { hasConsentChanged } from "../Consent.ts"
import { Contact } from "../Contact.ts"
import { type ContactId, identityLookupKey, type IdentityRef, type TagId } from "../Identity.ts"
import type { ReleasedIdentities } from "../Suppressions.ts"
import type { ConsentStep } from "../consentRecords.ts"
import { applyContactPatch, buildContact } from "../contactDrafts.ts"
import type { IdentityPair } from "../duplicatePairs.ts"
import {
  isLastingOptOut,
  findLatestOptOut,
  newIdentities,
  type SuppressedOptOuts,
  isOptOutWithdrawal,
  withOptOuts
} from "../optOuts.ts"
import type { RowDetails, RowIssue } from "./rowReading.ts"

/** Result of a row. */
export type MatchedRow = "created" | "updated" | "unchanged" | RowIssue

const identityLabels: Readonly<Record<IdentityRef["kind"], string>> = {
  phone: "the phone number",
  email: "the e-mail address",
  external: "the external id",
  chat_user: "the chat user",
  store_customer: "the store customer"
}

const conflictIssue = (owners: ReadonlyMap<ContactId, string>): RowIssue => ({
  column: null,
  ofContacts: true,
  reason: `The row matches several contacts: ${Array.from(owners, ([id, what]) => `${what} belongs to ${id}`).join(", ")}. Merge them, or fix the row.`
})

const withTags = (contact: Contact, tags: ReadonlyArray<TagId>): Contact => {
  const all = [...new Set([...contact.tags, ...tags])].toSorted()
  return all.length === contact.tags.length ? contact : new Contact({ ...contact, tags: all })
}

/** Contacts of a step while its rows are matched in sequence. A row finds the contacts that earlier rows created. Stores nothing. */
export class RowMatcher {
  private readonly owners = new Map<string, ContactId>()
  private readonly current = new Map<ContactId, Contact>()
  private readonly stored = new Map<ContactId, Contact>()
  private readonly now: DateTime.Utc
  private readonly optOuts: SuppressedOptOuts
  readonly consents: Array<ConsentStep> = []
  readonly left: Array<ReleasedIdentities> = []
  /** Identity pairs from rows that match several contacts. Each row reports them as one person's. */
  readonly identityPairs: Array<IdentityPair> = []
  suppressed = 0

  constructor(found: ReadonlyArray<Contact>, optOuts: SuppressedOptOuts, now: DateTime.Utc) {
    this.now = now
    this.optOuts = optOuts
    for (const contact of found) {
      this.stored.set(contact.id, contact)
      this.keep(null, contact)
    }
  }

  /** Returns whether the row has an id of no contact of this organization. */
  saysUnknownId({ id, isIdForeign }: RowDetails): boolean {
    return isIdForeign || (id !== null && !this.current.has(id))
  }

  /** Returns the contact of the row, `null` for a new one, or an error for several. */
  subjectOf({ id, identities }: RowDetails): Contact | RowIssue | null {
    const found = new Map<ContactId, string>()
    if (id !== null && this.current.has(id)) found.set(id, "the id")
    for (const identity of identities) {
      const owner = this.owners.get(identityLookupKey(identity))
      if (owner !== undefined && !found.has(owner)) found.set(owner, identityLabels[identity.kind])
    }
    if (found.size > 1) {
      const owned = identities.filter((identity) => this.owners.has(identityLookupKey(identity)))
      const [first, ...others] = owned
      for (const other of others) {
        const isAnothers =
          this.owners.get(identityLookupKey(other)) !== this.owners.get(identityLookupKey(first ?? other))
        if (first !== undefined && isAnothers) this.identityPairs.push([first, other])
      }
      return conflictIssue(found)
    }
    for (const owner of found.keys()) return this.current.get(owner) ?? null
    return null
  }

  drafted(id: ContactId, row: RowDetails, tags: ReadonlyArray<TagId>): Contact {
    const { addIdentities = [], attributes, email, locale, marketing, name, phone, timezone } = row.patch
    const identities = addIdentities.flatMap(({ kind, value }) => (kind === "external" ? [{ kind, value }] : []))
    return buildContact(
      id,
      {
        identities,
        tags,
        ...(name !== undefined && { name }),
        ...(phone !== undefined && { phone }),
        ...(email !== undefined && { email }),
        ...(locale !== undefined && { locale }),
        ...(timezone !== undefined && { timezone }),
        ...(attributes !== undefined && { attributes }),
        ...(marketing !== undefined && { marketing })
      },
      "import",
      this.now
    )
  }

  /** Returns the contact after the row; the same object if the row changes nothing. */
  changed(before: Contact, row: RowDetails, tags: ReadonlyArray<TagId>): Contact {
    return withTags(applyContactPatch(before, row.patch, "import", this.now), tags)
  }

  /** Builds the contact of the row with its stored opt-outs. Contradicting consent in the row is ignored. */
  heeding(before: Contact | null, row: RowDetails, make: (row: RowDetails) => Contact) {
    const { marketing, ...others } = row.patch
    const draft = make(row)
    const isWithdrawal = isOptOutWithdrawal(marketing) && hasConsentChanged(before?.consent ?? null, draft.consent)
    const identities = isWithdrawal ? draft.identities : newIdentities(before, draft)
    const isKept =
      (before !== null && isLastingOptOut(before.consent)) || findLatestOptOut(identities, this.optOuts) !== null
    const isRefused = isWithdrawal && isKept
    const plain = isRefused ? make({ ...row, patch: others }) : draft
    const after = withOptOuts(plain, identities, this.optOuts)
    return { after, isSuppressed: isRefused || after !== plain }
  }

  /** Records the contact for the following rows. */
  keep(before: Contact | null, after: Contact, row?: RowDetails) {
    if (before !== null) {
      const contact = before.consent.marketing === "unsubscribed" ? before : after
      this.left.push({ contact, identities: newIdentities(after, before) })
    }
    for (const identity of before?.identities ?? []) this.owners.delete(identityLookupKey(identity))
    for (const identity of after.identities) this.owners.set(identityLookupKey(identity), after.id)
    this.current.set(after.id, after)
    if (row !== undefined) {
      const evidence = row.patch.marketing?.evidence ?? null
      this.consents.push({ contactId: after.id, before: before?.consent ?? null, after: after.consent, evidence })
    }
  }

  /** All contacts in their current state. */
  get all(): ReadonlyArray<Contact> {
    return [...this.current.values()]
  }

  /** New contacts. */
  get added(): ReadonlyArray<Contact> {
    return Array.from(this.current.values()).filter(({ id }) => !this.stored.has(id))
  }

  /** Contacts with changes in addition to tags. */
  get altered(): ReadonlyArray<Contact> {
    return Array.from(this.stored.values()).flatMap((before) => {
      const after = this.current.get(before.id) ?? before
      return after === before || after.updatedAt === before.updatedAt ? [] : [after]
    })
  }

  /** Contacts that get tags, grouped by equal tags, in a fixed order. */
  get tagged(): ReadonlyArray<{ readonly tags: ReadonlyArray<TagId>; readonly ids: ReadonlyArray<ContactId> }> {
    const groups = new Map<string, { readonly tags: ReadonlyArray<TagId>; readonly ids: Array<ContactId> }>()
    for (const before of this.stored.values()) {
      const tags = (this.current.get(before.id) ?? before).tags.filter((tag) => !before.tags.includes(tag))
      if (tags.length === 0) continue
      const group = groups.get(tags.join())
      if (group === undefined) groups.set(tags.join(), { tags, ids: [before.id] })
      else group.ids.push(before.id)
    }
    return Array.from(groups.entries())
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, group]) => group)
  }
}
