import { DateTime, Effect, Schema } from "effect"
import { record } from "../../audit/index.ts"
import { defineJob, startJob } from "../../jobs/index.ts"
import { Locks, NotFound, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { ContactField, FieldKey } from "../ContactField.ts"
import { ContactFields } from "../ContactFields.ts"
import { Contacts } from "../Contacts.ts"
import { ContactFieldId } from "../Ids.ts"

/** How many contacts a step clears. */
const stride = 1_000

/** Removes the values of a field from every contact, then the field. */
export const deleteContactFieldJob = defineJob({
  name: "contact_fields.delete",
  input: Schema.Struct({ id: ContactFieldId, key: FieldKey }),
  checkpoint: Schema.Struct({ cleared: Schema.Int }),
  step: Effect.fnUntraced(function* ({ id, key }, checkpoint) {
    const cleared = yield* (yield* Contacts).clearAttribute(key, stride, yield* DateTime.now)
    const total = (checkpoint?.cleared ?? 0) + cleared
    const done = cleared < stride
    if (done) {
      yield* Effect.ignore((yield* ContactFields).remove(id))
      yield* appendEvent({ type: "contact_field.deleted", contactFieldId: id })
    }
    return { checkpoint: { cleared: total }, done, progress: { done: total, total: null }, counts: { cleared: total } }
  })
})

/** Has a custom field deleted with all its values, in the background. Nothing can be written into it any more. */
export const deleteContactField = useCase(
  "contactFields.delete",
  { access: { permission: "contact_fields.manage" } },
  Effect.fnUntraced(function* (id: ContactFieldId, expectedVersion: number | null) {
    const fields = yield* ContactFields
    yield* (yield* Locks).exclusive("contact_fields")
    const field = yield* fields.get(id)
    if (field.status === "deleting") return yield* new NotFound({ resource: "contact field" })
    yield* requireVersion(field, expectedVersion)
    const { key, name, type } = field
    yield* fields.save(
      new ContactField({ ...field, status: "deleting", updatedAt: yield* DateTime.now }),
      expectedVersion
    )
    const job = yield* startJob(deleteContactFieldJob, { id, key })
    yield* record("contact_field.deleted", { kind: "contact_field", id }, { before: { key, name, type } })
    return job
  }, transact)
)
