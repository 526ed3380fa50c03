import { Predicate, type Schema } from "effect"
import { toStorableText } from "../../../crm/index.ts"
import type { InboundContent, InboundReferral } from "../../chat/index.ts"
import type { MessageKind } from "../Message.ts"
import type { Referral } from "../MessageDetails.ts"

/** Converts the name to a storable name: one line of limited length; `null` if nothing is left. */
export const sanitizeName = (name: string | null): string | null => {
  const line = (name ?? "")
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .trim()
    .slice(0, 200)
    .replace(/[\p{Cs}\s]+$/u, "")
  return line === "" ? null : line
}

/** Converts the text to storable text. */
export const toPlainText = (text: string): string => toStorableText(text)

/** Converts the text to storable text; `null` for an empty text. */
export const toPlainTextOrNull = (text: string | null): string | null =>
  text === null || text === "" ? null : toStorableText(text)

/** A provider's message rarely has a tenth of this length. */
const maxRawLength = 16_384

/** Deeper levels contain nothing useful. */
const maxRawDepth = 16

const toPlainJson = (value: unknown, depth: number): Schema.Json => {
  if (Predicate.isString(value)) return toPlainText(value)
  if (Predicate.isNumber(value)) return Number.isFinite(value) ? value : null
  if (Predicate.isBoolean(value)) return value
  if (!Predicate.isObjectOrArray(value) || depth === maxRawDepth) return null
  return Array.isArray(value)
    ? value.map((each) => toPlainJson(each, depth + 1))
    : Object.fromEntries(Object.entries(value).map(([key, each]) => [toPlainText(key), toPlainJson(each, depth + 1)]))
}

/** Returns the provider's message in storable form: unchanged, or its beginning as text if it is too long. */
const boundedJson = (received: unknown): Schema.Json => {
  const value = toPlainJson(received, 0)
  const text = JSON.stringify(value)
  return text.length <= maxRawLength ? value : { truncated: text.slice(0, maxRawLength).toWellFormed() }
}

/** Returns the values of a form in storable form; `null` if they are too long. */
export const toFormValues = (
  values: Readonly<Record<string, Schema.Json>> | null
): Readonly<Record<string, Schema.Json>> | null => {
  const value = toPlainJson(values, 0)
  return Predicate.isObject(value) && JSON.stringify(value).length <= maxRawLength
    ? (value as Readonly<Record<string, Schema.Json>>)
    : null
}

/** Returns the provider data that the other fields of a message do not contain. */
export const toStoredRaw = (
  { content, raw }: { readonly content: InboundContent; readonly raw?: Schema.Json },
  kind: MessageKind
): Schema.Json | null => (raw === undefined && kind !== "unsupported" ? null : boundedJson(raw ?? content))

const maxReferralLength = 2_048

const truncateReferralText = (text: string | null) =>
  toPlainTextOrNull(text === null ? null : text.slice(0, maxReferralLength).toWellFormed())

/** Converts the advertisement of a message to its stored form. */
export const toReferral = (reported: InboundReferral | undefined): Referral | null =>
  reported === undefined
    ? null
    : {
        sourceType: truncateReferralText(reported.sourceType),
        sourceId: truncateReferralText(reported.sourceId),
        sourceUrl: truncateReferralText(reported.sourceUrl),
        headline: truncateReferralText(reported.headline),
        body: truncateReferralText(reported.body),
        mediaType: truncateReferralText(reported.mediaType),
        mediaUrl: truncateReferralText(reported.mediaUrl),
        clickId: truncateReferralText(reported.clickId),
        welcomeText: truncateReferralText(reported.welcomeText)
      }
