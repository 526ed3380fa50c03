/** Counts by what they have in common, a line of a card each: `EXCLUDED: blocked`. */
export const countsBy = (
  heading: string,
  counts: Readonly<Record<string, number | undefined>>
): ReadonlyArray<readonly [name: string, value: string]> =>
  Object.entries(counts)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([of, count = 0]) => (count === 0 ? [] : [[`${heading}: ${of}`, String(count)] as const]))
