import type { Schema } from "effect"
import type { Fault } from "../../../kernel/index.ts"
import { itemsOf, membersOf, step } from "./PluginSchema.ts"

const isKept = (text: string) => text.isWellFormed() && !text.includes("\0")

const message = "Expected text that is valid Unicode, without the character 0"

/** The first text or name in a value that no database keeps: half a character, or the character 0. */
export const faultOfCharacters = (value: Schema.Json, pointer: string): Fault | null => {
  if (typeof value === "string") return isKept(value) ? null : { pointer, message }
  const inside = itemsOf(value)?.entries() ?? Object.entries(membersOf(value) ?? {})
  for (const [name, each] of inside) {
    if (typeof name === "string" && !isKept(name)) return { pointer, message }
    const fault = faultOfCharacters(each, pointer + step(name))
    if (fault !== null) return fault
  }
  return null
}

/** A text as databases keep it. */
export const keepable = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD")
