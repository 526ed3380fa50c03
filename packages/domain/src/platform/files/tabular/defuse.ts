/**
 * Characters that a spreadsheet skips before it reads a cell: space, controls, and zero-width characters such as soft hyphens, direction marks,
 * joiners, variation selectors and the byte order mark.
 */
const unseen = String.raw`[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`

const formula = new RegExp(`^'*(?:[\\t\\r\\n]|${unseen}*[=+\\-@＝＋－＠])`, "u")
const plainNumber = /^[+-]?\d+(?:\.\d+)?$/u

/**
 * Whether a spreadsheet could take the text for a formula, with or without apostrophes in front. A number is none, and
 * neither is a phone number: nothing of it runs.
 */
const looksLikeFormula = (text: string) => formula.test(text) && !plainNumber.test(text.replace(/^'+/u, ""))

/** The text, with an apostrophe in front where a spreadsheet could run it. */
export const defused = (text: string): string => (looksLikeFormula(text) ? `'${text}` : text)

/** The text as it was before it was defused. */
export const restored = (text: string): string =>
  text.charCodeAt(0) === 39 && looksLikeFormula(text) ? text.slice(1) : text
