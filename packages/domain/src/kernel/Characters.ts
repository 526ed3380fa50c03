import { Schema } from "effect"

/** Half a pair of surrogates is no character. JSON Schema has no word for that: its texts have none. */
export const isWellFormed = Schema.makeFilter(
  (text: string) => text.isWellFormed() || "Expected text that is valid Unicode"
)

const controls = String.raw`\x00-\x1f\x7f-\x9f`

/** The same without tabs and the ends of lines. */
const controlsOfLine = String.raw`\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f`

/**
 * Patterns stand in the contract, where others compile them, with the flag for Unicode and without: they name characters by
 * escapes that mean the same in both, and never a character beyond the first plane.
 */
export const textPatterns = {
  /** One line that begins and ends with something that is seen. */
  oneLine: new RegExp(String.raw`^[^\s${controls}](?:[^${controls}]*[^\s${controls}])?$`, "u"),
  /** Any number of lines. */
  prose: new RegExp(`^[^${controlsOfLine}]*$`, "u"),
  /** No control characters. */
  printable: new RegExp(`^[^${controls}]*$`, "u"),
  email: new RegExp(String.raw`^[^\s@A-Z${controls}]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$`, "u")
} as const
