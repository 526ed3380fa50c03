import type { Fault } from "@parley/domain"
import { mostFaults } from "./faultsOf.ts"
import { pointerOf } from "./pointerOf.ts"

const isUtf8 = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const isAscii = (text: string) => /^[\x21-\x7e]*$/u.test(text)

const expected = "Expected percent-encoded UTF-8"

const nameOf = (written: string) => {
  const name = written.replaceAll("+", " ")
  return isUtf8(name) ? decodeURIComponent(name) : name
}

/** Parameters of a query that cannot be decoded: taken as they are, they would be other texts. */
export const faultsOfQuery = (url: string): ReadonlyArray<Fault> => {
  const start = url.indexOf("?")
  if (start === -1) return []
  const query = url.slice(start + 1)
  if (!query.includes("%") && isAscii(query)) return []
  return query.split("&").flatMap((pair) => {
    if (isAscii(pair) && isUtf8(pair)) return []
    const [name = ""] = pair.split("=", 1)
    return [{ pointer: pointerOf("Query", [nameOf(name)]), message: expected }]
  })
}

/** Every parameter of a query, where none is known. */
export const surplusOfQuery = (url: string): ReadonlyArray<Fault> => {
  const start = url.indexOf("?")
  if (start === -1) return []
  const pairs = url.slice(start + 1).split("&", mostFaults)
  const names = new Set(pairs.map((pair) => nameOf(pair.split("=", 1)[0] ?? "")))
  names.delete("")
  return Array.from(names, (name) => ({
    pointer: pointerOf("Query", [name]),
    message: isUtf8(name) ? "There is no such parameter" : expected
  }))
}

/** Whether a path can be decoded. */
export const isPathDecodable = (path: string): boolean => isAscii(path) && isUtf8(path)

/** The fault of a path that cannot be decoded. */
export const faultOfPath: Fault = { pointer: pointerOf("Params", []), message: expected }
