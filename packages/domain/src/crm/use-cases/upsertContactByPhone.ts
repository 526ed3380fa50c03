import { Effect, Schema } from "effect"
import { invalid, transact, useCase } from "../../kernel/index.ts"
import type { Contact, ContactByPhone } from "../Contact.ts"
import { Contacts } from "../Contacts.ts"
import { type PhoneNumber, PhoneNumberInput } from "../PhoneNumber.ts"
import { checkTags } from "../checks/checkTags.ts"
import { addContact } from "../addContact.ts"
import { addTags } from "../tags/addTags.ts"
import { lockContact } from "../lockContact.ts"
import { changeContact } from "../changeContact.ts"

const read = Schema.decodeUnknownEffect(PhoneNumberInput)

const takeKnown = Effect.fnUntraced(function* (phone: PhoneNumber) {
  const [contact] = yield* (yield* Contacts).lockByIdentity([{ kind: "phone", value: phone }])
  return contact ?? null
})

const change = Effect.fnUntraced(function* (taken: Contact, { tags = [], ...patch }: ContactByPhone) {
  yield* checkTags(tags, "/tags")
  const changed = yield* changeContact(taken, patch, "api")
  return { contact: yield* addTags(changed, tags), created: false }
})

/** Makes the contact with this phone number what was said, whether there is one or not. */
export const upsertContactByPhone = useCase(
  "contacts.upsertByPhone",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (typed: string, said: ContactByPhone) {
    const phone = yield* Effect.mapError(read(typed), () =>
      invalid("/phone", "Expected a phone number with its country code, such as +491701234567")
    )
    const found = yield* takeKnown(phone)
    if (found !== null) return yield* change(found, said)
    const add = Effect.map(addContact({ ...said, phone }, "api"), (contact) => ({ contact, created: true }))
    // Somebody else may have added the contact in the meantime: then it is known by now, and nothing was written.
    return yield* Effect.catchTag(add, "ContactExists", (exists) =>
      exists.kind === "phone"
        ? Effect.flatMap(lockContact(exists.contactId), (taken) => change(taken, said))
        : Effect.fail(exists)
    )
  }, transact)
)
