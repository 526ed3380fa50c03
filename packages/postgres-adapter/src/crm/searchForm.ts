import { shortWordCharacter } from "@parley/domain/kernel"

const shortWordCharacters = new RegExp(shortWordCharacter, "gu")

/**
 * Folded text in the form of the index, which holds three characters. A character is doubled if two of its kind form a word. A text contains another
 * if and only if its form contains the other form.
 */
export const searchForm = (text: string): string => text.replaceAll(shortWordCharacters, "$&$&")
