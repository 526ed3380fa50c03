import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { areas } from "../packages/domain/src/areas.ts"

const packages = join(import.meta.dirname, "../packages")

/** The packages that an area has folders in. */
const homes = ["domain", "postgres-adapter", "testkit", "http-adapter"]

const names = areas.map(({ name }): string => name)

interface File {
  readonly path: string
  readonly text: string
  /** The imported file paths, the names imported from these files, and the names imported from the domain. */
  readonly imports: ReadonlyArray<string>
  readonly bindings: ReadonlySet<string>
  readonly words: ReadonlySet<string>
  /** The area of the file's folder or name. */
  readonly area: string | null
}

/** Imported names of a file from paths that match the pattern. */
const wordsIn = (text: string, from: string): ReadonlySet<string> =>
  new Set(
    Array.from(text.matchAll(new RegExp(String.raw`import [^"]*?\{([^}]*)\} from "${from}"`, "gu")), ([, all = ""]) =>
      Array.from(all.matchAll(/\w+/gu), ([word]) => word)
    ).flat()
  )

const filesIn = (folder: string, end: string): ReadonlyArray<File> =>
  readdirSync(join(packages, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(end))
    .map((entry) => {
      const whole = join(entry.parentPath, entry.name)
      const path = relative(packages, whole)
      const text = readFileSync(whole, "utf8")
      const imports = Array.from(text.matchAll(/from "(\.[^"]+)"/gu), ([, to = ""]) => join(dirname(path), to))
      const within = `/${path.replace(/\.ts$/u, "")}/`
      const area = names.find((name) => within.includes(`/${name}/`)) ?? null
      return {
        path,
        text,
        imports,
        bindings: wordsIn(text, String.raw`\.[^"]+`),
        words: wordsIn(text, String.raw`@parley/domain(?:/\w+)?`),
        area
      }
    })

const files = [
  ...homes.flatMap((home) => ["src", "test"].flatMap((part) => filesIn(`${home}/${part}`, ".ts"))),
  ...filesIn("http-adapter/site/guides", ".md")
]

const ofArea = (area: string, under: string) =>
  files.filter((file) => file.area === area && file.path.startsWith(under))

const matches = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found = ""]) => found)

const exportedBy = (area: string) =>
  new Set(
    ofArea(area, "domain/src/").flatMap(({ text }) =>
      matches(text, /^export (?:abstract )?(?:class|const|interface|type) (\w+)/gmu)
    )
  )

const tablesOf = (area: string) =>
  ofArea(area, "postgres-adapter/src/").flatMap(({ text }) => matches(text, /\bINSERT INTO (\w+)/gu))

const migrationsOf = (area: string) => {
  const tables = tablesOf(area)
  return files
    .filter(({ path }) => path.startsWith("postgres-adapter/src/migrations/"))
    .filter(({ text }) => tables.some((table) => new RegExp(String.raw`CREATE TABLE ${table}\b`, "u").test(text)))
    .map(({ path }) => path)
}

