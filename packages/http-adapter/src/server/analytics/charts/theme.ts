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
