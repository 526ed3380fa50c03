import { Html, html } from "./html.ts"

/** Callbacks of the renderer: target of a link, address of a picture (`null` if missing), and replacement of a comment. */
export interface Dialect {
  readonly link: (target: string) => string
  readonly picture: (target: string) => string | null
  readonly comment: (text: string) => Html
}

/** Concatenates pieces of HTML. */
export const join = (pieces: ReadonlyArray<Html>) => new Html(pieces.map((piece) => piece.source).join(""))

const isSafe = (target: string) => /^(?:https?:\/\/|\/(?!\/)|#|\.{1,2}\/)/.test(target)

const inlineToken =
  /\\(?<escaped>[\\`*_[\]<>#|-])|(?<fence>`+)(?<code>.+?)\k<fence>(?!`)|\[(?<label>[^\]]+)\]\((?<target>[^\s()]+)\)|\*\*(?<strong>.+?)\*\*|\*(?<emphasis>[^*\s](?:[^*]*[^*\s])?)\*|(?<![\p{L}\p{N}_])_(?<slanted>[^_\s](?:[^_]*[^_\s])?)_(?![\p{L}\p{N}_])/gsu

const anchor = (label: Html, target: string) =>
  /^https?:/.test(target)
    ? html`<a href="${target}" rel="noopener noreferrer">${label}</a>`
    : html`<a href="${target}">${label}</a>`

/** Renders the text of a paragraph or a cell. */
export const inline = (source: string, dialect: Dialect): Html => {
  const pieces: Array<Html> = []
  let from = 0
  for (const match of source.matchAll(inlineToken)) {
    const { code, escaped, label, slanted, strong, target } = match.groups ?? {}
    const emphasis = match.groups?.["emphasis"] ?? slanted
    pieces.push(html`${source.slice(from, match.index)}`)
    from = match.index + match[0].length
    if (escaped !== undefined) pieces.push(html`${escaped}`)
    else if (code !== undefined) pieces.push(html`<code>${code.trim()}</code>`)
    else if (strong !== undefined) pieces.push(html`<strong>${inline(strong, dialect)}</strong>`)
    else if (emphasis !== undefined) pieces.push(html`<em>${inline(emphasis, dialect)}</em>`)
    else if (label !== undefined && target !== undefined) {
      const text = inline(label, dialect)
      pieces.push(isSafe(target) ? anchor(text, dialect.link(target)) : text)
    }
  }
  pieces.push(html`${source.slice(from)}`)
  return join(pieces)
}

/** Returns the text of Markdown without its marks. */
export const plain = (source: string): string =>
  source
    .replace(inlineToken, (whole, ...rest) => {
      const groups = rest.at(-1) as Record<string, string | undefined>
      const { code, emphasis, escaped, label, slanted, strong } = groups
      return escaped ?? code ?? (label ?? strong ?? emphasis ?? slanted ?? whole).replaceAll("`", "")
    })
    .replaceAll(/\s+/g, " ")
    .trim()
