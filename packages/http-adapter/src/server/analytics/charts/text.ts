import { element, escaped } from "./markup.ts"

/** Height of letters. */
export const letter = 11

/** Distance between the lines of a text. */
export const lineHeight = letter + 4

/**
 * Upper bounds for the widths of characters, in letter sizes. They follow DejaVu Sans, because common fonts of browsers are not wider. The first
 * pattern that matches applies.
 */
const characterWidths: ReadonlyArray<readonly [pattern: RegExp, width: number]> = [
  [/\p{M}|\p{Default_Ignorable_Code_Point}/u, 0],
  [/[ijlI.,:;'|!\s]/u, 0.36],
  [/[ftr()[\]/-]/u, 0.45],
  [/[mwMW%…@]/u, 1.03],
  [/[a-zäöü\d€£$]/u, 0.65],
  [/[A-Z]/u, 0.8],
  [/\p{Extended_Pictographic}/u, 1.4]
]

/** Width of characters without a known width: the square of Chinese characters, and wide letters of other scripts. */
const square = 1.1

const widthOfCharacter = (character: string): number =>
  characterWidths.find(([pattern]) => pattern.test(character))?.[1] ?? square

/** Estimates the width of a text without font metrics. The drawn text is not wider. */
export const widthOf = (text: string): number =>
  [...text].reduce((width, character) => width + widthOfCharacter(character), 0) * letter

/** Truncates a text to a width. The result is empty if no character fits. */
export const fitted = (text: string, width: number): string => {
  const line = text.replaceAll(/\s+/gu, " ")
  if (widthOf(line) <= width) return line
  let [start, room] = ["", width - widthOf("…")]
  if (room < 0) return ""
  for (const { segment } of new Intl.Segmenter("en").segment(line)) {
    room -= widthOf(segment)
    if (room < 0) break
    start += segment
  }
  return `${start.trimEnd()}…`
}

/** Breaks a text into lines of a width at its spaces. The last line is truncated. */
export const wrapped = (text: string, width: number, mostLines: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(/\s+/u)) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && (widthOf(longer) <= width || lines.length === mostLines)) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map((line) => fitted(line, width))
}

/** Draws a line of text. `y` is its baseline. */
export const words = (content: string, x: number, y: number, anchor: "start" | "middle" | "end" = "start"): string =>
  element("text", { class: "text", x, y, "text-anchor": anchor, "font-size": letter }, escaped(content) || " ")

/** Draws lines of text from the baseline of the first one. */
export const paragraph = (
  lines: ReadonlyArray<string>,
  x: number,
  y: number,
  anchor: "start" | "middle" | "end" = "start"
): string => lines.map((line, index) => words(line, x, y + index * lineHeight, anchor)).join("")
