import { Predicate } from "effect"
import { toJsonPointer, type ValidationIssue } from "../../../kernel/index.ts"
import { utf8Bytes } from "../../../platform/files/index.ts"

/** Maximum size of a payload as JSON, in bytes. */
const maxPayloadBytes = 64 * 1024

/** Maximum number of reported issues. */
const maxIssues = 20

/** Fields that Parley sets, or that would turn the message into another call, with the remedy. */
const topLevelFields: Readonly<Record<string, string>> = {
  messaging_product: "Parley sets it",
  recipient_type: "Parley sets it",
  context: "Use replyToId",
  status: "Use PUT /conversations/{id}/presence with showToContact",
  typing_indicator: "Use PUT /conversations/{id}/presence with showToContact"
}

/** Fields that would change the recipient or the payer, break receipts, or make the provider fetch a file, with the remedy. */
const anywhereFields: Readonly<Record<string, string>> = {
  to: "Use recipient of the message",
  recipient: "Use recipient of the message",
  biz_opaque_callback_data: "Parley sets it",
  messaging_account_id: "Parley sets it",
  paid_messaging_account_id: "Parley sets it",
  template: "Use the kind template",
  link: "Upload the file and use its id"
}

type Path = ReadonlyArray<string | number>

const refused = (path: Path, message: string): ValidationIssue => ({ pointer: toJsonPointer(path), message })

const fieldIssue = (path: Path, key: string, value: unknown): ReadonlyArray<ValidationIssue> => {
  const name = key.toLowerCase()
  const fields = path.length === 1 ? { ...anywhereFields, ...topLevelFields } : anywhereFields
  const remedy = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (remedy !== undefined) return [refused([...path, key], `Expected no ${name}. ${remedy}`)]
  const isTemplate = name === "type" && typeof value === "string" && value.toLowerCase() === "template"
  return isTemplate ? [refused([...path, key], "Expected no template. Use the kind template")] : []
}

const fieldIssues = (value: unknown, path: Path): ReadonlyArray<ValidationIssue> => {
  if (Array.isArray(value)) return value.flatMap((each, index) => fieldIssues(each, [...path, index]))
  if (!Predicate.isObject(value)) return []
  return Object.entries(value).flatMap(([key, each]) => [
    ...fieldIssue(path, key, each),
    ...fieldIssues(each, [...path, key])
  ])
}

/** Form of a type. The provider adds types, so their names are not checked. */
const typeName = /^[a-z][a-z0-9_]*$/u

/** Whether the payload has its object under the name of its type. `type` itself is a text, and inherited names are no fields. */
const hasTypedObject = (payload: Readonly<Record<string, unknown>>): boolean => {
  const { type } = payload
  return (
    typeof type === "string" && typeName.test(type) && Object.hasOwn(payload, type) && Predicate.isObject(payload[type])
  )
}

/** Returns the rules that a payload in the form of the provider breaks, as issues. */
export const validateProviderPayload = (payload: Readonly<Record<string, unknown>>): ReadonlyArray<ValidationIssue> => {
  if (utf8Bytes(JSON.stringify(payload)).length > maxPayloadBytes) {
    return [{ pointer: "/payload", message: "Expected at most 64 KiB of JSON" }]
  }
  const issues = fieldIssues(payload, ["payload"])
  const typeIssue = hasTypedObject(payload)
    ? []
    : [{ pointer: "/payload/type", message: "Expected the type of the message, and the object of that type" }]
  return [...issues, ...(issues.length === 0 ? typeIssue : [])].slice(0, maxIssues)
}
