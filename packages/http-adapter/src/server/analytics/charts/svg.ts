/** What no XML may hold: control characters, halves of surrogate pairs, and two that stand for nothing. */
const unwritable = /[[\p{Cc}\ufffe\uffff]--[\t\n\r]]/gv

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** A text as it may stand in an element or in an attribute. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(unwritable, "\ufffd")
    .replaceAll(/[&<>"']/gu, (sign) => entities[sign] ?? sign)

/** A length as it is written: to two decimals. */
export const rounded = (length: number): string => String(Math.round(length * 100) / 100)

type Attributes = Readonly<Record<string, string | number>>

/** An element with its content, which is markup already. */
export const element = (name: string, attributes: Attributes, content: string = ""): string => {
  const said = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? rounded(value) : escaped(value)}"`)
    .join("")
  return content === "" ? `<${name}${said}/>` : `<${name}${said}>${content}</${name}>`
}

/** About how wide a text is, in letters of this size: nobody measures fonts here. */
export const widthOf = (text: string, size: number): number => [...text].length * size * 0.58

/** The text as far as it fits. */
export const fitted = (text: string, width: number, size: number): string => {
  const letters = [...text.replaceAll(/\s+/gu, " ")]
  const most = Math.max(1, Math.floor(width / (size * 0.58)))
  return letters.length <= most ? letters.join("") : `${letters.slice(0, Math.max(0, most - 1)).join("")}…`
}
