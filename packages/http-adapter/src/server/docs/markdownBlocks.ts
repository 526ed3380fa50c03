import { type Html, html, nothing } from "./html.ts"
import { type Dialect, inline, join, plain } from "./markdownText.ts"

/** Heading of a document, as a link target. */
export interface Heading {
  readonly level: number
  readonly id: string
  readonly text: string
}

/** Returns the anchor of a heading. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s+/g, "-")

/** Rendered part of a document. */
export interface Block {
  readonly html: Html
  readonly heading?: Heading
  readonly text: string
  readonly paragraph?: string
}

const fenceStart = /^(?<fence>```+)\s*(?<language>[\w-]*)\s*(?<title>.*)$/
const headingLine = /^(?<marks>#{1,4})\s+(?<text>.+?)\s*#*$/
const itemLine = /^(?<indent> *)(?<mark>[-*]|\d{1,3}\.)\s+(?<text>.*)$/
const pictureLine = /^!\[(?<words>[^\]]+)\]\((?<target>[^\s()]+)\)$/
const commentLine = /^<!--\s*(?<text>.*?)\s*-->$/
const alertLine = /^\[!(?<kind>NOTE|TIP|IMPORTANT|WARNING)\]$/
const ruler = /^(?:---+|\*\*\*+)$/
const tableRuler = /^\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?)?\s*$/

const startsBlock = (line: string) =>
  line.trim() === "" ||
  line.startsWith("```") ||
  line.startsWith(">") ||
  line.startsWith("|") ||
  headingLine.test(line) ||
  itemLine.test(line) ||
  pictureLine.test(line) ||
  commentLine.test(line) ||
  ruler.test(line)

const cells = (line: string) =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const codeBlock = (language: string, title: string, code: string): Html =>
  html`<figure class="code">
    ${title === "" ? nothing : html`<figcaption>${title}</figcaption>`}
    <pre tabindex="0"><code class="language-${language === "" ? "text" : language}">${code}</code></pre>
  </figure>`

const pictureBlock = (description: string, target: string, dialect: Dialect): Block => {
  const source = dialect.picture(target)
  return {
    text: description,
    html:
      source === null
        ? html`<p>${description}</p>`
        : html`<figure class="picture"><img src="${source}" alt="${description}" loading="lazy" /></figure>`
  }
}

const tableBlock = (lines: ReadonlyArray<string>, dialect: Dialect): Block => {
  const [head = "", , ...rows] = lines
  const row = (tag: "th" | "td", line: string) =>
    join(
      cells(line).map((cell) =>
        tag === "th" ? html`<th scope="col">${inline(cell, dialect)}</th>` : html`<td>${inline(cell, dialect)}</td>`
      )
    )
  return {
    text: lines.map((line) => plain(cells(line).join(" "))).join(" "),
    html: html`<div class="table" tabindex="0" role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            ${row("th", head)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (line) =>
              html`<tr>
                ${row("td", line)}
              </tr>`
          )}
        </tbody>
      </table>
    </div>`
  }
}

const listBlock = (lines: ReadonlyArray<string>, dialect: Dialect): Block => {
  const first = itemLine.exec(lines[0] ?? "")?.groups
  const ordered = /\d/.test(first?.["mark"] ?? "")
  const margin = first?.["indent"]?.length ?? 0
  const items: Array<Array<string>> = []
  for (const line of lines) {
    const item = itemLine.exec(line)?.groups
    if (item !== undefined && (item["indent"]?.length ?? 0) <= margin) items.push([item["text"] ?? ""])
    else items.at(-1)?.push(line.replace(/^ {1,3}/, ""))
  }
  const blocks = items.map((item) => blocksOf(item, dialect))
  const rendered = blocks.map((inner) => {
    const [only] = inner
    const isTight = only?.paragraph !== undefined && inner.slice(1).every((block) => block.paragraph === undefined)
    if (!isTight) return html`<li>${inner.map((block) => block.html)}</li>`
    return html`<li>${inline(only.paragraph ?? "", dialect)}${inner.slice(1).map((block) => block.html)}</li>`
  })
  return {
    text: blocks.flatMap((inner) => inner.map((block) => block.text)).join(" "),
    html: ordered
      ? html`<ol>
          ${rendered}
        </ol>`
      : html`<ul>
          ${rendered}
        </ul>`
  }
}

const alertNames = { NOTE: "Note", TIP: "Tip", IMPORTANT: "Important", WARNING: "Warning" } as const

const quoteBlock = (lines: ReadonlyArray<string>, dialect: Dialect): Block => {
  const inner = lines.map((line) => line.replace(/^> ?/, ""))
  const kind = alertLine.exec(inner[0]?.trim() ?? "")?.groups?.["kind"] as keyof typeof alertNames | undefined
  const blocks = blocksOf(kind === undefined ? inner : inner.slice(1), dialect)
  const body = blocks.map((block) => block.html)
  return {
    text: blocks.map((block) => block.text).join(" "),
    html:
      kind === undefined
        ? html`<blockquote>${body}</blockquote>`
        : html`<div class="note note-${kind.toLowerCase()}" role="note">
            <p class="note-name">${alertNames[kind]}</p>
            ${body}
          </div>`
  }
}

/** Takes consecutive lines from `start` that belong together. */
const run = (lines: ReadonlyArray<string>, start: number, belongs: (line: string, index: number) => boolean) => {
  let end = start
  while (end < lines.length && belongs(lines[end] ?? "", end)) end++
  return lines.slice(start, end)
}

const isSameList = (first: string, item: string) => {
  const [one, other] = [first, item].map((line) => itemLine.exec(line)?.groups)
  if (other === undefined) return false
  const isInner = (other["indent"]?.length ?? 0) > (one?.["indent"]?.length ?? 0)
  return isInner || /\d/.test(one?.["mark"] ?? "") === /\d/.test(other["mark"] ?? "")
}

/** Whether a list that starts with `first` continues with the line. After an empty line, the following line decides. */
const goesOn = (first: string, line: string, following: string): boolean => {
  if (line.trim() === "") return /^ {2,}\S/.test(following) || isSameList(first, following)
  return itemLine.test(line) ? isSameList(first, line) : line.startsWith("  ") || !startsBlock(line)
}

/** Renders lines as blocks. */
export function blocksOf(lines: ReadonlyArray<string>, dialect: Dialect): ReadonlyArray<Block> {
  const blocks: Array<Block> = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ""
    const fence = fenceStart.exec(line)?.groups
    const heading = headingLine.exec(line)?.groups
    const picture = pictureLine.exec(line)?.groups
    const comment = commentLine.exec(line)?.groups
    if (line.trim() === "") {
      at++
    } else if (fence !== undefined) {
      const code = run(lines, at + 1, (next) => next.trimEnd() !== fence["fence"])
      blocks.push({
        html: codeBlock(fence["language"] ?? "", fence["title"] ?? "", code.join("\n")),
        text: code.join(" ")
      })
      at += code.length + 2
    } else if (heading !== undefined) {
      const text = heading["text"] ?? ""
      const level = (heading["marks"] ?? "").length
      blocks.push({
        html: inline(text, dialect),
        heading: { level, id: slug(plain(text)), text: plain(text) },
        text: plain(text)
      })
      at++
    } else if (picture !== undefined) {
      blocks.push(pictureBlock(picture["words"] ?? "", picture["target"] ?? "", dialect))
      at++
    } else if (comment !== undefined) {
      blocks.push({ html: dialect.comment(comment["text"] ?? ""), text: "" })
      at++
    } else if (ruler.test(line)) {
      blocks.push({ html: html`<hr />`, text: "" })
      at++
    } else if (line.startsWith(">")) {
      const quote = run(lines, at, (next) => next.startsWith(">"))
      blocks.push(quoteBlock(quote, dialect))
      at += quote.length
    } else if (line.startsWith("|") && tableRuler.test(lines[at + 1] ?? "")) {
      const table = run(lines, at, (next) => next.startsWith("|"))
      blocks.push(tableBlock(table, dialect))
      at += table.length
    } else if (itemLine.test(line)) {
      const list = run(lines, at, (next, index) => index === at || goesOn(line, next, lines[index + 1] ?? ""))
      blocks.push(listBlock(list, dialect))
      at += list.length
    } else {
      const paragraph = run(lines, at, (next, index) => index === at || !startsBlock(next))
      const text = paragraph.map((part) => part.trim()).join(" ")
      blocks.push({ html: html`<p>${inline(text, dialect)}</p>`, text: plain(text), paragraph: text })
      at += paragraph.length
    }
  }
  return blocks
}
