import { Predicate, type Schema } from "effect"
import { storable } from "../../../crm/index.ts"
import type { InboundContent, InboundReferral } from "../../chat/index.ts"
import type { MessageKind } from "../Message.ts"
import type { Referral } from "../MessageDetails.ts"

/** The name as a name can be kept: one line, no longer than names are; `null` if nothing of it is left. */
export const plainName = (name: string | null): string | null => {
  const line = (name ?? "")
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .trim()
    .slice(0, 200)
    .replace(/[\p{Cs}\s]+$/u, "")
  return line === "" ? null : line
}

/** The text as it can be kept. */
export const plainText = (text: string): string => storable(text)

/** The text as it can be kept, if there is any. */
export const plainOrNull = (text: string | null): string | null =>
  text === null || text === "" ? null : storable(text)

/** A message of the provider is rarely a tenth of this. */
const mostCharacters = 16_384

/** What lies deeper than this says nothing to anybody. */
const mostDepth = 16

const plain = (value: unknown, depth: number): Schema.Json => {
  if (Predicate.isString(value)) return plainText(value)
  if (Predicate.isNumber(value)) return Number.isFinite(value) ? value : null
  if (Predicate.isBoolean(value)) return value
  if (!Predicate.isObjectOrArray(value) || depth === mostDepth) return null
  return Array.isArray(value)
    ? value.map((each) => plain(each, depth + 1))
    : Object.fromEntries(Object.entries(value).map(([key, each]) => [plainText(key), plain(each, depth + 1)]))
}

/** The provider's own message as it can be stored: as it came, or if it is too long its beginning as text. */
const boundedJson = (told: unknown): Schema.Json => {
  const value = plain(told, 0)
  const text = JSON.stringify(value)
  return text.length <= mostCharacters ? value : { truncated: text.slice(0, mostCharacters).toWellFormed() }
}

/** What is kept beside the other fields of a message: what those do not say. */
export const rawOf = (
  { content, raw }: { readonly content: InboundContent; readonly raw?: Schema.Json },
  kind: MessageKind
): Schema.Json | null => (raw === undefined && kind !== "unsupported" ? null : boundedJson(raw ?? content))

const referralOfMostCharacters = 2_048

const bounded = (text: string | null) =>
  plainOrNull(text === null ? null : text.slice(0, referralOfMostCharacters).toWellFormed())

/** The advertisement that a message came from, as it is kept. */
export const referralOf = (told: InboundReferral | undefined): Referral | null =>
  told === undefined
    ? null
    : {
        sourceType: bounded(told.sourceType),
        sourceId: bounded(told.sourceId),
        sourceUrl: bounded(told.sourceUrl),
        headline: bounded(told.headline),
        body: bounded(told.body),
        mediaType: bounded(told.mediaType),
        mediaUrl: bounded(told.mediaUrl),
        clickId: bounded(told.clickId)
      }
