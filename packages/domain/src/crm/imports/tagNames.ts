/** The names of tags as one text: `;` stands between them, and `\` in front of a `;` or `\` that belongs to a name. */
export const joinTagNames = (names: ReadonlyArray<string>): string =>
  names.map((name) => name.replaceAll(/[\\;]/gu, String.raw`\$&`)).join(";")

/** The names of tags in a text, without the spaces round them. */
export const splitTagNames = (text: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  let name = ""
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    const next = text.charAt(at + 1)
    if (letter === ";") {
      names.push(name)
      name = ""
    } else if (letter === "\\" && (next === ";" || next === "\\")) {
      name += next
      at++
    } else name += letter
  }
  return [...names, name].map((each) => each.trim()).filter((each) => each !== "")
}
