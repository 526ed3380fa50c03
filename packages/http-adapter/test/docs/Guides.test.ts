import { NodeFileSystem } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Feature, Permission, PlanName, Role } from "@parley/domain/kernel"
import { Limit, permissionsOfRole, plans } from "@parley/domain/platform"
import { headerAliases, partialNameHeaders } from "@parley/domain/crm"
import { DomainEvent, eventPermissions } from "@parley/domain/composition"
import { Effect, FileSystem, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { openApi } from "../../src/server/openapi/openApi.ts"
import { type Guide, guideSlugs, readGuides } from "../../src/server/docs/Guides.ts"
import { listSiteFiles, readSiteText } from "../../src/server/docs/SiteFiles.ts"
import { shapeOfPath } from "./shownCalls.ts"

const parseJson = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const document = openApi("http://127.0.0.1:8787")

const calls = new Set(
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${shapeOfPath(path)}`)
  )
)

const sourceOf = (slug: string) => readSiteText(`guides/${slug}.md`)

/** The API calls in shell commands. Ids are variables or literals. */
const callsInShell = (commands: string) =>
  commands
    .replaceAll("\\\n", " ")
    .split("\n")
    .flatMap((line) =>
      Array.from(
        line.matchAll(/(?<!PARLEY=)(?:\$PARLEY|http:\/\/127\.0\.0\.1:8787)(\/[^\s"?)]+)/g),
        ([, path = ""]) => {
          const method = /-X (\w+)/.exec(line)?.[1] ?? (/ (?:-d|--data\S*) /.test(line) ? "POST" : "GET")
          const shape = shapeOfPath(path).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\$\(.*$|\$\w+/g, "{}")
          return `${method} ${shape}`
        }
      )
    )

/** The rows of the table below a heading, cell by cell, without the code marks. */
const tableBelow = (source: string, heading: string) => {
  const lines = source.slice(source.indexOf(`## ${heading}`)).split("\n")
  const start = lines.findIndex((line) => line.startsWith("|"))
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"))
  const rows = lines.slice(start, end).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim().replaceAll("`", ""))
  )
  return [rows[0] ?? [], ...rows.slice(2)]
}

const codeBlocks = (source: string, language: string) =>
  Array.from(source.matchAll(new RegExp(`\`\`\`${language}[^\n]*\n(.*?)\n\`\`\``, "gs")), ([, code = ""]) => code)

const examples: Readonly<Record<string, { readonly value: Schema.Json }>> = document.components.examples

const linksOf = (guide: Guide) =>
  Array.from(`${guide.lead.source}${guide.body.source}`.matchAll(/href="([^"]+)"/g), ([, href = ""]) => href)

