import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpEffect, HttpRouter, HttpServer } from "effect/http"
import { openApi } from "../../src/server/openapi/openApi.ts"
import { guideSlugs } from "../../src/server/docs/Guides.ts"
import * as Docs from "../../src/server/docs/index.ts"

type Get = (path: string, headers?: Record<string, string>) => Effect.Effect<Response>

class Site extends Context.Service<
  Site,
  { readonly get: Get; readonly text: (path: string) => Effect.Effect<string> }
>()("@parley/http-adapter/test/docs/Site") {
  static readonly layer = Layer.effect(
    Site,
    Effect.gen(function* () {
      const app = yield* HttpRouter.toHttpEffect(Docs.layer)
      const handler = HttpEffect.toWebHandler(app)
      const get: Get = (path, headers = {}) =>
        Effect.promise(() => handler(new Request(`http://parley.test${path}`, { headers })))
      const text = (path: string) => Effect.flatMap(get(path), (response) => Effect.promise(() => response.text()))
      return Site.of({ get, text })
    })
  ).pipe(Layer.provide(HttpServer.layerServices))
}

const pages = [
  "/docs",
  "/docs/",
  "/docs/reference",
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
    ["/docs/search.json", "application/json"]
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
