import { transact, Uuid } from "@parley/domain/kernel"
import {
  ConsentChange,
  ConsentChangeId,
  type Contact,
  ContactHistory,
  type ContactId,
  ContactMerge,
  ContactMergeId,
  type TimelineNote
} from "@parley/domain/crm"
import { Effect } from "effect"
import { freshId } from "../given.ts"
import { all, evening, idsOf, morning } from "./given.ts"

export const actor = { kind: "operator", id: "Ada “L.” \\ 100 %" } as const

export const newChange = (contactId: ContactId, overrides: Partial<ConsentChange> = {}) =>
  new ConsentChange({
    id: freshId(ConsentChangeId),
    contactId,
    purpose: "marketing",
    state: "subscribed",
    source: "form “%_\\” 🥐",
    evidence: "line 1\nline 2 'x' שלום",
    actor,
    at: morning,
    ...overrides
  })

export const newNote = (kind: "blocked" | "unblocked" = "blocked"): TimelineNote => ({
  kind,
  id: freshId(Uuid),
  at: morning,
  actor
})

export const newMerge = (survivor: Contact, merged: Contact) =>
  new ContactMerge({
    id: freshId(ContactMergeId),
    survivorId: survivor.id,
    before: survivor,
    merged,
    actor,
    at: morning,
    undoneAt: null
  })

export const append = (...changes: ReadonlyArray<ConsentChange>) =>
  Effect.flatMap(ContactHistory, (history) => transact(history.appendConsent(changes)))

export const note = (contactId: ContactId, entry: TimelineNote) =>
  Effect.flatMap(ContactHistory, (history) => transact(history.note(contactId, entry)))

export const merge = (entry: ContactMerge) =>
  Effect.flatMap(ContactHistory, (history) => transact(history.merge(entry)))

export const unmerge = (id: ContactMergeId) =>
  Effect.flatMap(ContactHistory, (history) => transact(history.unmerge(id, evening)))

/** Something that happened with the contact: a change of consent and a note. */
export const givenHistory = Effect.fnUntraced(function* ({ id }: Pick<Contact, "id">) {
  const [change, entry] = [newChange(id, { runId: freshId(Uuid) }), newNote()]
  yield* append(change)
  yield* note(id, entry)
  return [entry.id, change.id] as const
})

export const timeline = ({ id }: Pick<Contact, "id">) =>
  Effect.flatMap(ContactHistory, (history) =>
    Effect.map(history.timeline(id, all), (entries) => entries.map((entry) => entry.id))
  )

export const consents = ({ id }: Pick<Contact, "id">) =>
  Effect.flatMap(ContactHistory, (history) =>
    Effect.map(history.consents(id, all), (changes): ReadonlyArray<string> => idsOf(changes))
  )
