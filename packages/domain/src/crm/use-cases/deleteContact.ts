import { Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { requireVersion, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { auditedContact } from "../auditedContact.ts"
import { ContactHistory } from "../ContactHistory.ts"
import { ContactHoldings } from "../ContactHolding.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Ids.ts"
import { releaseIdentities } from "../identities/releaseIdentities.ts"
import { lockContact } from "../lockContact.ts"

/**
 * Deletes a contact with all that was written with it. The ledger of its consent stays, as proof of what was said, and an opt-out
 * counts for whoever comes with the same identities.
 */
export const deleteContact = useCase(
  "contacts.delete",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: ContactId, expectedVersion: number | null) {
    const before = yield* lockContact(id)
    yield* requireVersion(before, expectedVersion)
    yield* releaseIdentities([{ contact: before, identities: before.identities }])
    const parts = yield* (yield* ContactHistory).partsOf([id])
    yield* (yield* ContactHoldings).forget([id, ...parts], false)
    yield* (yield* Contacts).remove([id])
    yield* record("contact.deleted", { kind: "contact", id }, { before: auditedContact(before) })
    yield* appendEvent({ type: "contact.deleted", contactId: id, erased: false })
  }, transact)
)