/** Ids of an area's endpoints: those that run its use cases. */
const endpointsOf = (area: string) => {
  const exported = exportedBy(area)
  return files
    .filter(({ path }) => path.startsWith("http-adapter/src/server/bindings/"))
    .flatMap(({ text }) => {
      const [group = ""] = matches(text, /^export const (\w+) = bind/gmu)
      return Array.from(text.matchAll(/^ +(\w+): \{\s*(?:runs|uses): (\w+)/gmu), ([, name = "", useCase = ""]) => ({
        id: `${group}.${name}`,
        useCase
      }))
    })
    .filter(({ useCase }) => exported.has(useCase))
    .map(({ id }) => id)
}

const groupsOf = (area: string) => new Set(endpointsOf(area).map((id) => id.replace(/\..*$/u, "")))

/** The files of an area's contract: each has one group of endpoints or several. */
const contractOf = (area: string) => {
  const groups = groupsOf(area)
  return files
    .filter(({ path }) => /^http-adapter\/src\/api\/\w+\.ts$/u.test(path))
    .filter(({ text }) => matches(text, /HttpApiGroup\.make\("(\w+)"\)/gu).some((group) => groups.has(group)))
    .map(({ path }) => path)
}

/** The files with the handlers of an area. */
const handlersOf = (area: string) => {
  const groups = groupsOf(area)
  return files
    .filter(({ path }) => path.startsWith("http-adapter/src/server/handlers/"))
    .filter(({ text }) =>
      matches(text, /HttpApiBuilder\.group\(\s*Api,\s*"(\w+)"/gu).some((group) => groups.has(group))
    )
    .map(({ path }) => path)
}

const useCasesOf = (area: string) =>
  ofArea(area, "domain/src/").flatMap(({ text }) => matches(text, /useCase\(\s*\{\s*name: "([^"]+)"/gu))

const quotes = (text: string, all: ReadonlyArray<string>) =>
  all.some((each) => text.includes(`"${each}"`) || text.includes(`\`${each}\``))

/** Part of an area, and whether a file names it; `null` if the area does not have the part. */
const parts: Readonly<Record<string, (area: (typeof areas)[number]) => ((file: File) => boolean) | null>> = {
  "its folder": ({ name }) => {
    const own = (home: string, path: string) => path.startsWith(`${home}/src/`) && path.includes(`/${name}/`)
    return (file) =>
      homes.some((home) => file.path.startsWith(`${home}/src/`) && file.imports.some((to) => own(home, to)))
  },
  "its storage":
    ({ name }) =>
    (file) =>
      file.imports.some((to) => to.endsWith(`/${name}/layer.ts`)),
  "its contracts": ({ name }) =>
    ofArea(name, "testkit/src/contracts/").length === 0
      ? null
      : (file) => file.imports.some((to) => to.startsWith(`testkit/src/contracts/${name}/`)),
  "its tables": ({ name }) => {
    const migrations = migrationsOf(name)
    return migrations.length === 0 ? null : (file) => file.imports.some((to) => migrations.includes(to))
  },
  "its rows": ({ name }) => {
    const exported = exportedBy(name)
    const isKept = (file: File) => file.path.startsWith("testkit/src/")
    return tablesOf(name).length === 0
      ? null
      : (file) => isKept(file) && Array.from(file.words).some((word) => exported.has(word))
  },
  "its permissions": ({ permissions }) => (permissions.length === 0 ? null : (file) => quotes(file.text, permissions)),
  "its events": ({ events }) => {
    const types = Object.keys(events.visibleWith)
    return types.length === 0 ? null : (file) => quotes(file.text, types)
  },
  "its endpoints": ({ name }) => {
    const groups = groupsOf(name)
    const named = new Set([...contractOf(name), ...handlersOf(name)])
    const isHttp = (file: File) => file.path.startsWith("http-adapter/")
    const isOf = (path: string) => groups.has(path.replace(/^.*\/|\.ts$/gu, "")) || named.has(path)
    return groups.size === 0
      ? null
      : (file) =>
          isHttp(file) && (file.imports.some(isOf) || Array.from(file.bindings).some((word) => groups.has(word)))
  },
  "what its endpoints are called": ({ name }) => {
    const ids = endpointsOf(name)
    return ids.length === 0 ? null : (file) => ids.some((id) => file.text.includes(id))
  },
  "what its use cases are called": ({ name }) => {
    const useCases = useCasesOf(name)
    return useCases.length === 0 ? null : (file) => useCases.some((each) => file.text.includes(each))
  }
}

/** Files that name a part of every area with such a part. A new area requires a change in each file. */
const shared = () => {
  const found = new Map<string, Array<string>>()
  for (const [part, naming] of Object.entries(parts)) {
    const tests = areas.flatMap((area) => naming(area) ?? [])
    assert.isAtLeast(tests.length, 5, `${part} is had by some areas`)
    for (const file of files) {
      if (file.area !== null || !tests.every((names) => names(file))) continue
      found.set(file.path, [...(found.get(file.path) ?? []), part])
    }
  }
  return found
}

const guide = readFileSync(join(packages, "../CONTRIBUTING.md"), "utf8").split("## Add an area")[1] ?? ""

const listed = guide
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .flatMap((line) => matches(line.split("|")[1] ?? "", /`([^`]+)`/gu))

describe("an area", () => {
  it("touches the files that the guide for contributors lists, and no other that stands already", () => {
    const found = shared()
    assert.deepStrictEqual(
      Array.from(found.keys()).toSorted(),
      listed.toSorted(),
      Array.from(found, ([path, parts]) => `${path} names ${parts.join(", ")} of every area`).join("\n")
    )
    assert.isAtMost(listed.length, 15)
    const [, code, pages] = /(\d+) files of the code and (\d+) guides/u.exec(guide) ?? []
    const guides = listed.filter((path) => path.endsWith(".md")).length
    assert.deepStrictEqual([Number(code), Number(pages)], [listed.length - guides, guides])
  })
})

const layers: Readonly<Record<string, ReadonlyArray<string>>> = JSON.parse(
  readFileSync(join(packages, "../scripts/layers.json"), "utf8")
)

describe("a product folder", () => {
  it.each(Object.entries(layers))(
    "%s is a TypeScript project that references what it can import",
    (folder, allowed) => {
      const { references } = JSON.parse(readFileSync(join(packages, `domain/src/${folder}/tsconfig.json`), "utf8"))
      assert.deepStrictEqual(
        references,
        allowed.map((other) => ({ path: `../${other}` }))
      )
    }
  )
})
