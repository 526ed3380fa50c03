const most = 3

/** Returns the edit distance: the number of changed, added or omitted letters. */
const distance = (one: string, other: string): number => {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [row, letter] of Array.from(one).entries()) {
    const line = [row + 1]
    for (const [column, expected] of Array.from(other).entries()) {
      const changed = (above[column] ?? 0) + (letter === expected ? 0 : 1)
      line.push(Math.min(changed, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1))
    }
    above = line
  }
  return above.at(-1) ?? 0
}

const remoteness = (typed: string, candidate: string) => {
  const [one, other] = [typed.toLowerCase(), candidate.toLowerCase()]
  if (one.length > 1 && other.includes(one)) return 0
  return other.length > 1 && one.includes(other) ? 1 : 1 + distance(one, other)
}

/** Returns similar names, most similar first. */
export const nearest = (typed: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const furthest = 1 + Math.max(2, Math.floor(typed.length / 3))
  return Array.from(new Set(names))
    .map((name) => ({ name, away: remoteness(typed, name) }))
    .filter(({ away }) => away <= furthest)
    .toSorted((one, other) => one.away - other.away)
    .slice(0, most)
    .map(({ name }) => name)
}

/** Suggests similar names for a name without a match. */
export const similar = (typed: string, names: ReadonlyArray<string>): string => {
  const close = nearest(typed, names)
  return close.length > 0 ? ` Did you mean ${close.join(" or ")}?` : ""
}

/** Suggests names for a name without a match: similar names, or else all names. */
export const suggestion = (typed: string, names: ReadonlyArray<string>): string => {
  const close = similar(typed, names)
  if (close !== "" || names.length === 0) return close
  return names.length <= 10
    ? ` Available: ${names.join(", ")}.`
    : ` Available: ${names.length}, for example ${names.slice(0, most).join(", ")}.`
}

/** Lists the organizations if the selection is ambiguous. */
export const chooseOne = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, 10).join(", ")
  const more = names.length > 10 ? ` and ${names.length - 10} more` : ""
  return `There are several organizations: ${shown}${more}. Specify one: --org ${names[0]}`
}
