import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { invalid, Locks, nextId, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { ContactField, type NewContactField } from "../ContactField.ts"
import { ContactFields, mostContactFields } from "../ContactFields.ts"
import { ContactFieldId } from "../Ids.ts"

/** Adds a custom field. */
export const createContactField = useCase(
  "contactFields.create",
  { access: { permission: "contact_fields.manage" } },
  Effect.fnUntraced(function* ({ key, name, type, ...said }: NewContactField) {
    const choices = said.choices ?? null
    if (type === "enum" && choices === null) return yield* invalid("/choices", "A field of the type enum needs choices")
    if (type !== "enum" && choices !== null) {
      return yield* invalid("/choices", "Only a field of the type enum has choices")
    }
    const fields = yield* ContactFields
    yield* (yield* Locks).exclusive("contact_fields")
    if ((yield* fields.all()).length >= mostContactFields) {
      return yield* invalid("", `An organization has at most ${mostContactFields} contact fields`)
    }
    const now = yield* DateTime.now
    const id = yield* nextId(ContactFieldId)
    const field = new ContactField({
      id,
      key,
      name,
      type,
      choices,
      status: "active",
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    yield* fields.insert(field)
    yield* record("contact_field.created", { kind: "contact_field", id }, { after: { key, name, type, choices } })
    yield* appendEvent({ type: "contact_field.created", contactFieldId: id })
    return field
  }, transact)
)
