import { isAdditive, type Measure } from "./values.ts"

/** What no XML may hold: control characters, halves of surrogate pairs, and two that stand for nothing. */
const unwritable = /[[\p{Cc}\ufffe\uffff]--[\t\n\r]]/gv

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** A text as it may stand in an element or in an attribute. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(unwritable, "\ufffd")
    .replaceAll(/[&<>"']/gu, (sign) => entities[sign] ?? sign)

/** A length as it is written: to two decimals. */
export const rounded = (length: number): string => String(Math.round(length * 100) / 100)

type Attributes = Readonly<Record<string, string | number>>

/** An element with its content, which is markup already. */
export const element = (name: string, attributes: Attributes, content: string = ""): string => {
  const said = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? rounded(value) : escaped(value)}"`)
    .join("")
  return content === "" ? `<${name}${said}/>` : `<${name}${said}>${content}</${name}>`
}

/** About how wide a text is, in letters of this size: nobody measures fonts here. */
export const widthOf = (text: string, size: number): number => [...text].length * size * 0.58

/** The text as far as it fits. */
export const fitted = (text: string, width: number, size: number): string => {
  const letters = [...text.replaceAll(/\s+/gu, " ")]
  const most = Math.max(1, Math.floor(width / (size * 0.58)))
  return letters.length <= most ? letters.join("") : `${letters.slice(0, Math.max(0, most - 1)).join("")}…`
}

/** How a chart is coloured: for a light or a dark page, or as whoever looks at it has set. */
export type ThemeName = "light" | "dark" | "auto"

/** The colours of a chart. Text and lines have a contrast of 4.5 to 1 at least with what is behind them. */
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

/** How the lines of a panel are dashed, so that they differ without colours, too. */
export const dashes = ["none", "7 4", "2 3", "9 3 2 3"] as const

const rulesOf = ({ back, lines, rule, text }: Palette) =>
  [
    `.back{fill:${back}}`,
    `.text{fill:${text}}`,
    `.rule{stroke:${rule}}`,
    ...lines.flatMap((colour, index) => [`.line${index}{stroke:${colour}}`, `.fill${index}{fill:${colour}}`])
  ].join("")

/** The style of a chart in this theme. */
export const styleOf = (theme: ThemeName): string =>
  theme === "auto"
    ? `${rulesOf(palettes.light)}@media (prefers-color-scheme:dark){${rulesOf(palettes.dark)}}`
    : rulesOf(palettes[theme])

/** A rectangle of a chart. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Named values, one for each label of the panel. */
export interface Row {
  readonly name: string
  readonly values: ReadonlyArray<number | null>
}

/** One drawing of a chart. Its labels are those of points, of groups of bars, or of columns of a grid. */
export interface Panel {
  readonly kind: "lines" | "bars" | "grid"
  readonly title: string
  readonly measure: Measure
  readonly labels: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
}

/** How high letters are. */
export const letter = 11

/** Words in a chart. */
export const words = (content: string, x: number, y: number, anchor: "start" | "middle" | "end" = "start"): string =>
  element("text", { class: "text", x, y, "text-anchor": anchor, "font-size": letter }, escaped(content) || " ")

/** Whether there is nothing to be drawn: a duration or a rate of 0 is of something that happened, a count of 0 is not. */
export const isEmpty = ({ measure, rows }: Panel): boolean =>
  rows.every(({ values }) => values.every((value) => (isAdditive(measure) ? !value : value === null)))
