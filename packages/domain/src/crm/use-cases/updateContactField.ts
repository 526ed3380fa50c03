import { DateTime, Effect, Equal } from "effect"
import { record } from "../../platform/audit/index.ts"
import { invalid, Locks, NotFound, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { ContactField, type ContactFieldPatch } from "../ContactField.ts"
import { ContactFields } from "../ContactFields.ts"
import type { ContactFieldId } from "../Ids.ts"

/** Changes the name or the choices of a custom field. */
export const updateContactField = useCase(
  "contactFields.update",
  { access: { permission: "contact_fields.manage" } },
  Effect.fnUntraced(function* (id: ContactFieldId, patch: ContactFieldPatch, expectedVersion: number | null) {
    const fields = yield* ContactFields
    yield* (yield* Locks).exclusive("contact_fields")
    const before = yield* fields.get(id)
    if (before.status === "deleting") return yield* new NotFound({ resource: "contact field" })
    yield* requireVersion(before, expectedVersion)
    const { choices = before.choices, name = before.name } = patch
    if (before.type !== "enum" && choices !== null) {
      return yield* invalid("/choices", "Only a field of the type enum has choices")
    }
    if (name === before.name && Equal.equals(choices, before.choices)) return before
    const after = yield* fields.save(
      new ContactField({ ...before, name, choices, updatedAt: yield* DateTime.now }),
      expectedVersion
    )
    yield* record(
      "contact_field.updated",
      { kind: "contact_field", id },
      { before: { name: before.name, choices: before.choices }, after: { name, choices } }
    )
    yield* appendEvent({ type: "contact_field.updated", contactFieldId: id })
    return after
  }, transact)
)
