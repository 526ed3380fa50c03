/// <reference lib="dom" />
import { describe } from "@effect/vitest"
import { Config, Context, Effect, Layer, Option } from "effect"
import { existsSync } from "node:fs"
import {
  type BrowserContextOptions,
  type Browser as Chromium,
  chromium,
  type Locator,
  type Page,
  type Request
} from "playwright-core"

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium"
]

const configuredPath = Effect.runSync(Config.option(Config.NonEmptyString("CHROMIUM_PATH")))

/** The Chromium of this machine, or the one at `CHROMIUM_PATH`; `undefined` if none exists. */
const chromiumPath = [...Option.toArray(configuredPath), ...places].find((place) => existsSync(place))

/** A group of tests that need a browser. They are skipped without one. */
export const inBrowser = (tests: () => void) =>
  describe.skipIf(chromiumPath === undefined)("in a browser (needs Chromium; CHROMIUM_PATH says where it is)", tests)

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** Activity of a page in addition to its visible content. */
export interface Traces {
  readonly requests: Array<Request>
  /** Console errors, including refusals by the content security policy, and uncaught errors. */
  readonly errors: Array<string>
}

/** A real browser. */
export class Browser extends Context.Service<Browser, Chromium>()("@parley/http-adapter/test/docs/Browser") {
  static readonly layer = Layer.effect(
    Browser,
    Effect.acquireRelease(
      Effect.promise(() =>
        chromium.launch({ ...(chromiumPath !== undefined && { executablePath: chromiumPath }), args: flags })
      ),
      (browser) => Effect.promise(() => browser.close())
    )
  )
}

/** Opens an empty page for an unknown reader and closes it after the test. */
export const openPage = Effect.fnUntraced(function* (options: BrowserContextOptions = {}) {
  const browser = yield* Browser
  const context = yield* Effect.acquireRelease(
    Effect.promise(() => browser.newContext({ viewport: { width: 1360, height: 900 }, ...options })),
    (context) => Effect.promise(() => context.close())
  )
  const page = yield* Effect.promise(() => context.newPage())
  page.setDefaultTimeout(40_000)
  const traces: Traces = { requests: [], errors: [] }
  context.on("request", (request) => traces.requests.push(request))
  page.on("pageerror", (error) => traces.errors.push(error.message))
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") traces.errors.push(message.text())
  })
  return { page, traces }
})

/** Waits until the page knows the reader and has finished drawing. */
export const settle = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => {
    if (document.body.dataset["page"] === "sheet") return true
    const isKnown = ["public", "signed-in"].includes(document.documentElement.dataset["session"] ?? "")
    const isDrawn = document.querySelector("[data-waiting]") === null
    return isKnown && isDrawn && document.querySelector(".nav-area") !== null
  })
}

/** Opens every closed part within the element, including the parts that are drawn on opening. */
export const openParts = (within: Locator): Promise<void> =>
  within.evaluate(async (root) => {
    const closed = () => Array.from(root.querySelectorAll<HTMLDetailsElement>("details:not([open])"))
    for (let parts = closed(); parts.length > 0; parts = closed()) {
      const opened = parts.map((part) => new Promise((done) => part.addEventListener("toggle", done, { once: true })))
      for (const part of parts) part.open = true
      await Promise.all(opened)
    }
  })
