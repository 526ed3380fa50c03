import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { NotFound, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { Contacts } from "../Contacts.ts"
import { Duplicates } from "../Duplicates.ts"
import type { ContactId } from "../Ids.ts"
import { shareOptOuts } from "../consent/shareOptOuts.ts"

/** Says that two contacts are two people. What they were thought to be one by does not count again. */
export const dismissDuplicate = useCase(
  "contacts.dismissDuplicate",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: ContactId, otherId: ContactId) {
    const taken = yield* (yield* Contacts).lock([...new Set([id, otherId])])
    const [contact, other] = [taken.find((each) => each.id === id), taken.find((each) => each.id === otherId)]
    if (contact === undefined) return yield* new NotFound({ resource: "contact" })
    const now = yield* DateTime.now
    const dismissed =
      other === undefined ? 0 : yield* (yield* Duplicates).dismiss(contact.identities, other.identities, now)
    if (other === undefined || dismissed === 0) return yield* new NotFound({ resource: "duplicate" })
    yield* record("contact.duplicate_dismissed", { kind: "contact", id }, { after: { contactId: otherId } })
    yield* appendEvent({ type: "contact.duplicate_dismissed", contactId: id, otherId })
    yield* shareOptOuts([contact, other])
  }, transact)
)
