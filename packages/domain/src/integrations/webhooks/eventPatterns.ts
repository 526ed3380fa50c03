/** Whether a type of event is meant by a pattern: its name, the area that it begins with as `order.*`, or `*` for all. */
export const isMeantBy = (type: string, pattern: string): boolean => {
  if (pattern === "*") return true
  return pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern
}

/** Those of the types that any of the patterns means. */
export const typesMeantBy = (types: Iterable<string>, patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(types).filter((type) => patterns.some((pattern) => isMeantBy(type, pattern)))