layer(NodeFileSystem.layer)("the guides", (it) => {
  it.effect("do not announce existing features as planned", () =>
    Effect.gen(function* () {
      for (const slug of guideSlugs) {
        assert.notMatch(yield* sourceOf(slug), /later versions? of the API|not counted yet|still to come/i, slug)
      }
    })
  )

  it.effect("name the organization of the demo in commands", () =>
    Effect.gen(function* () {
      for (const slug of guideSlugs) {
        const named = Array.from((yield* sourceOf(slug)).matchAll(/--org ([^\s`]+)/g), ([, name]) => name)
        for (const name of named) assert.match(name ?? "", /^(?:demo-acme|demo-corner-shop|\$\w+|"\$\w+")$/, slug)
      }
    })
  )

  it.effect("have a name for every limit on the first page", () =>
    Effect.gen(function* () {
      const script = yield* readSiteText("assets/plan.js")
      const [, names = ""] = /const limitNames = \{([^}]*)\}/.exec(script) ?? []
      const keys = Array.from(names.matchAll(/^ *(\w+):/gm), ([, key = ""]) => key)
      assert.sameMembers(keys, [...Limit.literals])
    })
  )

  it.effect("show the pictures that there are, and no others", () =>
    Effect.gen(function* () {
      const sources = yield* Effect.forEach(guideSlugs, sourceOf)
      const shown = sources.flatMap((source) =>
        Array.from(source.matchAll(/^!\[[^\]]+\]\(\.\.\/pictures\/(.+)\)$/gm), ([, name = ""]) => name)
      )
      assert.deepStrictEqual(shown.toSorted(), yield* listSiteFiles("pictures"))
    })
  )

  it.effect("are all shown, each with a title and a lead", () =>
    Effect.gen(function* () {
      const guides = yield* readGuides
      const files = yield* listSiteFiles("guides")
      assert.deepStrictEqual(
        files,
        guides.map(({ slug }) => `${slug}.md`).toSorted((one, other) => (one < other ? -1 : 1))
      )
      for (const guide of guides) {
        assert.notStrictEqual(guide.title, "", guide.slug)
        assert.notStrictEqual(guide.leadText, "", guide.slug)
      }
    })
  )

  it.effect("are listed in their order for readers of the repository", () =>
    Effect.gen(function* () {
      const list = yield* (yield* FileSystem.FileSystem).readFileString(
        fileURLToPath(new URL("../../../../docs/guides/README.md", import.meta.url))
      )
      const listed = Array.from(
        list.matchAll(/^\| \[.+\]\(\.\.\/\.\.\/packages\/http-adapter\/site\/guides\/([\w-]+)\.md\)/gm),
        ([, slug = ""]) => slug
      )
      assert.deepStrictEqual(listed, [...guideSlugs])
    })
  )

  it.effect("leave no mark of Markdown unread", () =>
    Effect.gen(function* () {
      for (const guide of yield* readGuides) {
        const words = guide.body.source.replaceAll(/<code.*?<\/code>/gs, "").replaceAll(/<[^>]*>/g, " ")
        assert.notMatch(words, /[*`]|\]\(|(?<=^|\s)(?:_\w|#{1,6} |[-+] )|\|/m, guide.slug)
      }
    })
  )

  it.effect("lead nowhere that does not exist", () =>
    Effect.gen(function* () {
      const guides = yield* readGuides
      const places = new Set([
        "/docs/reference",
        "/docs/reference/errors",
        ...guides.flatMap(({ headings, path }) => [path, ...headings.map(({ id }) => `${path}#${id}`)])
      ])
      for (const guide of guides) {
        const own = linksOf(guide).map((href) => (href.startsWith("#") ? `${guide.path}${href}` : href))
        const dead = own.filter((href) => !href.startsWith("https://") && !places.has(href))
        assert.deepStrictEqual(dead, [], guide.slug)
      }
    })
  )

  it.effect.each(guideSlugs)("%s names only calls that exist", (slug) =>
    Effect.gen(function* () {
      const source = yield* sourceOf(slug)
      const named = Array.from(
        source.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`\s]+)`/g),
        ([, method = "", path = ""]) => `${method} ${shapeOfPath(path)}`
      )
      const inShell = codeBlocks(source, "bash").flatMap(callsInShell)
      assert.deepStrictEqual(
        [...named, ...inShell].filter((call) => !calls.has(call)),
        []
      )
    })
  )

  it.effect("are led to by a quick start and a tour that name every area, and only calls that exist", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const tour = yield* fs.readFileString(fileURLToPath(new URL("../../../../docs/tour.md", import.meta.url)))
      const quickStart = yield* sourceOf("quick-start")
      assert.deepStrictEqual(
        tableBelow(tour, "Areas of the API").slice(1),
        document.tags.map(({ description, name }) => [name, description])
      )
      const called = [...codeBlocks(quickStart, "bash"), ...codeBlocks(tour, "sh")].flatMap(callsInShell)
      assert.isAbove(called.length, 8)
      assert.deepStrictEqual(
        called.filter((call) => !calls.has(call)),
        []
      )
    })
  )

  it.effect.each(guideSlugs)("%s shows JSON that is JSON, and problems as the API gives them", (slug) =>
    Effect.gen(function* () {
      for (const code of codeBlocks(yield* sourceOf(slug), "json")) {
        const shown = parseJson(code)
        if (typeof shown["code"] !== "string") continue
        const given = examples[shown["code"]]?.value
        assert.isObject(given, shown["code"])
        const { status, title, type } = Object(given)
        assert.deepStrictEqual(
          {
            status: shown["status"],
            title: shown["title"],
            type: shown["type"],
            fields: Object.keys(shown).toSorted()
          },
          { status, title, type, fields: Object.keys(Object(given)).toSorted() }
        )
      }
    })
  )

  it.effect("tell the features and limits that are enforced", () =>
    Effect.gen(function* () {
      const source = yield* sourceOf("plans-and-limits")
      const names = PlanName.literals
      assert.deepStrictEqual(tableBelow(source, "Features"), [
        ["Feature", ...names],
        ...Feature.literals.map((feature) => [
          feature,
          ...names.map((plan) => (plans[plan].features.includes(feature) ? "yes" : "–"))
        ])
      ])
      assert.deepStrictEqual(tableBelow(source, "Limits"), [
        ["Limit", ...names],
        ...Limit.literals.map((limit) => [
          limit,
          ...names.map((plan) => plans[plan].limits[limit].toLocaleString("en"))
        ])
      ])
    })
  )

  it.effect("list common names of file columns", () =>
    Effect.gen(function* () {
      const halves = [...partialNameHeaders.firstName, ...partialNameHeaders.lastName]
      const all = { ...headerAliases, name: [...headerAliases.name, ...halves] }
      assert.deepStrictEqual(
        tableBelow(yield* sourceOf("contacts"), "Columns").slice(1),
        Object.entries(all).map(([target, names]) => [target, names.join(", ")])
      )
    })
  )

  it.effect("tell the permissions that roles hold", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(tableBelow(yield* sourceOf("tenancy-and-roles"), "Roles"), [
        ["Permission", ...Role.literals],
        ...Permission.literals.map((permission) => [
          permission,
          ...Role.literals.map((role) => (permissionsOfRole(role).has(permission) ? "yes" : "–"))
        ])
      ])
    })
  )

  it.effect("list every event type with its permission", () =>
    Effect.gen(function* () {
      const [, ...rows] = tableBelow(yield* sourceOf("webhooks"), "Types of events")
      const permissions: Readonly<Record<string, string>> = eventPermissions
      const types = DomainEvent.members.map((member) => member.fields.type.literal)
      assert.deepStrictEqual(
        rows,
        types.map((type) => [type, permissions[type] ?? ""])
      )
    })
  )
})
