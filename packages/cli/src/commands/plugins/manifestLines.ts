const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|\n|[^\s{}[\],:"]+/gu

interface Frame {
  readonly kind: "list" | "object"
  readonly pointer: string
  index: number
  key: string | null
}

const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1")

const placeIn = (frame: Frame | undefined): string => {
  if (frame === undefined) return ""
  return `${frame.pointer}/${frame.kind === "list" ? frame.index : escaped(frame.key ?? "")}`
}

const isName = (token: string, frame: Frame | undefined): boolean =>
  token.startsWith('"') && frame?.kind === "object" && frame.key === null

/** Finds the line of each value of a JSON text, by its JSON pointer. The text must be valid JSON. */
export const findPointerLines = (text: string): ReadonlyMap<string, number> => {
  const lines = new Map<string, number>()
  const frames: Array<Frame> = []
  let line = 1
  for (const [token] of text.matchAll(tokens)) {
    const frame = frames.at(-1)
    if (token === "\n") line += 1
    else if (token === "}" || token === "]") frames.pop()
    else if (token === ",") {
      if (frame?.kind === "list") frame.index += 1
      else if (frame !== undefined) frame.key = null
    } else if (token === ":") continue
    else if (frame !== undefined && isName(token, frame)) frame.key = String(JSON.parse(token))
    else {
      const pointer = placeIn(frame)
      lines.set(pointer, line)
      if (token === "{") frames.push({ kind: "object", pointer, index: 0, key: null })
      if (token === "[") frames.push({ kind: "list", pointer, index: 0, key: null })
    }
  }
  return lines
}

/** Line of a pointer, or of the nearest value around it. */
export const lineOf = (lines: ReadonlyMap<string, number>, pointer: string): number => {
  let place = pointer
  while (!lines.has(place) && place !== "") place = place.slice(0, place.lastIndexOf("/"))
  return lines.get(place) ?? 1
}
