import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpEffect, HttpRouter, HttpServer } from "effect/http"
import { Api } from "../../src/api/Api.ts"
import { ServerConfig, settings } from "../../src/server/ServerConfig.ts"
import { openApi } from "../../src/server/openapi/openApi.ts"
import { areaPath, readAreas } from "../../src/server/docs/areas.ts"
import { guideSlugs } from "../../src/server/docs/Guides.ts"
import * as Docs from "../../src/server/docs/index.ts"

const docs = Docs.layer.pipe(Layer.provide(Layer.succeed(ServerConfig, settings({ baseUrl: "http://parley.test" }))))

type Get = (path: string, headers?: Record<string, string>) => Effect.Effect<Response>

class Site extends Context.Service<
  Site,
  { readonly get: Get; readonly text: (path: string) => Effect.Effect<string> }
>()("@parley/http-adapter/test/docs/Site") {
  static readonly layer = Layer.effect(
    Site,
    Effect.gen(function* () {
      const app = yield* HttpRouter.toHttpEffect(docs)
      const handler = HttpEffect.toWebHandler(app)
      const get: Get = (path, headers = {}) =>
        Effect.promise(() => handler(new Request(`http://parley.test${path}`, { headers })))
      const text = (path: string) => Effect.flatMap(get(path), (response) => Effect.promise(() => response.text()))
      return Site.of({ get, text })
    })
  ).pipe(Layer.provide(HttpServer.layerServices))
}

const areas = readAreas(Api)

const pages = [
  "/docs",
  "/docs/",
  "/docs/reference",
  "/docs/reference/errors",
  ...areas.map(({ path }) => path),
  "/invitations/accept",
  "/password/reset",
  ...guideSlugs.map((slug) => `/docs/guides/${slug}`)
]

const attributes = (source: string, pattern: RegExp) => Array.from(source.matchAll(pattern), ([, value = ""]) => value)

const assetsOf = (page: string) => attributes(page, /(?:src|href)="(\/docs\/assets\/[^"]+)"/g)

const modulesOf = (script: string) => attributes(script, /from "\.\/([^"]+)"/g).map((name) => `/docs/assets/${name}`)

