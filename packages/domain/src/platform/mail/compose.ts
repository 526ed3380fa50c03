/** What a mail says: paragraphs, one of which is the link. */
export interface Letter {
  readonly subject: string
  readonly before: ReadonlyArray<string>
  readonly link: { readonly label: string; readonly url: string }
  readonly after: ReadonlyArray<string>
}

const longest = 60

/**
 * A name that somebody else chose, as it may stand in a mail: one line, short, without invisible characters, and without
 * anything that a mail program would make a link of.
 */
export const harmless = (name: string): string => {
  const line = name
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .replaceAll(/[.:/\\@。．｡]+(?=\S)/gu, (separator) => `${separator} `)
    .trim()
  const characters = Array.from(line)
  return characters.length > longest
    ? `${characters
        .slice(0, longest - 1)
        .join("")
        .trimEnd()}…`
    : line
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escape = (text: string) => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)

const paragraph = (text: string) => `<p>${escape(text)}</p>`

/** The text and the HTML of a letter: the same words, the link once. */
export const compose = ({ after, before, link, subject }: Letter) => ({
  subject,
  text: `${[...before, link.url, ...after].join("\n\n")}\n`,
  html: [
    '<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">',
    ...before.map(paragraph),
    `<p><a href="${escape(link.url)}">${escape(link.label)}</a></p>`,
    ...after.map(paragraph),
    "</body></html>"
  ].join("\n")
})
