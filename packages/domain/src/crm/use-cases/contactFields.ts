import { DateTime, Effect, Equal } from "effect"
import {
  CurrentActor,
  hasPermission,
  invalid,
  Locks,
  nextId,
  NotFound,
  paged,
  type PageRequest,
  requireVersion,
  transact,
  useCase
} from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { startJob } from "../../platform/jobs/index.ts"
import {
  ContactField,
  type ContactFieldPatch,
  ContactFields,
  maxContactFields,
  type NewContactField
} from "../ContactFields.ts"
import { ContactFieldId } from "../Identity.ts"
import { deleteContactFieldJob } from "../bulkChanges.ts"
import { appendEvent } from "../events.ts"
import { ContactFilterFields } from "../filter/ContactFilterFields.ts"
import { describeFilterFields } from "../filter/filterFields.ts"

export const createContactField = useCase(
  {
    name: "contactFields.create",
    access: { permission: "contact_fields.manage" },
    audit: "contact_field.created",
    emits: ["contact_field.created"]
  },
  Effect.fnUntraced(function* ({ key, name, type, ...input }: NewContactField) {
    const choices = input.choices ?? null
    if (type === "enum" && choices === null) return yield* invalid("/choices", "A field of the type enum needs choices")
    if (type !== "enum" && choices !== null) {
      return yield* invalid("/choices", "Only a field of the type enum has choices")
    }
    const fields = yield* ContactFields
    yield* (yield* Locks).exclusive("contact_fields")
    if ((yield* fields.all()).length >= maxContactFields) {
      return yield* invalid("", `An organization has at most ${maxContactFields} contact fields`)
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
    yield* recordAudit("contact_field.created", { kind: "contact_field", id }, { after: { key, name, type, choices } })
    yield* appendEvent({ type: "contact_field.created", contactFieldId: id })
    return field
  }, transact)
)

/** Lists the custom fields, oldest first. */
export const listContactFields = useCase(
  { name: "contactFields.list", access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* ({ page }: { readonly page: PageRequest }) {
    const fields = yield* ContactFields
    return yield* paged(
      "contact_fields",
      page,
      ({ after, limit }) =>
        Effect.map(fields.all(), (all) =>
          all.filter(({ id }) => after === null || id > (after[0] ?? "")).slice(0, limit)
        ),
      (field) => [field.id]
    )
  })
)

/** Changes the name or the choices of a custom field. */
export const updateContactField = useCase(
  {
    name: "contactFields.update",
    access: { permission: "contact_fields.manage" },
    audit: "contact_field.updated",
    emits: ["contact_field.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: ContactFieldId; readonly ifVersion: number | null } & ContactFieldPatch) {
    const fields = yield* ContactFields
    yield* (yield* Locks).exclusive("contact_fields")
    const before = yield* fields.get(id)
    if (before.status === "deleting") return yield* new NotFound({ resource: "contact field" })
    yield* requireVersion(before, ifVersion)
    const { choices = before.choices, name = before.name } = patch
    if (before.type !== "enum" && choices !== null) {
      return yield* invalid("/choices", "Only a field of the type enum has choices")
    }
    if (name === before.name && Equal.equals(choices, before.choices)) return before
    const after = yield* fields.save(
      new ContactField({ ...before, name, choices, updatedAt: yield* DateTime.now }),
      ifVersion
    )
    yield* recordAudit(
      "contact_field.updated",
      { kind: "contact_field", id },
      { before: { name: before.name, choices: before.choices }, after: { name, choices } }
    )
    yield* appendEvent({ type: "contact_field.updated", contactFieldId: id })
    return after
  }, transact)
)

/** Deletes a custom field with all its values, in the background. Writes to the field fail immediately. */
export const deleteContactField = useCase(
  {
    name: "contactFields.delete",
    access: { permission: "contact_fields.manage" },
    audit: "contact_field.deleted",
    emits: ["job.started"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: ContactFieldId; readonly ifVersion: number | null }) {
    const fields = yield* ContactFields
    yield* (yield* Locks).exclusive("contact_fields")
    const field = yield* fields.get(id)
    if (field.status === "deleting") return yield* new NotFound({ resource: "contact field" })
    yield* requireVersion(field, ifVersion)
    const { key, name, type } = field
    yield* fields.save(new ContactField({ ...field, status: "deleting", updatedAt: yield* DateTime.now }), ifVersion)
    const job = yield* startJob(deleteContactFieldJob, { id, key })
    yield* recordAudit("contact_field.deleted", { kind: "contact_field", id }, { before: { key, name, type } })
    return job
  }, transact)
)

/** Describes the fields that filters of contacts can use. The list has no field that the caller has no permission for. */
export const listFilterFields = useCase(
  { name: "filterFields.list", access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* () {
    const custom = yield* (yield* ContactFields).all()
    const others = yield* (yield* ContactFilterFields).all()
    const actor = yield* CurrentActor
    return describeFilterFields(custom, others).filter(({ permission }) => hasPermission(actor, permission))
  })
)
