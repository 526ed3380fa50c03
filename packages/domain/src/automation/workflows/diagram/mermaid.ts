/** What ends a label, or is read as markup in one; `#` begins what stands for another character. */
const special = /["#&;<>\\`\p{Cc}\p{Cf}\u2028\u2029]/gu

const longest = 60

/** A text of somebody else as part of a label: it shows as it is, and is never read as Mermaid or HTML. */
export const asLabel = (text: string): string => {
  const points = Array.from(text)
  const cut = points.length > longest ? `${points.slice(0, longest).join("")}…` : text
  return cut.replaceAll(special, (char) =>
    /\p{Cc}|\p{Cf}|[\u2028\u2029]/u.test(char) ? " " : `#${char.codePointAt(0)};`
  )
}
