import { Effect } from "effect"
import { CurrentActor, nextId, refer } from "../../kernel/index.ts"
import { type Consent, ConsentChange, ConsentChangeId, hasConsentChanged } from "../Consent.ts"
import { ContactHistory } from "../ContactHistory.ts"
import type { ContactId } from "../Ids.ts"

/** A contact's consent before and after a declaration or an observation. */
export interface ConsentStep {
  readonly contactId: ContactId
  /** Null for a new contact. */
  readonly before: Consent | null
  readonly after: Consent
  readonly evidence: string | null
}

/** Appends consent changes to the ledger, one entry for each. Only this function writes to the ledger, and a repeated step appends nothing. */
export const recordConsents = Effect.fnUntraced(function* (steps: ReadonlyArray<ConsentStep>) {
  const actor = refer(yield* CurrentActor)
  const entries = yield* Effect.forEach(
    steps.filter(({ after, before }) => hasConsentChanged(before, after)),
    Effect.fnUntraced(function* ({ after: { changedAt, marketing, source }, contactId, evidence }) {
      if (changedAt === null) return []
      const change = new ConsentChange({
        id: yield* nextId(ConsentChangeId),
        contactId,
        purpose: "marketing",
        state: marketing,
        source: source ?? "api",
        evidence,
        actor,
        at: changedAt
      })
      return [change]
    })
  )
  if (entries.length > 0) yield* (yield* ContactHistory).appendConsent(entries.flat())
})
