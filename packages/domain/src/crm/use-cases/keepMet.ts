import { type DateTime, Effect } from "effect"
import { CurrentActor, nextId, refer } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { changedFields } from "../audited.ts"
import { type ConsentState, ConsentChange, ConsentChangeId } from "../Consent.ts"
import type { Contact } from "../Contact.ts"
import { ContactHistory } from "../ContactHistory.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Ids.ts"
import { keepOwnWords } from "./keptOptOuts.ts"
import { proposeDuplicates, type ToldTogether } from "./proposeDuplicates.ts"
import { shareOptOuts } from "./shareOptOuts.ts"

/** What a contact has told a provider about marketing. */
export interface ToldConsent {
  readonly contactId: ContactId
  readonly state: ConsentState
  readonly source: string
  readonly evidence: string | null
  readonly at: DateTime.Utc
}

/** Contacts as they came out of what a provider told, and what they have said about marketing. */
export interface MetContacts {
  readonly added: ReadonlyArray<Contact>
  /** They were locked in this unit of work. */
  readonly altered: ReadonlyArray<{ readonly before: Contact; readonly after: Contact }>
  readonly consents: ReadonlyArray<ToldConsent>
  /** Identities of different contacts that were told as those of one person. */
  readonly toldTogether: ReadonlyArray<ToldTogether>
  /** Everybody who was met, as they are now. */
  readonly all: ReadonlyArray<Contact>
}

const enter = Effect.fnUntraced(function* (consents: ReadonlyArray<ToldConsent>) {
  if (consents.length === 0) return
  const actor = refer(yield* CurrentActor)
  const entries = yield* Effect.forEach(
    consents,
    Effect.fnUntraced(function* ({ at, contactId, evidence, source, state }) {
      const id = yield* nextId(ConsentChangeId)
      return new ConsentChange({ id, contactId, purpose: "marketing", state, source, evidence, actor, at })
    })
  )
  yield* (yield* ContactHistory).appendConsent(entries)
})

/** Whether a contact has said something else, or is known by something else. */
const isOtherwise = ({ after, before }: MetContacts["altered"][number]) =>
  after.consent !== before.consent || after.identities !== before.identities

/**
 * Stores contacts whom a provider told of. The plan's limit of contacts does not hold for them: whoever writes is listened to.
 * Whom it met when is no change of a contact that anybody is told of.
 */
export const keepMet = Effect.fnUntraced(function* ({ added, all, altered, consents, toldTogether }: MetContacts) {
  const contacts = yield* Contacts
  if (added.length > 0) yield* contacts.insert(added)
  if (altered.length > 0) yield* contacts.saveAll(altered.map(({ after }) => after))
  yield* enter(consents)
  yield* keepOwnWords([...added, ...altered.filter(isOtherwise).map(({ after }) => after)])
  for (const { id } of added) yield* appendEvent({ type: "contact.created", contactId: id })
  for (const { after, before } of altered) {
    const fields = changedFields(before, after).filter((field) => field !== "marketing")
    if (fields.length > 0) yield* appendEvent({ type: "contact.updated", contactId: after.id, fields })
    if (before.consent.marketing !== after.consent.marketing) {
      yield* appendEvent({
        type: "contact.consent_changed",
        contactId: after.id,
        purpose: "marketing",
        from: before.consent.marketing,
        to: after.consent.marketing
      })
    }
  }
  yield* proposeDuplicates(toldTogether, all, "chat")
  const said = new Set(consents.map(({ contactId }) => contactId))
  yield* shareOptOuts(all.filter(({ id }) => said.has(id)))
})
