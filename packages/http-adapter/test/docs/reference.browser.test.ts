import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { createServer } from "node:http"
import type { Page } from "playwright-core"
import { ServerConfig, settings } from "../../src/server/ServerConfig.ts"
import * as Docs from "../../src/server/docs/index.ts"
import { Browser, inBrowser, openPage, openParts, settle } from "./Browser.ts"
import { faultsOf, overflowOf } from "./accessibility.ts"
import { addressOf } from "./addressOf.ts"
import { oddDocument } from "./oddDocument.ts"

/// <reference lib="dom" />

const docs = Docs.layer.pipe(Layer.provide(Layer.succeed(ServerConfig, settings())))

const siteAlone = HttpRouter.serve(docs, { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 }))
)

const openReference = Effect.fnUntraced(function* (path: string, width = 1360) {
  const base = yield* addressOf
  const { page, traces } = yield* openPage({ viewport: { width, height: 900 } })
  yield* Effect.promise(async () => {
    await page.route("**/docs/reference/*.json", (route) => route.fulfill({ json: oddDocument }))
    await page.goto(`${base}${path}`).then(() => settle(page))
  })
  return { page, traces, base }
})

/** Text of every field in the tree of a section: name, type, and details, fully expanded. */
const fieldsOf = (page: Page, heading: string) =>
  page.evaluate((title) => {
    const isWanted = (section: Element) => section.querySelector("h4")?.textContent.startsWith(title) === true
    const section = Array.from(document.querySelectorAll("section.part")).find(isWanted)
    const rows = Array.from(section?.querySelectorAll(".field-row") ?? [])
    return rows.map((row) => {
      const own = (selector: string) => row.querySelector(`:scope > ${selector}`)?.textContent ?? ""
      return [
        own(".field-head > .field-name"),
        own(".field-head > .field-type"),
        own(".field-head > .field-required"),
        own(".field-rules"),
        own(".field-values"),
        own(".field-description")
      ]
        .filter(Boolean)
        .join(" | ")
    })
  }, heading)

