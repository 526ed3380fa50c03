const backslash = 92

/** Returns the index of the quote that ends this string; the end of the text if there is none. */
export const findStringEnd = (json: string, start: number): number => {
  let end = json.indexOf('"', start + 1)
  while (end !== -1) {
    let before = end - 1
    while (json.charCodeAt(before) === backslash) before -= 1
    if ((end - before) % 2 === 1) return end
    end = json.indexOf('"', end + 1)
  }
  return json.length
}

const quote = 34
const plus = 43
const comma = 44
const minus = 45
const dot = 46
const zero = 48
const nine = 57
const colon = 58
const lowercaseE = 101

/** A number up to this length without an exponent is parsed exactly. */
const maxExactNumberLength = 15

/** Result of a scan of a JSON text, without parsing it. */
export type JsonScanResult =
  /** `JSON.parse` reads it without loss. */
  | "plain"
  /** It needs the slow reader: a key may be duplicate or escaped, or a number is long. */
  | "odd"
  | "tooDeep"

const isDigit = (code: number) => code >= zero && code <= nine

/** In ASCII, this bit converts a letter to lower case. */
const isExponentMark = (code: number) => (code | 32) === lowercaseE

const isNumberCharacter = (code: number) =>
  isDigit(code) || code === dot || code === minus || code === plus || isExponentMark(code)

/** Tracks the keys of the open objects. An object with few keys needs no set. */
const makeObjectKeyTracker = () => {
  const few = 8
  const lists: Array<Array<string>> = []
  const sets: Array<Set<string> | null> = []
  return {
    open: (depth: number) => {
      lists[depth] = []
      sets[depth] = null
    },
    /** Adds a key; false if it already exists. */
    add: (depth: number, key: string): boolean => {
      const list = lists[depth]
      if (list === undefined) return true
      let set = sets[depth] ?? null
      if (set === null ? list.includes(key) : set.has(key)) return false
      if (set === null && list.length === few) {
        set = new Set(list)
        sets[depth] = set
      }
      if (set === null) list.push(key)
      else set.add(key)
      return true
    }
  }
}

/** Scans a JSON text once. Strings are skipped. */
export const scanJson = (json: string, mostLevels: number): JsonScanResult => {
  const mayEscape = json.includes("\\")
  const objects = makeObjectKeyTracker()
  let depth = 0
  let isOdd = false
  let stringStart = 0
  let stringEnd = 0
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === comma || code <= 32) continue
    if (code === quote) {
      stringStart = index + 1
      stringEnd = mayEscape ? findStringEnd(json, index) : json.indexOf('"', stringStart)
      if (stringEnd === -1) return "plain"
      index = stringEnd
    } else if (code === colon) {
      if (isOdd) continue
      const key = json.slice(stringStart, stringEnd)
      isOdd = !objects.add(depth, key) || (mayEscape && key.includes("\\"))
    } else if (code === minus || isDigit(code)) {
      const start = index
      while (isNumberCharacter(json.charCodeAt(index + 1))) {
        index += 1
        isOdd ||= isExponentMark(json.charCodeAt(index))
      }
      isOdd ||= index - start >= maxExactNumberLength
    } else if (code === 123 || code === 91) {
      depth += 1
      if (depth > mostLevels) return "tooDeep"
      if (code === 123) objects.open(depth)
    } else if (code === 125 || code === 93) depth -= 1
  }
  return isOdd ? "odd" : "plain"
}
