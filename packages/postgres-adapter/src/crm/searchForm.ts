import { shortWordCharacter } from "@parley/domain"

const shortWordCharacters = new RegExp(shortWordCharacter, "gu")

/**
 * A folded text as it stands in the index, which knows what is three characters long: characters of which two are a word stand twice.
 * A part of a text is part of its form, and nothing else is.
 */
export const searchForm = (text: string): string => text.replaceAll(shortWordCharacters, "$&$&")
