/** Characters that XML forbids: control characters, surrogate halves and two noncharacters. */
const unwritable = /[[\p{Cc}\ufffe\uffff]--[\t\n\r]]/gv

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Escapes a text for an element or an attribute. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(unwritable, "\ufffd")
    .replaceAll(/[&<>"']/gu, (sign) => entities[sign] ?? sign)

/** Formats a length with two decimals. */
export const rounded = (length: number): string => String(Math.round(length * 100) / 100)

type Attributes = Readonly<Record<string, string | number>>

/** Builds an element. The content must be markup. */
export const element = (name: string, attributes: Attributes, content: string = ""): string => {
  const attributeText = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? rounded(value) : escaped(value)}"`)
    .join("")
  return content === "" ? `<${name}${attributeText}/>` : `<${name}${attributeText}>${content}</${name}>`
}
