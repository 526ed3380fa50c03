const [quote, backslash, space, dash, point, zero, nine] = [0x22, 0x5c, 0x20, 0x2d, 0x2e, 0x30, 0x39]
const [opening, closing, openingList, comma, colon] = [0x7b, 0x7d, 0x5b, 0x2c, 0x3a]

/** A number with this many digits is exact in JavaScript and prints the same digits. */
const mostDigits = 15

/** A number with more decimals can be printed with an exponent. */
const mostDecimals = 6

const isDigit = (byte: number) => byte >= zero && byte <= nine

/**
 * End of the number that starts here, if `JSON.stringify` prints it the same; `null` if it can differ. PostgreSQL keeps all digits of the input and
 * never prints an exponent.
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
 * Copies PostgreSQL's JSON without spaces between values, which equals `JSON.stringify`: the escapes are the same. Returns the end position; `null`
 * for a number that the two can print differently.
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

/** End of the string or other plain value that starts here. */
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

/** Whether compact JSON is an object with exactly these quoted field names, in this order, and plain values. */
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
