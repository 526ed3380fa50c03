const closest = 2

/** How many letters have to be added, dropped, changed or swapped to make one word of the other; more than `most` is not counted. */
const distanceOf = (one: string, other: string, most: number): number => {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: Array<number> = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1)
      )
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1)
      }
      next.push(cost)
    }
    before = last
    last = next
  }
  return last[other.length] ?? 0
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[-_.]/gu, "")

const longest = 64

/** The name that somebody may have meant; `null` if none comes close. */
export const didYouMean = (written: string, known: ReadonlyArray<string>): string | null => {
  if (written.length > longest) return null
  const same = known.find((name) => plain(name) === plain(written))
  if (same !== undefined) return same
  // Of a short name, two letters are most of it.
  const most = written.length < 5 ? 1 : closest
  let best: string | null = null
  let distance = most + 1
  for (const name of known) {
    const found = distanceOf(written, name, most)
    if (found < distance && found < name.length) {
      best = name
      distance = found
    }
  }
  return best
}
