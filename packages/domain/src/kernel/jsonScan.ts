const backslash = 92

/** The place of the quote that ends the string which begins here; the end of the text if none does. */
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

/** A number of so few characters, without an exponent, is read as it is written. */
const maxExactNumberLength = 15

/** What a look through a JSON text tells, without parsing it. */
export type JsonScanResult =
  /** It is read as it is written. */
  | "plain"
  /** It has to be read slowly: a key may be there twice or has escapes, or a number is long. */
  | "odd"
  | "tooDeep"

const isDigit = (code: number) => code >= zero && code <= nine

/** In ASCII, this bit makes a letter small. */
const isExponentMark = (code: number) => (code | 32) === lowercaseE

const isNumberCharacter = (code: number) =>
  isDigit(code) || code === dot || code === minus || code === plus || isExponentMark(code)

/** The keys of the objects that are open. An object of few keys needs no set. */
const makeObjectKeyTracker = () => {
  const few = 8
  const lists: Array<Array<string>> = []
  const sets: Array<Set<string> | null> = []
  return {
    open: (depth: number) => {
      lists[depth] = []
      sets[depth] = null
    },
    /** Adds a key; false if it is there already. */
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

/** Looks through a JSON text once. Strings are skipped. */
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
