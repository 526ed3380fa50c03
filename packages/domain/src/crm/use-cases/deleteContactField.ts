import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { startJob } from "../../platform/jobs/index.ts"
import { Locks, NotFound, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { ContactField } from "../ContactField.ts"
import { ContactFields } from "../ContactFields.ts"
import { type ContactFieldId } from "../Ids.ts"
import { deleteContactFieldJob } from "../fields/deleteContactFieldJob.ts"

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