inBrowser(() => {
  layer(Layer.mergeAll(siteAlone, Browser.layer), { timeout: 60_000, excludeTestServices: true })(
    "the reference, of any OpenAPI document",
    (it) => {
      it.effect("says what a body may hold", () =>
        Effect.gen(function* () {
          const { page, traces } = yield* openReference("/docs/reference/contacts")
          yield* Effect.promise(async () => {
            await openParts(page.locator("main"))
            assert.deepStrictEqual(await fieldsOf(page, "Body"), [
              "name | string | required | 2 to 20 characters | Name.",
              "nick | string or null | 2 to 20 characters | Name.",
              "note | string or null | at most 5 characters",
              'kind | string | required | Always "thing"',
              'color | string or null | One of "red" "blue"',
              "size | integer",
              "part | number | more than 0 · a multiple of 0.5 · default 1",
              "either | string or integer",
              "tags | list of strings | at least 1 item · each at least 1 character",
              "labels | map of strings",
              "limits | map of objects",
              "any name | object",
              "max | integer | required",
              "anything | any value",
              "shape | one of or null | required",
              'type | string | required | Always "circle"',
              "radius | number",
              'type | string | required | Always "square"',
              "side | number",
              "parts | list of Thing, again",
              "whole | Thing, again | What it is a part of.",
              "merged | object",
              "one | boolean | required",
              "two | timestamp"
            ])
            assert.deepStrictEqual(traces.errors, [])
          })
        })
      )

      it.effect("shows parameters, answers, errors and a call from every place of the document", () =>
        Effect.gen(function* () {
          const { page, base } = yield* openReference("/docs/reference/contacts")
          yield* Effect.promise(async () => {
            const article = page.locator("article[id='operation/putThing']")
            assert.deepStrictEqual(await fieldsOf(page, "In the path"), ["id | UUID | required"])
            assert.deepStrictEqual(await fieldsOf(page, "In the query"), [
              "q | string | required",
              "sizes | list of integers | each at least 1"
            ])
            assert.include(await article.innerText(), "Deprecated")
            assert.include(await article.innerText(), "The thing as it is now.")
            const codes = await article.locator(".refusals code").allInnerTexts()
            assert.deepStrictEqual(codes, ["taken", "too_odd", "too_even"])
            const curl = await article.locator("pre").first().innerText()
            assert.include(curl, `curl -X PUT "${base}/base/things/7?q=a%20b%26c"`)
            assert.include(curl, '"kind": "thing"')
            const answer = article.locator("pre").nth(1)
            assert.include(await answer.innerText(), '"name": "shown as it is"')
            assert.include(curl, '-d \'{\n    "name": "text"')
            await article.getByRole("tab", { name: "TypeScript" }).click()
            assert.include(await article.locator("pre").first().innerText(), `await fetch("${base}/base/things/7?q=a`)
            await page.keyboard.press("ArrowLeft")
            assert.include(await article.locator("pre").first().innerText(), "curl -X PUT")
            await article.locator("summary", { hasText: "of shape" }).first().click()
            const variants = await article
              .locator(".variant")
              .evaluateAll((all) => all.map((one) => one.hasAttribute("open")))
            assert.deepStrictEqual(variants.slice(0, 2), [true, false])
            await article.locator("select").selectOption({ label: "409 taken" })
            assert.include(await answer.innerText(), '"by": "somebody"')
            await article.locator("select").selectOption({ label: "204 No content" })
            assert.strictEqual(await answer.innerText(), "(no body)")
          })
        })
      )

      it.effect("takes words for words", () =>
        Effect.gen(function* () {
          const { page, traces } = yield* openReference("/docs/reference/contacts")
          yield* Effect.promise(async () => {
            const words = page.locator("article[id='operation/putThing'] .operation-words")
            assert.include(await words.innerText(), "<img src=x onerror=alert(1)>")
            assert.include(await words.innerText(), "a link")
            assert.strictEqual(await page.locator("main img, [href^='javascript']").count(), 0)
            const article = page.locator("article[id='operation/putThing']")
            assert.strictEqual(await article.locator("h3").innerText(), "Put <b>a thing</b>")
            assert.strictEqual(await article.locator(".operation-words > p strong").innerText(), "weight")
            assert.strictEqual(await article.locator(".operation-words > ul li").count(), 2)
            assert.deepStrictEqual(traces.errors, [])
          })
        })
      )

      it.effect("shows errors with their fields and calls", () =>
        Effect.gen(function* () {
          const { page } = yield* openReference("/docs/reference/errors")
          yield* Effect.promise(async () => {
            const problem = page.locator("[id='problem/taken']")
            assert.include(await problem.innerText(), "Who has it.")
            await openParts(problem)
            const link = problem.getByRole("link", { name: "Put <b>a thing</b>" })
            assert.strictEqual(await link.getAttribute("href"), "/docs/reference/odd-ends#operation/putThing")
          })
        })
      )

      it.effect("can be read on a phone as well", () =>
        Effect.gen(function* () {
          const { page } = yield* openReference("/docs/reference/contacts", 390)
          yield* Effect.promise(async () => {
            await openParts(page.locator("main"))
            assert.deepStrictEqual(await faultsOf(page), [])
            assert.strictEqual(await overflowOf(page), 0)
          })
        })
      )

      it.effect("reports an unreadable document", () =>
        Effect.gen(function* () {
          const base = yield* addressOf
          const { page } = yield* openPage()
          yield* Effect.promise(async () => {
            await page.route("**/docs/reference/*.json", (route) => route.fulfill({ status: 503, body: "" }))
            await page.goto(`${base}/docs/reference/contacts`)
            await page.locator("text=could not be loaded").waitFor()
            await page.goto(`${base}/docs/guides/errors`)
            assert.isTrue(await page.locator("h1", { hasText: "Errors" }).isVisible())
          })
        })
      )
    }
  )
})
