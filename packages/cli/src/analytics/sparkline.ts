const heights = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const

/** Values as bars of one letter each, from 0 to the most; a space where there is none. */
export const sparkline = (values: ReadonlyArray<number | null>): string => {
  const most = values.reduce((high: number, value) => Math.max(high, value ?? 0), 0)
  return values
    .map((value) => {
      if (value === null) return " "
      const share = most === 0 ? 0 : Math.max(0, value) / most
      return heights[Math.min(heights.length - 1, Math.floor(share * heights.length))] ?? heights[0]
    })
    .join("")
}
