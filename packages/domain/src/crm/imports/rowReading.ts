import { Schema } from "effect"
import { isInvalidRecord, type RecordResult } from "../../platform/files/index.ts"
import { EmailAddressInput, Locale, SingleLineText, Timezone } from "../../platform/identity/index.ts"
import {
  type AttributesInput,
  type AttributeValue,
  AttributeValue as Value,
  attributeValueIssue,
  parseCellValue
} from "../Attributes.ts"
import { ConsentState } from "../Consent.ts"
import type { ContactPatch } from "../Contact.ts"
import type { ContactField } from "../ContactFields.ts"
import { ContactId, type IdentityRef, OtherIdentity } from "../Identity.ts"
import { parsePhoneNumber } from "../PhoneNumber.ts"
import { toStorableText } from "./ContactFile.ts"
import { ignoredTarget, type StoredImport, type ImportTarget, isExportOnlyColumn } from "./ContactImport.ts"
import { attributeKeyOf } from "./columnMapping.ts"
import { ambiguousTagNames, joinTagNames, splitTagNames } from "./tagNames.ts"

/** Parsed row of any file format. */
export type ParsedRow = RecordResult<Readonly<Record<string, Schema.Json>>>

/** Error in a row, with its column. */
export interface RowIssue {
  readonly column: string | null
  readonly reason: string
  /** Set if the error depends on stored contacts. */
  readonly ofContacts?: true
}

/** Data of a contact in a row. Empty cells have no effect. */
export interface RowDetails {
  readonly line: number
  readonly cells: ReadonlyArray<string>
  readonly id: ContactId | null
  /** Whether the row has an id of another system. */
  readonly isIdForeign: boolean
  readonly identities: ReadonlyArray<IdentityRef>
  readonly patch: ContactPatch
  readonly tagNames: ReadonlyArray<string>
  readonly tagColumn: string | null
  /** Names that are not added, because each may be several tags. */
  readonly doubtfulTags: ReadonlyArray<string>
}

export interface InvalidRow {
  readonly line: number
  readonly cells: ReadonlyArray<string>
  readonly faults: ReadonlyArray<RowIssue>
}

export const isInvalidRow = (row: RowDetails | InvalidRow): row is InvalidRow => "faults" in row

type Draft = {
  id: ContactId | null
  isIdForeign: boolean
  readonly identities: Array<IdentityRef>
  readonly attributes: Record<string, AttributeValue>
  readonly faults: Array<RowIssue>
  patch: ContactPatch
  tagNames: ReadonlyArray<string>
  tagColumn: string | null
  doubtfulTags: ReadonlyArray<string>
  readonly halves: { firstName?: NamePart; lastName?: NamePart }
}

/** Part of a name, and its column. */
interface NamePart {
  readonly column: string
  readonly value: string
}

type CellDecoder<A> = (text: string) => { readonly value: A } | { readonly fault: string }

const firstErrorLine = (error: Schema.SchemaError): string =>
  error.message.split("\n", 1)[0] ?? "Expected another value"

const cellDecoder = <A>(schema: Schema.ConstraintDecoder<A>): CellDecoder<A> => {
  const decode = Schema.decodeUnknownResult(schema)
  return (text) => {
    const result = decode(text)
    return result._tag === "Success" ? { value: result.success } : { fault: firstErrorLine(result.failure) }
  }
}

/** Caches decoded cells: most files repeat few values, and some values are expensive to check. */
const memoized = <A>(decode: CellDecoder<A>): CellDecoder<A> => {
  const most = 500
  const known = new Map<string, ReturnType<CellDecoder<A>>>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const result = decode(text)
    if (known.size < most) known.set(text, result)
    return result
  }
}

