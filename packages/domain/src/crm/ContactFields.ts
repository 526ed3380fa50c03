import { Context, type Effect, Schema } from "effect"
import { type NotFound, type TenantScoped, Timestamp, type Transaction, type VersionConflict } from "../kernel/index.ts"
import { SingleLineText } from "../platform/identity/index.ts"
import { ContactFieldId } from "./Identity.ts"
import type { NameTaken } from "./errors.ts"

/** What a custom field is called in filters, imports and attributes. */
export const FieldKey = Schema.String.check(
  Schema.isPattern(/^[a-z][a-zA-Z0-9_]{0,39}$/u, {
    message: "Expected a lower-case letter, then at most 39 letters, digits or underscores"
  })
)
export type FieldKey = typeof FieldKey.Type

/** The types of custom fields. */
export const FieldType = Schema.Literals(["text", "number", "boolean", "date", "enum"])
export type FieldType = typeof FieldType.Type

const FieldName = SingleLineText.check(Schema.isMaxCodePoints(80, { message: "Expected at most 80 characters" }))

const Choice = SingleLineText.check(Schema.isMaxCodePoints(80, { message: "Expected at most 80 characters" }))

const Choices = Schema.Array(Choice).check(
  Schema.isBetweenLength(1, 100, { message: "Expected 1 to 100 choices" }),
  Schema.isUnique({ message: "Expected each choice once" })
)

/** A custom field of contacts. Its key and its type stay as they are; what `deleting` says is that its values are being removed. */
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

/** What is said of a new custom field. Only an `enum` has choices. */
export const NewContactField = Schema.Struct({
  key: FieldKey,
  name: FieldName,
  type: FieldType,
  choices: Schema.optionalKey(Choices)
}).annotate({ identifier: "NewContactField" })
export type NewContactField = typeof NewContactField.Type

/** What may be changed of a custom field. A choice that goes stays on the contacts that have it. */
export const ContactFieldPatch = Schema.Struct({
  name: Schema.optionalKey(FieldName),
  choices: Schema.optionalKey(Choices)
}).annotate({ identifier: "ContactFieldPatch" })
export type ContactFieldPatch = typeof ContactFieldPatch.Type

/** The most custom fields an organization may have. */
export const maxContactFields = 100

/** The custom fields of the organization: never more than `mostContactFields`. */
export class ContactFields extends Context.Service<
  ContactFields,
  TenantScoped<{
    readonly get: (id: ContactFieldId) => Effect.Effect<ContactField, NotFound>
    /** Every one of them, those that are being deleted too, oldest first. */
    readonly all: () => Effect.Effect<ReadonlyArray<ContactField>>
    /** Keys are taken, whatever their case, also by fields that are being deleted. */
    readonly insert: (field: ContactField) => Effect.Effect<void, NameTaken, Transaction>
    readonly save: (
      field: ContactField,
      expected: number | null
    ) => Effect.Effect<ContactField, NotFound | VersionConflict, Transaction>
    readonly remove: (id: ContactFieldId) => Effect.Effect<void, NotFound, Transaction>
  }>
>()("@parley/domain/crm/ContactFields") {}
