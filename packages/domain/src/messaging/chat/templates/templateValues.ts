import { DateTime, Option, Schema } from "effect"
import { StorableJsonObject } from "../../../kernel/index.ts"
import type { ProductSection } from "./FilledTemplate.ts"
import type { TemplateVariable, TemplateVariableKind } from "./templateVariables.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u
const coordinatesPattern = /^(-?\d{1,2}(?:\.\d{1,15})?),\s*(-?\d{1,3}(?:\.\d{1,15})?)$/u

/** Reads a place such as `52.52,13.405`. */
export const parseCoordinates = (value: string) => {
  const [, latitude, longitude] = coordinatesPattern.exec(value) ?? []
  const found = { latitude: Number(latitude), longitude: Number(longitude) }
  return latitude !== undefined && Math.abs(found.latitude) <= 90 && Math.abs(found.longitude) <= 180 ? found : null
}

/** Reads a time with a zone, such as `2026-12-01T18:00:00Z`, in milliseconds since 1970. */
export const parseExpiry = (value: string): number | null =>
  /T.*(?:Z|[+-]\d{2}:?\d{2})$/u.test(value)
    ? Option.getOrNull(Option.map(DateTime.make(value), DateTime.toEpochMillis))
    : null

const decodeObject = Schema.decodeUnknownOption(Schema.fromJsonString(StorableJsonObject))

/** Reads a JSON object. */
export const parseObject = (value: string): Schema.JsonObject | null => Option.getOrNull(decodeObject(value))

const maxProducts = 30

const Sections = Schema.Array(
  Schema.Struct({
    title: Schema.String.check(Schema.isBetweenCodePoints(1, 24)),
    products: Schema.NonEmptyArray(Schema.String.check(Schema.isBetweenCodePoints(1, 100)))
  })
).check(Schema.isBetweenLength(1, 10))

const decodeSections = Schema.decodeUnknownOption(Schema.fromJsonString(Sections))

/** Reads sections such as `[{"title":"Bread","products":["rye","spelt"]}]`. */
export const parseSections = (value: string): ReadonlyArray<ProductSection> | null => {
  const sections = Option.getOrNull(decodeSections(value))
  const count = sections?.reduce((sum, { products }) => sum + products.length, 0) ?? 0
  return count > maxProducts ? null : sections
}

/** Values of these kinds are longer than a text. */
const longKinds: ReadonlySet<TemplateVariableKind> = new Set(["product_sections", "flow_data", "order_details"])

const issueOfKind = (kind: TemplateVariableKind, value: string): string | null => {
  switch (kind) {
    case "image":
    case "video":
    case "document":
      return uuid.test(value) ? null : `Expected the id of an uploaded ${kind}`
    case "gif":
      return uuid.test(value) ? null : "Expected the id of an uploaded video"
    case "location":
      return parseCoordinates(value) === null ? "Expected a place such as 52.52,13.405" : null
    case "url_suffix":
      return /\s/u.test(value) ? "Expected the end of an address, without spaces" : null
    case "code":
      return /^[A-Za-z0-9]{1,20}$/u.test(value) ? null : "Expected a code of at most 20 letters and digits"
    case "one_time_code":
      return /^\S{1,15}$/u.test(value) ? null : "Expected a code of at most 15 characters, without spaces"
    case "expiry":
      return parseExpiry(value) === null ? "Expected a time such as 2026-12-01T18:00:00Z" : null
    case "catalog_id":
    case "product_id":
      return /^\S{1,100}$/u.test(value) ? null : "Expected an id of 1 to 100 characters, without spaces"
    case "product_sections":
      return parseSections(value) === null
        ? 'Expected up to 10 sections and 30 products such as [{"title":"Bread","products":["rye"]}]'
        : null
    case "flow_data":
    case "order_details":
      return parseObject(value) === null ? "Expected a JSON object" : null
    case "flow_token":
      return value.length > 200 ? "Expected a token of at most 200 characters" : null
    case "payload":
      return value.length > 512 ? "Expected a text of at most 512 characters" : null
    case "minutes":
      return /^[1-9]\d{0,4}$/u.test(value) && Number(value) <= 43_200 ? null : "Expected 1 to 43200 minutes"
    case "text":
      return /[\n\t]| {5}/u.test(value)
        ? "Expected one line without tabs and long gaps, because the provider rejects them"
        : null
    case "unsupported":
      return "The template has components that Parley cannot send"
  }
}

/** Returns the issue of a variable's value; `null` for a valid value. */
export const templateValueIssue = ({ kind }: TemplateVariable, value: string): string | null =>
  !longKinds.has(kind) && Array.from(value).length > 1_024
    ? "Expected at most 1024 characters"
    : issueOfKind(kind, value)
