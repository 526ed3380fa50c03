import { type Html, html } from "./html.ts"
import { type Block, blocksOf, type Heading } from "./markdownBlocks.ts"
import { type Dialect, inline, join } from "./markdownText.ts"

export { type Dialect, plain } from "./markdownText.ts"

/** Text below a heading, up to the next one. Without a heading: the text before the first heading. */
export interface Section {
  readonly heading: Heading | null
  readonly text: string
}

/** Document: the first heading, the first paragraph, and the rendered rest. */
export interface Document {
  readonly title: string
  readonly lead: Html
  readonly leadText: string
  readonly headings: ReadonlyArray<Heading>
  readonly body: Html
  readonly sections: ReadonlyArray<Section>
}

const withUniqueIds = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const seen = new Map<string, number>()
  return blocks.map((block) => {
    if (block.heading === undefined) return block
    const count = seen.get(block.heading.id) ?? 0
    seen.set(block.heading.id, count + 1)
    return count === 0 ? block : { ...block, heading: { ...block.heading, id: `${block.heading.id}-${count}` } }
  })
}

const headingHtml = (heading: Heading, content: Html): Html => {
  const link = html`<a class="anchor" href="#${heading.id}" aria-label="Link to ${heading.text}"></a>`
  switch (heading.level) {
    case 1:
    case 2:
      return html`<h2 id="${heading.id}">${content}${link}</h2>`
    case 3:
      return html`<h3 id="${heading.id}">${content}${link}</h3>`
    default:
      return html`<h4 id="${heading.id}">${content}${link}</h4>`
  }
}

const sectionsOf = (blocks: ReadonlyArray<Block>): ReadonlyArray<Section> => {
  const sections: Array<{ readonly heading: Heading | null; readonly texts: Array<string> }> = []
  for (const { heading, text } of blocks) {
    if (heading !== undefined) sections.push({ heading, texts: [] })
    else if (sections.length === 0) sections.push({ heading: null, texts: [text] })
    else sections.at(-1)?.texts.push(text)
  }
  return sections.map(({ heading, texts }) => ({ heading, text: texts.join(" ") }))
}

/**
 * Reads a document in the Markdown subset of the guides: headings, paragraphs, lists, tables, code, quotes, notes, links, and pictures on separate
 * lines. Escapes HTML, and drops a link without a page as its target.
 */
export const readDocument = (source: string, dialect: Dialect): Document => {
  const blocks = withUniqueIds(blocksOf(source.replaceAll("\r\n", "\n").split("\n"), dialect))
  const [first] = blocks
  const hasTitle = first?.heading?.level === 1
  const rest = hasTitle ? blocks.slice(1) : blocks
  const hasLead = rest[0]?.paragraph !== undefined
  const content = hasLead ? rest.slice(1) : rest
  return {
    title: hasTitle ? first.text : "",
    lead: inline(rest[0]?.paragraph ?? "", dialect),
    leadText: hasLead ? (rest[0]?.text ?? "") : "",
    headings: content.flatMap((block) => (block.heading === undefined ? [] : [block.heading])),
    body: join(
      content.map((block) => (block.heading === undefined ? block.html : headingHtml(block.heading, block.html)))
    ),
    sections: sectionsOf(content)
  }
}
