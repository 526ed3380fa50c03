import { Schema } from "effect"

/** Separator between tag names in a cell. */
export const TagSeparator = Schema.Literals(["semicolon", "comma", "pipe"])
export type TagSeparator = typeof TagSeparator.Type

export const defaultTagSeparator: TagSeparator = "semicolon"

const separatorCharacters: Readonly<Record<TagSeparator, string>> = { semicolon: ";", comma: ",", pipe: "|" }

/** Joins tag names with `;`. A `\` escapes each `;`, `,` or `\` in a name. */
export const joinTagNames = (names: ReadonlyArray<string>): string =>
  names.map((name) => name.replaceAll(/[\\;,]/gu, String.raw`\$&`)).join(";")

/** Tag name in a text. It may contain a comma that was meant as a separator. */
interface ParsedTagName {
  readonly name: string
  readonly isDoubtful: boolean
}

const parseTagNames = (text: string, separator: TagSeparator): ReadonlyArray<ParsedTagName> => {
  const between = separatorCharacters[separator]
  const tags: Array<ParsedTagName> = []
  let name = ""
  let isDoubtful = false
  const end = () => {
    if (name.trim() !== "") tags.push({ name: name.trim(), isDoubtful })
    name = ""
    isDoubtful = false
  }
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    const next = text.charAt(at + 1)
    if (letter === between) end()
    else if (letter === "\\" && (next === between || next === "," || next === "\\")) {
      name += next
      at++
    } else {
      name += letter
      isDoubtful ||= letter === ","
    }
  }
  end()
  return tags
}

/** Splits a text into trimmed tag names. A `\` escapes a following separator or comma. */
export const splitTagNames = (text: string, separator: TagSeparator = defaultTagSeparator): ReadonlyArray<string> =>
  parseTagNames(text, separator).map(({ name }) => name)

/** Returns tag names that may be several: they contain a comma, and the request specifies no separator. */
export const ambiguousTagNames = (text: string): ReadonlyArray<string> =>
  text.includes(",")
    ? parseTagNames(text, defaultTagSeparator).flatMap(({ isDoubtful, name }) => (isDoubtful ? [name] : []))
    : []

/** Returns the error for an unknown tag name, with its remedy. */
export const missingTagIssue = (name: string, isDoubtful: boolean, isAdding: boolean): string => {
  const missing = `There is no tag with the name "${name}"`
  if (!isDoubtful) return missing
  const several = "The separator between tags is a semicolon. For several tags, set the tag separator to a comma"
  return isAdding
    ? String.raw`${missing}, and it is not added because it contains a comma. ${several}; for a single tag, write \, for the comma`
    : `${missing}. ${several}`
}
