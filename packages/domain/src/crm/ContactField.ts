import { Schema } from "effect"
import { Name } from "../platform/identity/index.ts"
import { Timestamp } from "../kernel/index.ts"
import { ContactFieldId } from "./Ids.ts"

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

const FieldName = Name.check(Schema.isMaxCodePoints(80, { message: "Expected at most 80 characters" }))

const Choice = Name.check(Schema.isMaxCodePoints(80, { message: "Expected at most 80 characters" }))

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
