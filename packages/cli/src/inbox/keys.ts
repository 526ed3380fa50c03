import { Option, type Terminal } from "effect"
import { harmless } from "./text.ts"
import type { View } from "./View.ts"

/** What a key asks for beyond what it changes on the screen. */
export type Wish = "none" | "open" | "send" | "resolve" | "quit"

/** How many lines a page of messages is scrolled by. */
const page = 5

const moved = (view: View, by: number): readonly [View, Wish] => {
  const at = view.conversations.findIndex(({ id }) => id === view.selected)
  const next = view.conversations[Math.min(view.conversations.length - 1, Math.max(0, at + by))]
  if (next === undefined || next.id === view.selected) return [view, "none"]
  return [{ ...view, selected: next.id, messages: [], scrolled: 0, draft: "", notice: "" }, "open"]
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

const shortened = (text: string) =>
  Array.from(graphemes.segment(text), ({ segment }) => segment)
    .slice(0, -1)
    .join("")

/** What the view becomes when a key is pressed, and what is to be done then. */
export const pressed = (view: View, { input, key }: Terminal.UserInput): readonly [View, Wish] => {
  if (key.ctrl) {
    switch (key.name) {
      case "c":
      case "d":
        return [view, "quit"]
      case "e":
        return [view, view.selected === null ? "none" : "resolve"]
      case "u":
        return [{ ...view, draft: "" }, "none"]
      default:
        return [view, "none"]
    }
  }
  switch (key.name) {
    case "escape":
      return [view, "quit"]
    case "up":
      return moved(view, -1)
    case "down":
      return moved(view, 1)
    case "pageup":
      return [{ ...view, scrolled: view.scrolled + page }, "none"]
    case "pagedown":
      return [{ ...view, scrolled: Math.max(0, view.scrolled - page) }, "none"]
    case "backspace":
      return [{ ...view, draft: shortened(view.draft) }, "none"]
    case "return":
    case "enter":
      return [view, view.selected === null || view.draft.trim() === "" ? "none" : "send"]
    default: {
      const typed = harmless(Option.getOrElse(input, () => ""))
      return key.meta || typed === "" ? [view, "none"] : [{ ...view, draft: view.draft + typed, notice: "" }, "none"]
    }
  }
}
