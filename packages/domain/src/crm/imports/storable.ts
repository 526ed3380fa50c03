/** The text as a database can keep it: without NUL, and without halves of pairs. */
export const storable = (text: string): string => text.replaceAll("\0", "\u2400").toWellFormed()
