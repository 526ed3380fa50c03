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
