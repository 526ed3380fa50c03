/** A bar as long as the value is of the most; what is more than nothing has at least one letter. */
export const bar = (value: number | null, most: number, width: number): string => {
  if (value === null || value <= 0 || most <= 0) return ""
  return "█".repeat(Math.max(1, Math.round((Math.min(value, most) / most) * width)))
}