const decodeName = cellDecoder(SingleLineText)
const decodeEmail = cellDecoder(EmailAddressInput)
const decodeLocale = cellDecoder(Locale)
const decodeTimezone = memoized(cellDecoder(Timezone))
const decodeExternalId = cellDecoder(OtherIdentity.fields.value)
const decodeConsent = cellDecoder(ConsentState)
const decodeAttributeValue = cellDecoder(Value)
const isContactId = Schema.is(ContactId)

/** Source of consent from files. */
const consentSource = "import"

const maxTags = 50

/** Fills one target from the non-empty text of a cell. */
type CellFiller = (draft: Draft, column: string, text: string, cell: Schema.Json | undefined) => void

const fillWith =
  <A>(decode: CellDecoder<A>, keep: (draft: Draft, value: A, column: string) => void): CellFiller =>
  (draft, column, text) => {
    const result = decode(text.trim())
    if ("fault" in result) draft.faults.push({ column, reason: result.fault })
    else keep(draft, result.value, column)
  }

const fillPhone = (country: string | null): CellFiller => {
  const expected =
    country === null
      ? "Expected a phone number with its country code, such as +49 170 1234567"
      : `Expected a phone number of ${country}, or one with its country code`
  return fillWith(
    (text) => {
      const number = text.length > 64 ? null : parsePhoneNumber(text, country)
      return number === null ? { fault: expected } : { value: number }
    },
    (draft, phone) => {
      draft.patch = { ...draft.patch, phone }
      draft.identities.push({ kind: "phone", value: phone })
    }
  )
}

const fillAttribute =
  (field: ContactField | undefined, key: string): CellFiller =>
  (draft, column, text) => {
    if (field === undefined) {
      draft.faults.push({ column, reason: `The contact field with the key ${key} no longer exists` })
      return
    }
    const whole = field.type === "text" ? text : text.trim()
    const value = parseCellValue(field, whole)
    if (value === null) {
      const fault = attributeValueIssue(field, field.type === "enum" || field.type === "date" ? whole : null)
      draft.faults.push({ column, reason: fault ?? "Expected another value" })
      return
    }
    const checked = typeof value === "string" ? decodeAttributeValue(value) : { value }
    if ("fault" in checked) draft.faults.push({ column, reason: checked.fault })
    else draft.attributes[key] = checked.value
  }

const isTextList = (value: Schema.Json | undefined): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

const fillTags =
  ({ tagSeparator }: StoredImport): CellFiller =>
  (draft, column, text, cell) => {
    const isList = isTextList(cell)
    const names = isList ? splitTagNames(joinTagNames(cell)) : splitTagNames(text, tagSeparator)
    if (names.length > maxTags) draft.faults.push({ column, reason: `Expected at most ${maxTags} tags` })
    draft.tagNames = names
    draft.tagColumn = column
    if (!isList && tagSeparator === undefined) draft.doubtfulTags = ambiguousTagNames(text)
  }

/** Joins the name parts of a row. */
const joinNameParts = (draft: Draft) => {
  const halves = [draft.halves.firstName, draft.halves.lastName].filter((half) => half !== undefined)
  const last = halves.at(-1)
  if (last === undefined) return
  const whole = decodeName(halves.map(({ value }) => value).join(" "))
  if ("fault" in whole) draft.faults.push({ column: last.column, reason: whole.fault })
  else draft.patch = { ...draft.patch, name: whole.value }
}