layer(Site.layer)("the documentation site", (it) => {
  it.effect.each(pages)("%s is a page that runs no script and asks no host but ours", (path) =>
    Effect.gen(function* () {
      const response = yield* (yield* Site).get(path)
      const source = yield* Effect.promise(() => response.text())
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("content-type"), "text/html; charset=utf-8")
      assert.strictEqual(response.headers.get("cache-control"), "no-cache")
      const policy = response.headers.get("content-security-policy") ?? ""
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'"
      ]) {
        assert.include(policy.split("; "), rule)
      }
      assert.notInclude(policy, "unsafe")
      assert.notMatch(source, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/)
      assert.deepStrictEqual(attributes(source, /<(?:script|link|img|iframe)[^>]*(?:src|href)="((?!\/)[^"]*)"/g), [])
    })
  )

  it.effect.each(["/docs/nope", "/docs/guides/nope", "/docs/assets/nope.js"])("%s is a page to browsers only", (path) =>
    Effect.gen(function* () {
      const { get, text } = yield* Site
      const page = yield* get(path, { accept: "text/html,application/xhtml+xml,*/*;q=0.8" })
      assert.strictEqual(page.status, 404)
      assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
      assert.include(page.headers.get("content-security-policy"), "script-src 'self'")
      const source = yield* Effect.promise(() => page.text())
      assert.include(source, "<h1>Page not found</h1>")
      assert.match(source, /<a class="button button-main" href="\/docs"/)
      assert.deepStrictEqual(assetsOf(source), assetsOf(yield* text("/docs")))
      for (const accept of ["*/*", "application/json", "text/html;q=0"]) {
        const problem = yield* get(path, { accept })
        assert.strictEqual(problem.status, 404)
        assert.strictEqual(problem.headers.get("content-type"), "application/problem+json")
        assert.strictEqual(problem.headers.get("vary"), "accept")
      }
    })
  )

  it.effect("tells on its first page every area of the contract, with every operation", () =>
    Effect.gen(function* () {
      const source = yield* (yield* Site).text("/docs")
      const cards = source.split('data-area-card="').slice(1)
      const shown = cards.map((card) => ({
        name: card.slice(0, card.indexOf('"')),
        operations: attributes(card, /data-operation="([^"]+)"/g)
      }))
      const { paths, tags } = openApi("http://parley.test")
      const operations = Object.values(paths).flatMap((item) => Object.values(item))
      assert.deepStrictEqual(
        shown.map(({ name, operations }) => ({ name, operations: operations.toSorted() })),
        tags.map(({ name }) => ({
          name,
          operations: operations.flatMap((one) => (one.tags.includes(name) ? [one.operationId] : [])).toSorted()
        }))
      )
      for (const { summary = "" } of operations) assert.include(source, `>${summary.replaceAll("'", "&#39;")}</a`)
    })
  )

  it.effect("has every file that its pages and scripts name", () =>
    Effect.gen(function* () {
      const site = yield* Site
      const waiting = new Set((yield* Effect.forEach(pages, site.text)).flatMap(assetsOf))
      assert.isAbove(waiting.size, 5)
      for (const path of waiting) {
        const response = yield* site.get(path)
        assert.strictEqual(response.status, 200, path)
        const source = yield* Effect.promise(() => response.text())
        if (path.endsWith(".js")) for (const name of modulesOf(source)) waiting.add(name)
      }
    })
  )

  it.effect.each([
    ["/docs/assets/app.js", "text/javascript; charset=utf-8"],
    ["/docs/assets/theme.css", "text/css; charset=utf-8"],
    ["/docs/assets/icon.svg", "image/svg+xml"],
    ["/docs/search.json", "application/json"],
    ["/docs/reference.json", "application/json"],
    ["/docs/reference/errors.json", "application/json"],
    ["/docs/reference/contacts.json", "application/json"]
  ] as const)("%s is sent as %s and once only, while it is the same", ([path, contentType]) =>
    Effect.gen(function* () {
      const { get } = yield* Site
      const first = yield* get(path)
      const etag = first.headers.get("etag") ?? ""
      assert.strictEqual(first.headers.get("content-type"), contentType)
      assert.match(etag, /^"[\w-]{20,}"$/)
      const again = yield* get(path, { "if-none-match": `"other", W/${etag}` })
      assert.strictEqual(again.status, 304)
      assert.strictEqual(again.headers.get("etag"), etag)
      assert.strictEqual(yield* Effect.promise(() => again.text()), "")
      assert.strictEqual((yield* get(path, { "if-none-match": '"other"' })).status, 200)
    })
  )

  it.effect("has one page per area, and no area with the address of another page", () =>
    Effect.sync(() => {
      const paths = ["/docs/reference/errors", ...areas.map(({ path }) => path)]
      assert.deepStrictEqual(paths, Array.from(new Set(paths)))
    })
  )

  it.effect("serves each operation in one part of the contract, with every component that the part names", () =>
    Effect.gen(function* () {
      const { text } = yield* Site
      const whole = openApi("http://parley.test")
      const found: Record<string, object> = {}
      for (const { path } of areas) {
        const source = yield* text(`${path}.json`)
        const part = JSON.parse(source)
        for (const [, kind = "", name = ""] of source.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
          assert.property(part.components[kind], name, path)
        }
        for (const [name, operations] of Object.entries<object>(part.paths)) {
          found[name] = { ...found[name], ...operations }
        }
      }
      assert.deepStrictEqual(found, JSON.parse(JSON.stringify(whole.paths)))
    })
  )

  it.effect("leads to the page of an operation", () =>
    Effect.gen(function* () {
      const { get } = yield* Site
      for (const { operationId, tags } of Object.values(openApi("").paths).flatMap((item) => Object.values(item))) {
        const answer = yield* get(`/docs/operations/${operationId}`)
        assert.strictEqual(answer.status, 307, operationId)
        assert.strictEqual(answer.headers.get("location"), areaPath(tags[0] ?? ""), operationId)
      }
      assert.strictEqual((yield* get("/docs/operations/nope", { accept: "text/html" })).status, 404)
    })
  )

  it.effect("links from each page to the same page as Markdown", () =>
    Effect.gen(function* () {
      const { get, text } = yield* Site
      for (const path of pages.filter((page) => page.startsWith("/docs") && page !== "/docs/")) {
        const [link = ""] = attributes(yield* text(path), /<link rel="alternate" type="text\/markdown" href="([^"]+)"/g)
        assert.strictEqual(link, `${path}.md`)
        const answer = yield* get(link)
        assert.strictEqual(answer.status, 200, link)
        assert.strictEqual(answer.headers.get("content-type"), "text/markdown; charset=utf-8")
        assert.strictEqual(answer.headers.get("cache-control"), "no-cache")
        assert.match(yield* Effect.promise(() => answer.text()), /^# \S/, link)
        assert.strictEqual((yield* get(link, { "if-none-match": answer.headers.get("etag") ?? "" })).status, 304)
      }
    })
  )

  it.effect("has every operation and its fields in the Markdown of its area", () =>
    Effect.gen(function* () {
      const { text } = yield* Site
      const sources = yield* Effect.forEach(areas, ({ path }) => text(`${path}.md`))
      for (const [path, item] of Object.entries(openApi("http://parley.test").paths)) {
        for (const [method, { operationId }] of Object.entries(item)) {
          const named = sources.filter((source) =>
            source.includes(`\`${method.toUpperCase()} ${path}\` (operation \`${operationId}\`)`)
          )
          assert.strictEqual(named.length, 1, operationId)
        }
      }
      const contacts = yield* text("/docs/reference/contacts.md")
      for (const line of ["- `name` (string or null", "- 409 `contact_exists`: Another contact", "  - `marketing`"]) {
        assert.include(contacts, line)
      }
    })
  )

  it.effect("writes the plans with a feature into the Markdown of a guide", () =>
    Effect.gen(function* () {
      const source = yield* (yield* Site).text("/docs/guides/plans-and-limits.md")
      assert.include(source, "The plans growth and scale have automations.")
      assert.notInclude(source, "<!--")
    })
  )

  it.effect("lists its pages for language models", () =>
    Effect.gen(function* () {
      const { get, text } = yield* Site
      const answer = yield* get("/llms.txt")
      assert.strictEqual(answer.headers.get("content-type"), "text/plain; charset=utf-8")
      const list = yield* Effect.promise(() => answer.text())
      assert.match(list, /^# Parley\n\n> \S.*\n\n/)
      assert.deepStrictEqual(attributes(list, /^## (.+)$/gm), ["Guides", "API reference", "Optional"])
      const links = attributes(list, /^- \[[^\]]+\]\(http:\/\/parley\.test([^)]+)\): \S/gm)
      assert.strictEqual(links.length, list.split("\n- ").length - 1)
      for (const link of links.filter((path) => path.endsWith(".md"))) {
        assert.strictEqual((yield* get(link)).status, 200, link)
      }
      assert.sameMembers(
        links.filter((path) => path.startsWith("/docs/guides/")),
        guideSlugs.map((slug) => `/docs/guides/${slug}.md`)
      )
      const all = yield* text("/llms-full.txt")
      for (const slug of guideSlugs) assert.include(all, yield* text(`/docs/guides/${slug}.md`))
    })
  )

  it.effect("shows guides to a reader without JavaScript, with the next one at the end", () =>
    Effect.gen(function* () {
      const source = yield* (yield* Site).text("/docs/guides/errors")
      assert.include(source, "<h1>Errors</h1>")
      assert.match(source, /<a href="\/docs\/guides\/errors" aria-current="page"\s*>Errors<\/a/)
      assert.match(source, /class="neighbour" href="\/docs\/guides\/pagination"/)
      assert.include(source, "validation_failed")
    })
  )

  it.effect("marks in a guide which plans have a feature", () =>
    Effect.gen(function* () {
      const source = yield* (yield* Site).text("/docs/guides/plans-and-limits")
      assert.include(source, 'data-feature="automations"')
      assert.include(source, "The plans growth and scale have automations.")
    })
  )
})
