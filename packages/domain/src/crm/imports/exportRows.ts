import { DateTime, type Schema } from "effect"
import type { CsvRow } from "../../platform/files/index.ts"
import type { Contact } from "../Contact.ts"
import type { ContactField } from "../ContactField.ts"
import type { TagId } from "../Ids.ts"
import { joinTagNames } from "./tagNames.ts"

/** The columns of an export, in their order. */
export const exportColumns = (fields: ReadonlyArray<ContactField>): ReadonlyArray<string> => [
  "id",
  "name",
  "phone",
  "email",
  "locale",
  "timezone",
  "marketing",
  "tags",
  ...fields.map(({ key }) => `attribute.${key}`),
  "createdAt",
  "lastSeenAt"
]

/** A contact as a row of an export, with the names of its tags. */
export const exportRow = (
  contact: Contact,
  names: ReadonlyMap<TagId, string>,
  fields: ReadonlyArray<ContactField>
): Readonly<Record<string, Schema.Json>> => {
  const { attributes, consent, createdAt, email, id, lastSeenAt, locale, name, phone, timezone } = contact
  return {
    id,
    name,
    phone,
    email,
    locale,
    timezone,
    marketing: consent.marketing,
    tags: contact.tags.flatMap((tag) => names.get(tag) ?? []),
    // A field may have a name that every object knows, such as `constructor`.
    ...Object.fromEntries(
      fields.map(({ key }) => [`attribute.${key}`, Object.hasOwn(attributes, key) ? (attributes[key] ?? null) : null])
    ),
    createdAt: DateTime.formatIso(createdAt),
    lastSeenAt: lastSeenAt === null ? null : DateTime.formatIso(lastSeenAt)
  }
}

const isTexts = (value: Schema.Json): value is ReadonlyArray<string> => Array.isArray(value)

const textOf = (value: Schema.Json): string =>
  value === null ? "" : isTexts(value) ? joinTagNames(value) : String(value)

/** The same row as cells of text. */
export const asCells = (row: Readonly<Record<string, Schema.Json>>): CsvRow =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, textOf(value)]))
