import { Effect } from "effect"
import type { Document } from "../../api/describe.ts"
import type { Guide } from "./Guides.ts"
import type { LaterResource } from "./SiteFiles.ts"
import { type Area, errorsPath } from "./areas.ts"
import { errorsMarkdown } from "./errorsMarkdown.ts"
import { textPath } from "./page.ts"
import { areaMarkdown, referenceMarkdown } from "./referenceMarkdown.ts"

const markdown = "text/markdown; charset=utf-8"

const summary =
  "Parley is a multi-tenant API for customer messaging and commerce: a shared inbox over WhatsApp numbers, contacts, broadcasts, stores, analytics, automations and workflows."

const guideLine = ({ leadText, path, title }: Guide, base: string) =>
  `- [${title}](${base}${textPath(path)}): ${leadText}`

const areaLine = ({ description, name, path }: Area, base: string) =>
  `- [${name}](${base}${textPath(path)}): ${description}`

/** Index of the documentation for language models, in the format of llmstxt.org. */
const indexText = (guides: ReadonlyArray<Guide>, areas: ReadonlyArray<Area>, base: string) =>
  `${[
    "# Parley",
    `> ${summary}`,
    "Each page of the documentation is also Markdown: add `.md` to its path.",
    "## Guides",
    guides.map((guide) => guideLine(guide, base)).join("\n"),
    "## API reference",
    [
      ...areas.map((area) => areaLine(area, base)),
      `- [Error codes](${base}${errorsPath}.md): Codes of all errors.`
    ].join("\n"),
    "## Optional",
    [
      `- [All pages](${base}/llms-full.txt): The guides and a summary of the reference in one file.`,
      `- [OpenAPI document](${base}/openapi.json): The contract for programs.`
    ].join("\n")
  ].join("\n\n")}\n`

const homeText = (guides: ReadonlyArray<Guide>, areas: ReadonlyArray<Area>) =>
  `${[
    "# Parley Docs",
    `> ${summary}`,
    "## Guides",
    guides.map((guide) => guideLine(guide, "")).join("\n"),
    "## API reference",
    areas.map((area) => areaLine(area, "")).join("\n")
  ].join("\n\n")}\n`

/** All pages as Markdown, with an index of them. The contract is read on the first request. */
export const textPages = (
  guides: ReadonlyArray<Guide>,
  areas: ReadonlyArray<Area>,
  document: Effect.Effect<Document>,
  base: string
): ReadonlyArray<LaterResource> => [
  { path: textPath("/docs"), contentType: markdown, body: Effect.sync(() => homeText(guides, areas)) },
  { path: textPath("/docs/reference"), contentType: markdown, body: Effect.sync(() => referenceMarkdown(areas)) },
  { path: textPath(errorsPath), contentType: markdown, body: Effect.map(document, errorsMarkdown) },
  ...areas.map((area): LaterResource => ({
    path: textPath(area.path),
    contentType: markdown,
    body: Effect.map(document, (contract) => areaMarkdown(contract, area, "page"))
  })),
  ...guides.map(({ path, text }): LaterResource => ({
    path: textPath(path),
    contentType: markdown,
    body: Effect.succeed(text)
  })),
  {
    path: "/llms.txt",
    contentType: "text/plain; charset=utf-8",
    body: Effect.sync(() => indexText(guides, areas, base))
  },
  {
    path: "/llms-full.txt",
    contentType: "text/plain; charset=utf-8",
    body: Effect.map(document, (contract) =>
      [
        `# Parley\n\n> ${summary}\n`,
        ...guides.map(({ text }) => text),
        ...areas.map((area) => areaMarkdown(contract, area, "summary")),
        errorsMarkdown(contract)
      ].join("\n")
    )
  }
]
