import { Context, type Effect, Schema } from "effect"
import { type NotFound, type TenantScoped, Timestamp, type Transaction, type VersionConflict } from "../kernel/index.ts"
import { SingleLineText } from "../platform/identity/index.ts"
import { ContactFieldId } from "./Identity.ts"
import type { NameTaken } from "./errors.ts"

/** Key of a custom field in filters, imports and attributes. */
export const FieldKey = Schema.String.check(
  Schema.isPattern(/^[a-z][a-zA-Z0-9_]{0,39}$/u, {
    message: "Expected a lower-case letter, then at most 39 letters, digits or underscores"
  })
)
export type FieldKey = typeof FieldKey.Type

export const FieldType = Schema.Literals(["text", "number", "boolean", "date", "enum"])
export type FieldType = typeof FieldType.Type

const FieldName = SingleLineText.check(Schema.isMaxCodePoints(80, { message: "Expected at most 80 characters" }))

const Choice = SingleLineText.check(Schema.isMaxCodePoints(80, { message: "Expected at most 80 characters" }))

const Choices = Schema.Array(Choice).check(
  Schema.isBetweenLength(1, 100, { message: "Expected 1 to 100 choices" }),
  Schema.isUnique({ message: "Expected each choice once" })
)

/** Custom field of contacts. Key and type never change. `deleting` means that a job is removing its values. */
export class ContactField extends Schema.Class<ContactField>("ContactField")({
  id: ContactFieldId,
  key: FieldKey,
  name: FieldName,
  type: FieldType,
  choices: Schema.NullOr(Choices),
  status: Schema.Literals(["active", "deleting"]),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** Input for a new custom field. Only an `enum` has choices. */
export const NewContactField = Schema.Struct({
  key: FieldKey,
  name: FieldName,
  type: FieldType,
  choices: Schema.optionalKey(Choices)
}).annotate({ identifier: "NewContactField" })
export type NewContactField = typeof NewContactField.Type

/** Changes of a custom field. A removed choice stays on the contacts that have it. */
export const ContactFieldPatch = Schema.Struct({
  name: Schema.optionalKey(FieldName),
  choices: Schema.optionalKey(Choices)
}).annotate({ identifier: "ContactFieldPatch" })
export type ContactFieldPatch = typeof ContactFieldPatch.Type

/** Maximum number of custom fields of an organization. */
export const maxContactFields = 100

/** Custom fields of the organization, at most `maxContactFields`. */
export class ContactFields extends Context.Service<
  ContactFields,
  TenantScoped<{
    readonly get: (id: ContactFieldId) => Effect.Effect<ContactField, NotFound>
    /** Returns all fields, including those in deletion, oldest first. */
    readonly all: () => Effect.Effect<ReadonlyArray<ContactField>>
    /** Fails if the key is taken. Comparison ignores case and includes fields in deletion. */
    readonly insert: (field: ContactField) => Effect.Effect<void, NameTaken, Transaction>
    readonly save: (
      field: ContactField,
      expected: number | null
    ) => Effect.Effect<ContactField, NotFound | VersionConflict, Transaction>
    readonly remove: (id: ContactFieldId) => Effect.Effect<void, NotFound, Transaction>
  }>
>()("@parley/domain/crm/ContactFields") {}
