const [quote, backslash, space, dash, point, zero, nine] = [0x22, 0x5c, 0x20, 0x2d, 0x2e, 0x30, 0x39]
const [opening, closing, openingList, comma, colon] = [0x7b, 0x7d, 0x5b, 0x2c, 0x3a]

/** A number of so many digits is one in JavaScript, too, and of that number they are all digits. */
const mostDigits = 15

/** A number that needs more decimals than these may be written with an exponent. */
const mostDecimals = 6

const isDigit = (byte: number) => byte >= zero && byte <= nine

/**
 * Where the number ends that begins here, if `JSON.stringify` writes it the same; `null` if it may not. PostgreSQL writes all digits
 * that a number was given with, and never an exponent.
 */
const endOfNumber = (source: Uint8Array, from: number, end: number): number | null => {
  const first = source[from] === dash ? from + 1 : from
  let at = first
  while (at < end && isDigit(source[at] ?? 0)) at += 1
  if (source[at] !== point || at >= end) return at - first <= mostDigits ? at : null
  const decimals = at + 1
  at = decimals
  while (at < end && isDigit(source[at] ?? 0)) at += 1
  const isSame = at - decimals <= mostDecimals && at - first - 1 <= mostDigits && source[at - 1] !== zero
  return isSame ? at : null
}

/**
 * Writes JSON as PostgreSQL has written it, but without its spaces between values: so does `JSON.stringify`, whose escapes are the same.
 * Says where it has come to; `null` where there is a number that the two may write in different ways.
 */
export const compactJson = (
  source: Uint8Array,
  from: number,
  end: number,
  target: Uint8Array,
  start: number
): number | null => {
  let to = start
  let at = from
  while (at < end) {
    let byte = source[at++] ?? 0
    if (byte === quote) {
      do {
        target[to++] = byte
        if (byte === backslash) target[to++] = source[at++] ?? 0
        byte = source[at++] ?? quote
      } while (byte !== quote)
      target[to++] = quote
    } else if (byte === dash || isDigit(byte)) {
      const behind = endOfNumber(source, at - 1, end)
      if (behind === null) return null
      target[to++] = byte
      while (at < behind) target[to++] = source[at++] ?? 0
    } else if (byte !== space) {
      target[to++] = byte
    }
  }
  return to
}

/** Where the text or the other plain value ends that begins here. */
const endOfPlain = (bytes: Uint8Array, from: number, end: number): number => {
  let at = from
  if (bytes[at] !== quote) {
    while (at < end && bytes[at] !== comma && bytes[at] !== closing) at += 1
    return at
  }
  for (at += 1; bytes[at] !== quote; at += 1) {
    if (at >= end) return end
    if (bytes[at] === backslash) at += 1
  }
  return at + 1
}

/** Whether compact JSON is an object with fields of just these names, in quotes, in this order, whose values are plain. */
export const hasFields = (bytes: Uint8Array, from: number, end: number, names: ReadonlyArray<Uint8Array>): boolean => {
  let at = from
  for (let place = 0; place < names.length; place += 1) {
    const name = names[place]
    if (bytes[at++] !== (place === 0 ? opening : comma) || name === undefined) return false
    for (const byte of name) if (bytes[at++] !== byte) return false
    if (bytes[at++] !== colon || bytes[at] === opening || bytes[at] === openingList) return false
    at = endOfPlain(bytes, at, end)
  }
  return bytes[at] === closing && at === end - 1
}
