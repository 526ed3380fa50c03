import { Option, type Terminal } from "effect"
import { harmless } from "../../console/text.ts"
import { draftTo, type View, withDraft } from "./View.ts"

/** Action of a key, in addition to its change of the screen. */
export type Wish = "none" | "open" | "send" | "resolve" | "quit"

/** Number of lines in a scroll step. */
const page = 5

const moved = (view: View, by: number): readonly [View, Wish] => {
  const at = view.conversations.findIndex(({ id }) => id === view.selected)
  const next = view.conversations[Math.min(view.conversations.length - 1, Math.max(0, at + by))]
  if (next === undefined || next.id === view.selected) return [view, "none"]
  return [{ ...view, selected: next.id, messages: [], scrolled: 0, notice: "" }, "open"]
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

const shortened = (text: string) =>
  Array.from(graphemes.segment(text), ({ segment }) => segment)
    .slice(0, -1)
    .join("")

/** Only `y` without a modifier key confirms. Any other key declines. */
const answered = (view: View, { key }: Terminal.UserInput): readonly [View, Wish] => [
  { ...view, asks: null },
  key.name === "y" && !key.ctrl && !key.meta ? "resolve" : "none"
]

/** Returns the view after a key, and the action of the key. */
export const pressed = (view: View, typing: Terminal.UserInput): readonly [View, Wish] => {
  const { input, key } = typing
  const draft = draftTo(view, view.selected)
  if (key.ctrl && (key.name === "c" || key.name === "d")) return [view, "quit"]
  if (view.asks !== null) return answered(view, typing)
  if (key.ctrl) {
    switch (key.name) {
      case "e":
        return [view.selected === null ? view : { ...view, asks: "resolve" }, "none"]
      case "u":
        return [withDraft(view, view.selected, ""), "none"]
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
      return [withDraft(view, view.selected, shortened(draft)), "none"]
    case "return":
    case "enter":
      return [view, view.isSending || draft.trim() === "" ? "none" : "send"]
    default: {
      const typed = harmless(Option.getOrElse(input, () => ""))
      if (key.meta || typed === "") return [view, "none"]
      return [{ ...withDraft(view, view.selected, draft + typed), notice: "" }, "none"]
    }
  }
}
