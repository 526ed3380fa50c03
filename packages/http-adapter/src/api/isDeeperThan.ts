const quote = 34
const backslash = 92
const opens = new Set([91, 123])
const closes = new Set([93, 125])

/** Whether a JSON text nests objects and arrays deeper than this. Strings are skipped; nothing is parsed. */
export const isDeeperThan = (json: string, most: number): boolean => {
  if (json.length <= most) return false
  let depth = 0
  let inString = false
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (inString) {
      if (code === backslash) index += 1
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (opens.has(code)) {
      depth += 1
      if (depth > most) return true
    } else if (closes.has(code)) depth -= 1
  }
  return false
}
