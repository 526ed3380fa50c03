import type { Currency, Money } from "@parley/domain/kernel"
import { zeroMoney, parseMoney } from "@parley/domain/commerce"
import { DateTime, Option, Predicate } from "effect"
import { at, textAt } from "../../json.ts"

const gid = /^gid:\/\/shopify\/[A-Za-z]+\/(\d{1,20})(?:\?.*)?$/u

/** The number at the end of an id of the query language. */
export const numberOfGid = (id: string | null): string | null => (id === null ? null : (gid.exec(id)?.[1] ?? null))

/** The id at a path, as its number. */
export const gidAt = (value: unknown, ...path: ReadonlyArray<string>): string | null =>
  numberOfGid(textAt(value, ...path))

/** An id at a path that is a number itself, as deliveries have them. */
export const plainIdAt = (value: unknown, ...path: ReadonlyArray<string>): string | null => {
  const found = at(value, ...path)
  if (Predicate.isNumber(found)) return Number.isSafeInteger(found) && found > 0 ? String(found) : null
  return Predicate.isString(found) && /^\d{1,20}$/u.test(found) ? found : null
}

/** The years that can be written. */
const least = DateTime.makeUnsafe("0001-01-01T00:00:00Z")
const most = DateTime.makeUnsafe("9999-12-31T23:59:59Z")
const withZone = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/u

/** The time at a path. */
export const timeAt = (value: unknown, ...path: ReadonlyArray<string>): DateTime.Utc | null => {
  const text = textAt(value, ...path)
  if (text === null || !withZone.test(text)) return null
  return Option.getOrNull(Option.filter(DateTime.make(text), DateTime.between({ minimum: least, maximum: most })))
}

const currency = /^[A-Z]{3}$/u

/** The currency at a path. */
export const currencyAt = (value: unknown, ...path: ReadonlyArray<string>): Currency | null => {
  const text = textAt(value, ...path)
  return text !== null && currency.test(text) ? text : null
}

/** The amount at a path, as a shop writes it there. */
export const moneyAt = (value: unknown, ...path: ReadonlyArray<string>): Money | null => {
  const amount = textAt(value, ...path, "amount")
  const code = currencyAt(value, ...path, "currencyCode")
  return amount === null || code === null ? null : parseMoney(amount, code)
}

/** Reads the fields of a node, and collects the names of unreadable fields. */
export const fieldsOf = (node: unknown) => {
  const faults: Array<string> = []
  const need = <A>(name: string, value: A | null): A | null => {
    if (value === null) faults.push(name)
    return value
  }
  return {
    faults,
    id: () => need("id", gidAt(node, "id")),
    time: (name: string) => need(name, timeAt(node, name)),
    /** A required amount, in the currency of the shop. */
    money: (name: string) => need(name, moneyAt(node, name, "shopMoney")),
    /** An optional amount in the currency of the shop. A missing value is zero. Another form is an unreadable field. */
    shopMoney: (value: unknown, code: Currency, ...path: ReadonlyArray<string>): Money => {
      const isAbsent = at(value, ...path, "shopMoney") == null
      const found = moneyAt(value, ...path, "shopMoney")
      if (!isAbsent && found === null) faults.push(path.join("."))
      return found ?? zeroMoney(code)
    }
  }
}
export type Fields = ReturnType<typeof fieldsOf>

/** A count of at least zero. */
export const countAt = (value: unknown, ...path: ReadonlyArray<string>): number => {
  const found = at(value, ...path)
  return Predicate.isNumber(found) && Number.isSafeInteger(found) && found > 0 ? found : 0
}
