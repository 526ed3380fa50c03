import { DateTime, Schema } from "effect"
import type { ContactSearch } from "../crm/index.ts"
import { normalizeForSearch } from "../kernel/index.ts"
import type { CommerceQuery } from "./Ids.ts"
import type { FulfilmentStatus, OrderRecord, PaymentStatus } from "./shopRecords.ts"

/** Sort order of orders; a minus is descending. `createdAt`: when Parley first received the order. */
export const OrderSort = Schema.Literals(["createdAt", "-createdAt", "placedAt", "-placedAt"])
export type OrderSort = typeof OrderSort.Type

/** Parsed search of orders. An order or its customer must contain all words. */
export type OrderSearch = Exclude<ContactSearch, { readonly kind: "beginning" }>

/** Filter and order of orders; `null` matches any value. `placedFrom` is inclusive, `placedTo` is exclusive. */
export interface OrderQuery extends Omit<CommerceQuery, "q"> {
  readonly paymentStatus: PaymentStatus | null
  readonly fulfilmentStatus: FulfilmentStatus | null
  readonly search: OrderSearch | null
  readonly placedFrom: DateTime.Utc | null
  readonly placedTo: DateTime.Utc | null
  readonly sort: OrderSort
}

/** Query that matches all orders, newest first. */
export const allOrders: OrderQuery = {
  storeConnectionId: null,
  contactId: null,
  updatedSince: null,
  paymentStatus: null,
  fulfilmentStatus: null,
  search: null,
  placedFrom: null,
  placedTo: null,
  sort: "-createdAt"
}

/** Fields that searches and orders use. */
interface ListedOrder {
  readonly id: string
  readonly record: OrderRecord
}

/** Returns the cursor key of an order in this order. */
export const orderCursorKey = (sort: OrderSort, { id, record: { placedAt } }: ListedOrder): ReadonlyArray<string> =>
  sort === "placedAt" || sort === "-placedAt" ? [DateTime.formatIso(placedAt), id] : [id]

/** Maximum number of words of a search; further words are ignored. */
const maxWords = 5

/** A national number, or an international one after 00, without separators. Texts have the digits of the international number. */
const nationalNumber = /^0{1,2}[1-9]\d{5,13}$/u

/** A phone number with separators. Its digits are searched. */
const separatedNumber = /^(?:\+|\(?0)[\d\s()./-]*$/u

/** Parses the text of a search field. */
export const parseOrderSearch = (typed: string): OrderSearch => {
  const text = normalizeForSearch(typed)
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .trim()
  const digits = text.replaceAll(/\D/gu, "").replace(/^0+(?=\d)/u, "")
  const isSeparated = separatedNumber.test(text) && /\D/u.test(text) && digits.length >= 3
  const isNumber = isSeparated || nationalNumber.test(text)
  return { kind: "words", words: isNumber ? [digits] : text.split(" ").slice(0, maxWords) }
}

/** Maximum length of a search text. Orders can have hundreds of lines. */
const maxSearchTextLength = 20_000

/**
 * Builds the text for searches: name, contact data, titles and SKUs of the lines, and tracking numbers. A line end separates parts that no word can
 * span.
 */
export const orderSearchText = ({ record: { email, fulfilments, lines, name, phone } }: ListedOrder): string => {
  const parts = [
    name,
    phone,
    phone?.replaceAll(/\D/gu, "") ?? null,
    email,
    ...fulfilments.map(({ trackingNumber }) => trackingNumber),
    ...lines.flatMap(({ sku, title, variantTitle }) => [title, variantTitle, sku])
  ].flatMap((part) => (part === null || part === "" ? [] : [normalizeForSearch(part)]))
  return [...new Set(parts)].join("\n").slice(0, maxSearchTextLength).toWellFormed()
}

/** Returns whether a search matches the search texts of an order and of its customer. */
export const matchesOrderSearch = (texts: ReadonlyArray<string>, search: OrderSearch): boolean => {
  const hasAll = (words: ReadonlyArray<string>) => texts.some((text) => words.every((word) => text.includes(word)))
  if (search.kind === "words") return hasAll(search.words)
  const hasSpellings = texts.some((text) =>
    search.spellings.every((spellings) => spellings.some((word) => text.includes(word)))
  )
  return hasSpellings && !hasAll(search.spellings.flatMap((spellings) => spellings.slice(0, 1)))
}