const fillerFor = (
  target: ImportTarget,
  order: StoredImport,
  fields: ReadonlyMap<string, ContactField>
): CellFiller => {
  switch (target) {
    case "id":
      // An id of another system or organization matches no contact. Such rows are counted.
      return (draft, _, text) => {
        const id = text.trim()
        if (isContactId(id)) draft.id = id
        else draft.isIdForeign = true
      }
    case "name":
      return fillWith(decodeName, (draft, value) => (draft.patch = { ...draft.patch, name: value }))
    case "firstName":
    case "lastName":
      return fillWith(decodeName, (draft, value, column) => (draft.halves[target] = { column, value }))
    case "phone":
      return fillPhone(order.country)
    case "email":
      return fillWith(decodeEmail, (draft, value) => {
        draft.patch = { ...draft.patch, email: value }
        draft.identities.push({ kind: "email", value })
      })
    case "locale":
      return fillWith(decodeLocale, (draft, value) => (draft.patch = { ...draft.patch, locale: value }))
    case "timezone":
      return fillWith(decodeTimezone, (draft, value) => (draft.patch = { ...draft.patch, timezone: value }))
    case "external":
      return fillWith(decodeExternalId, (draft, value) => draft.identities.push({ kind: "external", value }))
    case "marketing":
      return fillWith(
        (text) => decodeConsent(text.toLowerCase()),
        (draft, state) => (draft.patch = { ...draft.patch, marketing: { state, source: consentSource } })
      )
    case "tags":
      return fillTags(order)
    default: {
      const key = attributeKeyOf(target) ?? target
      return fillAttribute(fields.get(key), key)
    }
  }
}

/** Returns the text of a cell. NDJSON cells can be numbers, booleans or lists; `null` for an empty cell. */
const cellText = (value: Schema.Json | undefined): string | null => {
  if (value === undefined || value === null) return ""
  if (typeof value === "string") return value
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return isTextList(value) ? joinTagNames(value) : null
}

/** Builds the reader of rows. It applies the same rules as the creation of single contacts. */
export const makeRowReader = (order: StoredImport, active: ReadonlyArray<ContactField>) => {
  const fields = new Map(active.map((field) => [field.key, field]))
  const fills = order.mapping
    .filter(({ target }) => target !== ignoredTarget)
    .map(({ column, target }) => ({ column, fill: fillerFor(target, order, fields) }))
  const known = new Set(order.mapping.map(({ column }) => column))
  const isRefused = (column: string) => !known.has(column) && !isExportOnlyColumn(column)
  // The header of a CSV file is checked before its first row.
  const unwanted = (row: Readonly<Record<string, Schema.Json>>) =>
    order.strict === true && order.format === "ndjson" ? Object.keys(row).filter(isRefused) : []
  return (reading: ParsedRow): RowDetails | InvalidRow => {
    const { line } = reading
    if (isInvalidRecord(reading)) return { line, cells: [], faults: [{ column: null, reason: reading.fault }] }
    const row = reading.cells
    const draft: Draft = {
      id: null,
      isIdForeign: false,
      identities: [],
      attributes: {},
      faults: [],
      patch: {},
      tagNames: [],
      tagColumn: null,
      doubtfulTags: [],
      halves: {}
    }
    for (const { column, fill } of fills) {
      const cell = Object.hasOwn(row, column) ? row[column] : undefined
      const text = cellText(cell)
      if (text === null)
        draft.faults.push({ column, reason: "Expected a text, a number, true or false, or a list of texts" })
      else if (text.trim() !== "") fill(draft, column, text, cell)
    }
    joinNameParts(draft)
    for (const column of unwanted(row)) {
      draft.faults.push({
        column: toStorableText(column),
        reason: "The column has no target, and the import is strict"
      })
    }
    const cells = order.header.map((column) => cellText(Object.hasOwn(row, column) ? row[column] : undefined) ?? "")
    if (draft.faults.length > 0) return { line, cells, faults: draft.faults }
    const { attributes, doubtfulTags, id, identities, isIdForeign, tagColumn, tagNames } = draft
    const others = identities
      .filter((identity) => identity.kind === "external")
      .map(({ value }) => ({ kind: "external" as const, value }))
    const input: AttributesInput = attributes
    return {
      line,
      cells,
      id,
      isIdForeign,
      identities,
      tagNames,
      tagColumn,
      doubtfulTags,
      patch: {
        ...draft.patch,
        ...(others.length > 0 && { addIdentities: others }),
        ...(Object.keys(input).length > 0 && { attributes: input })
      }
    }
  }
}
