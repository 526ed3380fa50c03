const most = 3

/** How many letters have to be changed, added or left out to make one of the other. */
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

/** Those of the names that somebody may have meant, the likeliest first. */
const nearest = (typed: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const furthest = 1 + Math.max(2, Math.floor(typed.length / 3))
  return Array.from(new Set(names))
    .map((name) => ({ name, away: remoteness(typed, name) }))
    .filter(({ away }) => away <= furthest)
    .toSorted((one, other) => one.away - other.away)
    .slice(0, most)
    .map(({ name }) => name)
}

/** What is said after a name that matches nothing: what it may have meant, or else what there is. */
export const suggestion = (typed: string, names: ReadonlyArray<string>): string => {
  const close = nearest(typed, names)
  if (close.length > 0) return ` Did you mean ${close.join(" or ")}?`
  if (names.length === 0) return ""
  return names.length <= 10
    ? ` There is: ${names.join(", ")}.`
    : ` There are ${names.length}, among them ${names.slice(0, most).join(", ")}.`
}

/** What is said where several organizations may be meant. */
export const chooseOne = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, 10).join(", ")
  const more = names.length > 10 ? ` and ${names.length - 10} more` : ""
  return `There are several organizations: ${shown}${more}. Name one: --org ${names[0]}`
}
