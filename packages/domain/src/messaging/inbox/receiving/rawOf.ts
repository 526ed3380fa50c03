import { Predicate, type Schema } from "effect"
import type { InboundContent } from "../../chat/index.ts"
import type { MessageKind } from "../Message.ts"
import { plainText } from "./plainText.ts"

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
