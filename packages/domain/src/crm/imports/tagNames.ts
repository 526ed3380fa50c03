import { Schema } from "effect"

/** What stands between the names of tags in a cell. */
export const TagSeparator = Schema.Literals(["semicolon", "comma", "pipe"])
export type TagSeparator = typeof TagSeparator.Type

/** What stands between the names of tags if nothing is said. */
export const defaultTagSeparator: TagSeparator = "semicolon"

const separatorCharacters: Readonly<Record<TagSeparator, string>> = { semicolon: ";", comma: ",", pipe: "|" }

/** The names of tags as one text: `;` stands between them, and `\` in front of each `;`, `,` or `\` of a name. */
export const joinTagNames = (names: ReadonlyArray<string>): string =>
  names.map((name) => name.replaceAll(/[\\;,]/gu, String.raw`\$&`)).join(";")

/** The name of a tag in a text, and whether it has a comma that may have been meant to stand between two of them. */
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

/** The names of tags in a text, without the spaces round them. A `\` makes the separator or comma behind it part of a name. */
export const splitTagNames = (text: string, separator: TagSeparator = defaultTagSeparator): ReadonlyArray<string> =>
  parseTagNames(text, separator).map(({ name }) => name)

/** Those names of tags in a text that may be several: nobody has said what stands between them, and they have a comma. */
export const ambiguousTagNames = (text: string): ReadonlyArray<string> =>
  text.includes(",")
    ? parseTagNames(text, defaultTagSeparator).flatMap(({ isDoubtful, name }) => (isDoubtful ? [name] : []))
    : []

/** What is wrong with the name of a tag that there is not, and what to do about it. */
export const missingTagIssue = (name: string, isDoubtful: boolean, isAdding: boolean): string => {
  const missing = `There is no tag with the name "${name}"`
  if (!isDoubtful) return missing
  const several = "Semicolons stand between tags. If these are several, say that the tag separator is a comma"
  return isAdding
    ? String.raw`${missing}, and it is not added, since it has a comma. ${several}; if it is one, write \, for its comma`
    : `${missing}. ${several}`
}
