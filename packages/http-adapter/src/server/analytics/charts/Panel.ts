import { isAdditive, type Measure } from "./values.ts"

/** Characters that XML forbids: control characters, surrogate halves and two noncharacters. */
const unwritable = /[[\p{Cc}\ufffe\uffff]--[\t\n\r]]/gv

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Escapes a text for an element or an attribute. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(unwritable, "\ufffd")
    .replaceAll(/[&<>"']/gu, (sign) => entities[sign] ?? sign)

/** Formats a length with two decimals. */
export const rounded = (length: number): string => String(Math.round(length * 100) / 100)

type Attributes = Readonly<Record<string, string | number>>

/** Builds an element. The content must be markup. */
export const element = (name: string, attributes: Attributes, content: string = ""): string => {
  const attributeText = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? rounded(value) : escaped(value)}"`)
    .join("")
  return content === "" ? `<${name}${attributeText}/>` : `<${name}${attributeText}>${content}</${name}>`
}

/** Estimates the width of a text from the letter size, without font metrics. */
export const widthOf = (text: string, size: number): number => [...text].length * size * 0.58

/** Truncates a text to a width. */
export const fitted = (text: string, width: number, size: number): string => {
  const letters = [...text.replaceAll(/\s+/gu, " ")]
  const most = Math.max(1, Math.floor(width / (size * 0.58)))
  return letters.length <= most ? letters.join("") : `${letters.slice(0, Math.max(0, most - 1)).join("")}…`
}

/** Colour theme of a chart. `auto` follows the setting of the viewer. */
export type ThemeName = "light" | "dark" | "auto"

/** Colours of a chart. Text and lines have a contrast of at least 4.5 to 1 with their background. */
export interface Palette {
  readonly back: string
  readonly text: string
  readonly rule: string
  readonly lines: readonly [string, string, string, string]
}

export const palettes: Readonly<Record<"light" | "dark", Palette>> = {
  light: {
    back: "#ffffff",
    text: "#334155",
    rule: "#cbd5e1",
    lines: ["#1d4ed8", "#b45309", "#047857", "#be123c"]
  },
  dark: {
    back: "#0f172a",
    text: "#cbd5e1",
    rule: "#475569",
    lines: ["#93c5fd", "#fcd34d", "#6ee7b7", "#fda4af"]
  }
}

/** Dash patterns that distinguish the lines of a panel without colours. */
export const dashes = ["none", "7 4", "2 3", "9 3 2 3"] as const

const rulesOf = ({ back, lines, rule, text }: Palette) =>
  [
    `.back{fill:${back}}`,
    `.text{fill:${text}}`,
    `.rule{stroke:${rule}}`,
    `.band{fill:${rule};fill-opacity:0.35}`,
    ...lines.flatMap((colour, index) => [`.line${index}{stroke:${colour}}`, `.fill${index}{fill:${colour}}`])
  ].join("")

export const styleOf = (theme: ThemeName): string =>
  theme === "auto"
    ? `${rulesOf(palettes.light)}@media (prefers-color-scheme:dark){${rulesOf(palettes.dark)}}`
    : rulesOf(palettes[theme])

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Named values, one per label of the panel. */
export interface Row {
  readonly name: string
  readonly values: ReadonlyArray<number | null>
}

/** One drawing of a chart. The labels belong to points, groups of bars, or columns of a grid. */
export interface Panel {
  readonly kind: "lines" | "bars" | "grid"
  readonly title: string
  readonly measure: Measure
  readonly labels: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
  /** Whether the time of the last label is not over. */
  readonly isUnfinished?: boolean
}

/** Height of letters. */
export const letter = 11

export const words = (content: string, x: number, y: number, anchor: "start" | "middle" | "end" = "start"): string =>
  element("text", { class: "text", x, y, "text-anchor": anchor, "font-size": letter }, escaped(content) || " ")

/** Whether the panel has nothing to draw. A zero count is empty; a zero duration or rate is not. */
export const isEmpty = ({ measure, rows }: Panel): boolean =>
  rows.every(({ values }) => values.every((value) => (isAdditive(measure) ? !value : value === null)))
