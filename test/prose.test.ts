import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))

const read = (path: string) => readFileSync(`${root}/${path}`, "utf8")

interface Phrase {
  readonly phrase: string
  readonly instead: string
}

/** The refused phrases of docs/style.md, with their replacements. */
const phrases: ReadonlyArray<Phrase> = Array.from(
  read("docs/style.md").matchAll(/^\| (?<refused>`.+`) +\| (?<instead>.+?) +\|$/gmu)
).flatMap(({ groups: { instead = "", refused = "" } = {} }) =>
  Array.from(refused.matchAll(/`(?<phrase>[^`]+)`/gu), ([, phrase = ""]) => ({ phrase, instead }))
)

const insteadOf = new Map(phrases.map(({ instead, phrase }) => [phrase, instead]))

const refused = new RegExp(
  `\\b(?:${phrases
    .map(({ phrase }) => phrase)
    .toSorted((one, other) => other.length - one.length)
    .join("|")})\\b`,
  "giu"
)

/** Replaces a part by spaces. Lines stay at their place. */
const blank = (text: string, part: RegExp) => text.replaceAll(part, (found) => found.replaceAll(/[^\n]/gu, " "))

const withoutCode = (text: string) =>
  [/```.*?```/gsu, /`[^`\n]*`/gu, /<[^>\n]+>/gu, /\]\([^)\s]*\)/gu].reduce(blank, text)

/** Leaves only the matches of a pattern. Lines stay at their place. */
const only = (text: string, pattern: RegExp) => {
  let kept = ""
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const [whole] = match
    kept += blank(text.slice(end, match.index), /.+/gu) + whole
    end = match.index + whole.length
  }
  return kept
}

const comments = (text: string) => withoutCode(only(text, /\/\*\*?[^]*?\*\/|(?<=^|\s)\/\/.*$/gmu))

/** String literals with at least four words. */
const texts = (text: string) =>
  withoutCode(only(text, /"(?:[^"\\\n]|\\.){12,}"/gu).replaceAll(/"\S* ?\S* ?\S*"/gu, " "))

const testNames = (text: string) =>
  withoutCode(only(text, /(?<=\b(?:it|test|describe|effect|each|prop)(?:\.\w+)?\(\s*)"[^"\n]+"/gu))

const sources = [
  "packages/*/src/**/*.ts",
  "packages/*/test/**/*.ts",
  "packages/http-adapter/site/assets/*.js",
  "scripts/**/*.ts"
]

interface Group {
  readonly name: string
  readonly files: ReadonlyArray<string>
  readonly without?: RegExp
  readonly textOf: (source: string) => string
  /** Maximum number of refused phrases per 1,000 words. A limit above 3 is the measured number, and only falls. */
  readonly limit: number
}

const groups: ReadonlyArray<Group> = [
  {
    name: "documents",
    files: ["*.md", "docs/**/*.md"],
    without: /^CHANGELOG|decisions|style\.md/u,
    textOf: withoutCode,
    limit: 3
  },
  { name: "decisions", files: ["docs/decisions/*.md"], textOf: withoutCode, limit: 3 },
  { name: "guides", files: ["packages/http-adapter/site/guides/*.md"], textOf: withoutCode, limit: 3 },
  { name: "changelog", files: ["CHANGELOG.md"], textOf: withoutCode, limit: 3 },
  { name: "comments", files: sources, textOf: comments, limit: 3 },
  {
    name: "API texts",
    files: ["packages/http-adapter/src/**/*.ts", "packages/domain/src/**/*.ts"],
    textOf: texts,
    limit: 3
  },
  { name: "texts of the command line", files: ["packages/{cli,service}/src/**/*.ts"], textOf: texts, limit: 3 },
  {
    name: "test names",
    files: ["packages/*/test/**/*.ts", "packages/testkit/src/**/*.ts", "test/*.ts"],
    textOf: testNames,
    limit: 7.5
  }
]

const findingsIn = (path: string, text: string) =>
  Array.from(text.matchAll(refused), ({ 0: found, index }) => {
    const line = text.slice(0, index).split("\n").length
    return `${path}:${line}: "${found}". Instead: ${insteadOf.get(found.toLowerCase()) ?? ""}`
  })

describe("texts", () => {
  it.each(groups)("of the group $name have few refused phrases", ({ files, limit, textOf, without }) => {
    const paths = globSync([...files], { cwd: root }).filter((path) => without?.test(path) !== true)
    const found = paths.toSorted().map((path) => ({ path, text: textOf(read(path)) }))
    const words = found.reduce((count, { text }) => count + (text.match(/[A-Za-z']+/gu)?.length ?? 0), 0)
    const findings = found.flatMap(({ path, text }) => findingsIn(path, text))
    const rate = (findings.length * 1000) / words
    expect(words).toBeGreaterThan(1000)
    expect(rate > limit ? findings : [], `${rate.toFixed(1)} per 1,000 words`).toEqual([])
  })

  it("are checked by line", () => {
    expect(findingsIn("a.md", withoutCode("One.\n`anew`\nIt starts anew."))).toEqual(['a.md:3: "anew". Instead: again'])
    expect(findingsIn("a.ts", comments('/** Kept.\n * Said. */\nconst a = "told" // told'))).toHaveLength(3)
    expect(findingsIn("a.ts", texts('call("it is told to stop")'))).toHaveLength(1)
    expect(findingsIn("a.ts", testNames('it("is told")\ncall("told")'))).toHaveLength(1)
  })
})
