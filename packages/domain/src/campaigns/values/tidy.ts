/** Where a line ends, and whatever else a provider refuses in a variable. */
const breaks = /\r\n|[\n\r\t\v\f\u0085\u2028\u2029]/gu

/** More spaces in a row than a provider takes. */
const gaps = / {5,}/gu

/** A text on one line: its line breaks become spaces, and of a long gap four spaces stay. */
export const tidy = (text: string): string => text.replaceAll(breaks, " ").replaceAll(gaps, "    ").trim()
