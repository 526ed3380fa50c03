import { storable } from "../../../crm/index.ts"

/** The name as a name can be kept: one line, no longer than names are; `null` if nothing of it is left. */
export const plainName = (name: string | null): string | null => {
  const line = (name ?? "")
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .trim()
    .slice(0, 200)
    .replace(/[\p{Cs}\s]+$/u, "")
  return line === "" ? null : line
}

/** The text as it can be kept. */
export const plainText = (text: string): string => storable(text)

/** The text as it can be kept, if there is any. */
export const plainOrNull = (text: string | null): string | null =>
  text === null || text === "" ? null : storable(text)
