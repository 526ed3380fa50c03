import { Effect, Equal } from "effect"
import { CurrentActor, nextId, refer } from "../../kernel/index.ts"
import { ConsentChange, ConsentChangeId, type NewConsent } from "../Consent.ts"
import type { Contact } from "../Contact.ts"
import { ContactHistory } from "../ContactHistory.ts"

/** Appends changes of consent to the history. Contacts whose consent did not change are ignored. */
export const recordConsents = Effect.fnUntraced(function* (
  changes: ReadonlyArray<{
    readonly before: Contact | null
    readonly after: Contact
    readonly said: NewConsent | undefined
  }>
) {
  const actor = refer(yield* CurrentActor)
  const entries = yield* Effect.forEach(
    changes.filter(
      ({ after, before }) => after.consent.changedAt !== null && !Equal.equals(after.consent, before?.consent)
    ),
    Effect.fnUntraced(function* ({ after, said }) {
      const { changedAt, marketing, source } = after.consent
      if (changedAt === null) return []
      const change = new ConsentChange({
        id: yield* nextId(ConsentChangeId),
        contactId: after.id,
        purpose: "marketing",
        state: marketing,
        source: source ?? "api",
        evidence: said?.evidence ?? null,
        actor,
        at: changedAt
      })
      return [change]
    })
  )
  if (entries.length > 0) yield* (yield* ContactHistory).appendConsent(entries.flat())
})
