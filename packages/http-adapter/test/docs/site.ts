import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, type Scope } from "effect"
import type { BrowserContextOptions, Locator, Page } from "playwright-core"
import { Api } from "../../src/api/Api.ts"
import { problemCode, Problems } from "../../src/api/index.ts"
import { readAreas } from "../../src/server/docs/areas.ts"
import { guideSlugs } from "../../src/server/docs/Guides.ts"
import { Browser, inBrowser, openPage, openParts, settle, type Traces } from "./Browser.ts"
import { faultsOf, overflowOf } from "./accessibility.ts"

/// <reference lib="dom" />

/** A running service, with a reader on the plan `free` and their access. */
export class Site extends Context.Service<
  Site,
  {
    readonly base: string
    readonly reader: {
      readonly name: string
      readonly email: string
      readonly password: string
      readonly organization: string
      readonly organizationId: string
    }
    /** A new one-time code for the reader. */
    readonly newCode: Effect.Effect<string>
    /** The token of a new invitation. */
    readonly newInvitation: Effect.Effect<string>
    /** The token of a new invitation for a user with an account. */
    readonly newInvitationOfReader: Effect.Effect<string>
    /** The token of a link to a new password. */
    readonly newPasswordReset: Effect.Effect<string>
  }
>()("@parley/http-adapter/test/docs/Site") {}

const areas = readAreas(Api)

const paths = [
  "/docs",
  "/docs/reference",
  "/docs/reference/errors",
  ...areas.map(({ path }) => path),
  ...guideSlugs.map((slug) => `/docs/guides/${slug}`)
]

interface Visit {
  readonly page: Page
  readonly traces: Traces
  readonly base: string
}

/** Opens a path of the site in a new browser context; with a code, as the reader. */
const visit = Effect.fnUntraced(function* (
  path: string,
  { signedIn = false, ...options }: BrowserContextOptions & { readonly signedIn?: boolean } = {}
) {
  const { base, newCode } = yield* Site
  const { page, traces } = yield* openPage(options)
  if (signedIn) {
    const code = yield* newCode
    yield* Effect.promise(() => page.goto(`${base}/docs#code=${code}`).then(() => settle(page)))
  }
  if (!signedIn || path !== "/docs") {
    yield* Effect.promise(() => page.goto(base + path).then(() => settle(page)))
  }
  return { page, traces, base } satisfies Visit
})

const run = <A>(body: () => Promise<A>) => Effect.promise(body)

const textOf = (page: Page, selector: string) => page.locator(selector).first().innerText()

const backOf = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

/** System preferences, and the resulting background of a page. */
const colours = [
  ["light", "rgb(255, 255, 255)"],
  ["dark", "rgb(14, 16, 19)"]
] as const

const strangers = ({ base, traces }: Visit) =>
  traces.requests.map((request) => request.url()).filter((url) => !url.startsWith(base) && !url.startsWith("data:"))

/** Rules for the documentation site with any service behind it. */
export const siteSuite = <E>(name: string, site: Layer.Layer<Site, E>) =>
  inBrowser(() => {
    layer(Layer.mergeAll(site, Browser.layer), { timeout: 60_000, excludeTestServices: true })(name, (suite) => {
      const it = (
        title: string,
        test: () => Effect.Effect<void, never, Site | Browser | Scope.Scope>,
        millis = 60_000
      ) => suite.effect(title, test, millis)

      it("greets the reader by name, organization and plan", () =>
        Effect.gen(function* () {
          const { reader } = yield* Site
          const { page } = yield* visit("/docs", { signedIn: true })
          yield* run(async () => {
            assert.include(await textOf(page, "h1:visible"), reader.name.split(" ")[0] ?? "")
            const lead = await textOf(page, ".hero .lead:visible")
            for (const word of [reader.name, reader.organization, "free"]) assert.include(lead, word)
            const button = await page.locator(".account-button").getAttribute("aria-label")
            assert.strictEqual(button, `Signed in as ${reader.name}, ${reader.organization}, plan free`)
          })
        }))

      it("removes the code from the address directly, exchanges it once, and stays signed in on every page", () =>
        Effect.gen(function* () {
          const visited = yield* visit("/docs", { signedIn: true })
          yield* run(async () => {
            const { base, page, traces } = visited
            assert.strictEqual(page.url(), `${base}/docs`)
            await page.reload().then(() => settle(page))
            assert.isTrue(await page.locator(".account-button").isVisible())
            await page.goto(`${base}/docs/guides/errors`).then(() => settle(page))
            assert.isTrue(await page.locator(".account-button").isVisible())
            await page.goBack().then(() => settle(page))
            assert.strictEqual(page.url(), `${base}/docs`)
            const exchanges = traces.requests.filter((request) => request.url().endsWith("/api/v1/docs/exchange"))
            assert.strictEqual(exchanges.length, 1)
            assert.isFalse(
              await page.evaluate(() => Object.values(sessionStorage).some((text) => text.includes("code=")))
            )
          })
        }))

      it("takes a new code also while it is open", () =>
        Effect.gen(function* () {
          const { newCode, reader } = yield* Site
          const { base, page } = yield* visit("/docs")
          const code = yield* newCode
          yield* run(async () => {
            await page.evaluate((hash) => (location.hash = hash), `#code=${code}`)
            await page.locator(".account-button").waitFor()
            assert.strictEqual(page.url(), `${base}/docs`)
            assert.include(await textOf(page, ".account-name"), reader.organization)
          })
        }))

      it("meets a used code with a friendly word and the public view", () =>
        Effect.gen(function* () {
          const { base, newCode } = yield* Site
          const code = yield* newCode
          const first = yield* openPage()
          const second = yield* openPage()
          yield* run(async () => {
            await first.page.goto(`${base}/docs#code=${code}`).then(() => settle(first.page))
            const { page } = second
            await page.goto(`${base}/docs#code=${code}`).then(() => settle(page))
            assert.include(await textOf(page, "[data-notice]"), "already used")
            assert.strictEqual(await textOf(page, "h1:visible"), "Build with Parley")
            assert.isTrue(await page.locator("#sign-in").isVisible())
            assert.strictEqual(page.url(), `${base}/docs`)
            await page.getByRole("button", { name: "Close this notice" }).click()
            assert.isFalse(await page.locator("[data-notice]").isVisible())
          })
        }))

      it("goes on as the public view when the session is over", () =>
        Effect.gen(function* () {
          const { base, newCode } = yield* Site
          const code = yield* newCode
          const { page } = yield* openPage()
          yield* run(async () => {
            await page.clock.install()
            await page.goto(`${base}/docs#code=${code}`).then(() => settle(page))
            assert.isTrue(await page.locator(".account-button").isVisible())
            await page.clock.fastForward("10:01")
            await page.locator(".sign-in").waitFor()
            assert.include(await textOf(page, "[data-notice]"), "has ended")
            assert.strictEqual(await page.locator(".is-lacking").count(), 0)
          })
        }))

      it("stays readable when the service cannot identify the reader", () =>
        Effect.gen(function* () {
          const { base } = yield* Site
          const { page } = yield* openPage()
          yield* run(async () => {
            await page.route("**/api/v1/docs/exchange", (route) => route.abort())
            await page.goto(`${base}/docs#code=whatever`).then(() => settle(page))
            assert.include(await textOf(page, "[data-notice]"), "identity could not be determined")
            assert.strictEqual(await textOf(page, "h1:visible"), "Build with Parley")
            assert.strictEqual(page.url(), `${base}/docs`)
          })
        }))

      it("says without a code how to sign in, and shows everything", () =>
        Effect.gen(function* () {
          const visited = yield* visit("/docs")
          yield* run(async () => {
            const { page } = visited
            assert.include(await textOf(page, "#sign-in"), "npm start")
            assert.include(await textOf(page, "#sign-in"), "/api/v1/docs/handoff")
            assert.isFalse(await page.getByRole("heading", { name: "Your plan" }).isVisible())
            assert.strictEqual(await page.locator(".gate.is-lacking").count(), 0)
            assert.deepStrictEqual(visited.traces.errors, [])
            // For a missing page, browsers get an error page; outside of the site all clients get problems only.
            const headers = { accept: "text/html,*/*;q=0.8" }
            const missing = await page.request.get(`${visited.base}/docs/nope`, { headers })
            assert.deepStrictEqual(
              [missing.status(), missing.headers()["content-type"]],
              [404, "text/html; charset=utf-8"]
            )
            assert.include(await missing.text(), "Page not found")
            const problem = await page.request.get(`${visited.base}/api/v1/nope`, { headers })
            assert.deepStrictEqual(
              [problem.status(), problem.headers()["content-type"]],
              [404, "application/problem+json"]
            )
          })
        }))

      it("marks what the plan lacks in the navigation, at the calls, in guides and on the first page", () =>
        Effect.gen(function* () {
          const { base, page } = yield* visit("/docs", { signedIn: true })
          yield* run(async () => {
            const features = await page.locator("[data-plan-features] li").allInnerTexts()
            assert.deepStrictEqual(
              features.map((text) => text.replaceAll(/\s+/g, " ").trim().toLowerCase()),
              ["automations available in growth, scale", "workflows available in scale", "plugins available in scale"]
            )
            const nav = page.locator("nav[aria-label='Documentation'] summary", { hasText: "Automations" })
            assert.strictEqual(
              await nav.locator(".gate.is-lacking").getAttribute("title"),
              "Not in your plan: available in growth, scale"
            )
            await page.goto(`${base}/docs/reference/automations#operation/createAutomation`).then(() => settle(page))
            const article = page.locator("article[id='operation/createAutomation']")
            assert.include(await article.innerText(), "Not in your plan · available in growth, scale")
            const open = page.locator("article[id='operation/listAutomations']")
            assert.notInclude(await open.innerText(), "Not in your plan")
            await page.goto(`${base}/docs/guides/plans-and-limits`).then(() => settle(page))
            assert.include(await textOf(page, ".plan-mark"), "Your plan, free, does not include it")
            assert.isAbove(await page.locator(".prose .endpoint-link .gate.is-lacking").count(), 0)
          })
        }))

      it("puts the reader's organization and this server into the examples", () =>
        Effect.gen(function* () {
          const { reader } = yield* Site
          const { base, page } = yield* visit("/docs/guides/authentication", { signedIn: true })
          yield* run(async () => {
            const code = (await page.locator(".prose pre").allInnerTexts()).join("\n")
            assert.include(code, `X-Organization-Id: ${reader.organizationId}`)
            assert.include(code, `${base}/api/v1/auth/login`)
            assert.notInclude(code, "YOUR_ORGANIZATION_ID")
            assert.notInclude(code, "127.0.0.1:8787")
          })
        }))

      it("forgets the reader who leaves", () =>
        Effect.gen(function* () {
          const { page } = yield* visit("/docs/guides/plans-and-limits", { signedIn: true })
          yield* run(async () => {
            await page.locator(".account-button").click()
            await page.getByRole("button", { name: "Leave" }).click()
            await page.locator(".sign-in").waitFor()
            assert.strictEqual(await page.locator(".is-lacking").count(), 0)
            assert.strictEqual(await page.evaluate(() => sessionStorage.length), 0)
          })
        }))

      it(
        "has every call of the OpenAPI document in the reference, with every way to be refused",
        () =>
          Effect.gen(function* () {
            const { base, page } = yield* visit("/docs/reference")
            yield* run(async () => {
              const contract = await page.request.get(`${base}/openapi.json`).then((response) => response.json())
              const operations = Object.entries<Record<string, { operationId: string }>>(contract.paths).flatMap(
                ([path, item]) =>
                  Object.entries(item).map(([method, { operationId }]) => ({ method, operationId, path }))
              )
              assert.isAbove(operations.length, 20)
              const takers = ["listContacts", "exportContacts", "createSegment", "changeContacts"]
              const text: Record<string, string> = {}
              for (const { path } of areas) {
                await page.goto(base + path).then(() => settle(page))
                for (const taker of takers) {
                  const article = page.locator(`article[id='operation/${taker}']`)
                  if ((await article.count()) > 0) await openParts(article)
                }
                const shown = await page.evaluate(() =>
                  Array.from(document.querySelectorAll("article.operation"), (article) => [
                    article.id,
                    article.textContent
                  ])
                )
                for (const [id = "", content = ""] of shown) text[id] = content
                assert.isBelow(await page.evaluate(() => document.querySelectorAll("*").length), 12_000, path)
              }
              for (const { method, operationId, path } of operations) {
                const shown = text[`operation/${operationId}`] ?? ""
                assert.include(shown, `${method.toUpperCase()}${path}`)
              }
              for (const taker of takers) {
                assert.include(text[`operation/${taker}`] ?? "", "not_within_days", taker)
              }
              await page.goto(`${base}/docs/reference/errors`).then(() => settle(page))
              for (const tag of Object.keys(Problems.problems)) {
                const id = `problem/${problemCode(tag)}`
                assert.strictEqual(await page.locator(`[id='${id}']`).count(), 1, id)
              }
            })
          }),
        240_000
      )

      it("opens links of earlier versions on the page of their area", () =>
        Effect.gen(function* () {
          const { base, page } = yield* visit("/docs")
          yield* run(async () => {
            for (const [from, to] of [
              ["/docs/reference#operation/inviteMember/body", "/docs/reference/members#operation/inviteMember/body"],
              ["/docs#operation/createContact", "/docs/reference/contacts#operation/createContact"],
              ["/docs/reference#area/chat-accounts", "/docs/reference/chat-accounts"],
              ["/docs/reference#problem/not_found", "/docs/reference/errors#problem/not_found"],
              ["/docs/reference#problems", "/docs/reference/errors#problems"]
            ]) {
              await page.goto("about:blank")
              await page.goto(`${base}${from}`)
              await page.waitForURL(`${base}${to}`)
              await settle(page)
            }
          })
        }))

      it("shows the parts of a call as a tree that opens, with a call for the shell and its answers", () =>
        Effect.gen(function* () {
          const { page } = yield* visit("/docs/reference/members#operation/inviteMember")
          yield* run(async () => {
            const article = page.locator("article[id='operation/inviteMember']")
            assert.isTrue(await article.locator("h3").isVisible())
            const top = await article.evaluate((element) => element.getBoundingClientRect().top)
            assert.isAtLeast(top, 0)
            assert.isBelow(top, 300)
            const curl = await article.locator("figure pre").first().innerText()
            for (const part of ["curl -X POST", "Authorization: Bearer $TOKEN", "X-Organization-Id:", '"role":']) {
              assert.include(curl, part)
            }
            await article.locator("summary", { hasText: "fields of member" }).click()
            await article.locator(".field-name", { hasText: "invitedAt" }).waitFor()
            await article.locator("select").selectOption({ label: "409 member_exists" })
            assert.include(await article.locator("figure pre").nth(1).innerText(), '"code": "member_exists"')
            assert.strictEqual(
              await page.locator("[data-spy][aria-current='location']").getAttribute("data-spy"),
              "operation/inviteMember"
            )
          })
        }))

      it("calls operations from its console, with a token that only its memory has", () =>
        Effect.gen(function* () {
          const { reader } = yield* Site
          const permissions = ["clipboard-read", "clipboard-write"]
          const visited = yield* visit("/docs", { signedIn: true, permissions })
          yield* run(async () => {
            const { base, page, traces } = visited
            // The calls of several areas are on one page.
            await page.route("**/docs/reference/contacts.json", async (route) => {
              const contract = await page.request.get(`${base}/openapi.json`).then((response) => response.json())
              const paths = ["/api/v1/contacts", "/api/v1/media", "/api/v1/events"]
              const some = Object.fromEntries(paths.map((path) => [path, contract.paths[path]]))
              await route.fulfill({ json: { ...contract, paths: some } })
            })
            await page.goto(`${base}/docs/reference/contacts#operation/createContact`).then(() => settle(page))
            const open = async (id: string) => {
              const article = page.locator(`article[id='operation/${id}']`)
              await article.locator(".try-button").click()
              return article.locator(".console")
            }
            const send = (console: Locator) => console.locator(".button-main", { hasText: "Send" })
            const answers = (console: Locator, status: number) =>
              console
                .getByRole("status")
                .filter({ hasText: new RegExp(`^${status} .* ms · `) })
                .waitFor()
            const confirm = () => page.locator(".ask button[value='send']").click()
            const toApi = () => traces.requests.filter((request) => request.url() === `${base}/api/v1/contacts`)

            // The session of the docs is no token for the API.
            const creates = await open("createContact")
            assert.strictEqual(await page.evaluate(() => document.activeElement?.getAttribute("name")), "email")
            await send(creates).click()
            await confirm()
            await answers(creates, 401)
            assert.notProperty(toApi()[0]?.headers(), "authorization")

            await creates.getByLabel("E-mail address").fill(reader.email)
            await creates.getByLabel("Password").fill("not this one")
            await page.keyboard.press("Enter")
            await creates.getByRole("alert").filter({ hasText: "password" }).waitFor()
            await creates.getByLabel("Password").fill(reader.password)
            await page.keyboard.press("Enter")
            await creates.getByText(`Calls as ${reader.name}`).waitFor()
            assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "SELECT")
            assert.strictEqual(
              await creates.getByLabel("Organization").locator("option:checked").innerText(),
              reader.organization
            )

            // Changes ask for confirmation; an invalid JSON request is not sent.
            const before = toApi().length
            await creates.getByLabel("Body").fill("{ name")
            await send(creates).click()
            assert.isFalse(await creates.getByLabel("Body").evaluate((field) => field.matches(":valid")))
            await creates.getByLabel("Body").fill(JSON.stringify({ name: "<img src=x onerror=alert(1)>" }))
            const key = await creates.getByLabel("Idempotency-Key").inputValue()
            await send(creates).click()
            assert.include(await page.locator(".ask").innerText(), reader.organization)
            await page.keyboard.press("Escape")
            await page.locator(".ask").waitFor({ state: "detached" })
            assert.strictEqual(toApi().length, before)
            await send(creates).click()
            await confirm()
            await answers(creates, 201)
            assert.strictEqual(toApi().at(-1)?.headers()["idempotency-key"], key)
            assert.match(key, /^[0-9a-f]{32}$/)
            assert.notStrictEqual(await creates.getByLabel("Idempotency-Key").inputValue(), key)
            assert.include(
              await creates.locator(".console-output").innerText(),
              '"name": "<img src=x onerror=alert(1)>"'
            )
            assert.strictEqual(await page.locator("main img").count(), 0)
            await creates.locator(".console-output .copy").click()
            await creates.locator(".console-output .copy", { hasText: "Copied" }).waitFor()
            assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\{\n {2}"id": "/)

            await creates.getByLabel("Body").fill(JSON.stringify({ email: "nobody", nick: "x" }))
            await send(creates).click()
            await confirm()
            await answers(creates, 400)
            const problem = await creates.locator(".console-problem").innerText()
            for (const part of ["/email", "/nick", "validation_failed"]) assert.include(problem, part)

            // All consoles of the page share the caller; a GET is sent immediately.
            const lists = await open("listContacts")
            await lists.getByText(/^\d+ optional/).click()
            await lists.getByLabel("limit").fill("1")
            await lists.getByLabel("consent").selectOption("unknown")
            await send(lists).click()
            await answers(lists, 200)
            assert.include(traces.requests.at(-1)?.url(), "/api/v1/contacts?limit=1&consent=unknown")

            const uploads = await open("uploadMedia")
            const file = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("hello") }
            await uploads.getByLabel("File", { exact: true }).setInputFiles(file)
            assert.strictEqual(await uploads.getByLabel("Type of the body").inputValue(), "text/plain")
            await send(uploads).click()
            await confirm()
            await answers(uploads, 201)

            const follows = await open("listEvents")
            await follows.getByLabel("Type of the answer").selectOption("text/event-stream")
            await send(follows).click()
            await follows.locator("pre", { hasText: "id:" }).waitFor()
            await follows.getByRole("button", { name: "Stop" }).click()
            await follows.getByRole("status").filter({ hasText: "Stopped." }).waitFor()
            assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Send")

            assert.deepStrictEqual(await faultsOf(page), [])
            await page.setViewportSize({ width: 390, height: 844 })
            assert.strictEqual(await overflowOf(page), 0)
            const token = toApi().at(-1)?.headers()["authorization"]?.slice(7) ?? ""
            assert.match(token, /^ey/)
            const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
            assert.notInclude(stored, token)

            await page.reload().then(() => settle(page))
            const again = await open("createContact")
            assert.isTrue(await again.getByLabel("Password").isVisible())
            await again.getByText("Paste a token instead").click()
            await again.getByLabel("Access token or automation token").fill("not a token")
            await page.keyboard.press("Enter")
            await again.getByRole("alert").filter({ hasText: /./ }).waitFor()
            await again.getByLabel("Access token or automation token").fill(token)
            await page.keyboard.press("Enter")
            await again.getByText(`Calls as ${reader.name}`).waitFor()
            await again.getByRole("button", { name: "Forget" }).click()
            assert.isTrue(await again.getByLabel("E-mail address").isVisible())

            // A token that is about to end is renewed before it is used.
            await page.route("**/api/v1/auth/login", async (route) => {
              const response = await route.fetch()
              await route.fulfill({
                response,
                json: { ...(await response.json()), expiresAt: new Date(0).toISOString() }
              })
            })
            await again.getByLabel("E-mail address").fill(reader.email)
            await again.getByLabel("Password").fill(reader.password)
            await page.keyboard.press("Enter")
            await again.getByText(`Calls as ${reader.name}`).waitFor()
            await again.getByLabel("Body").fill(JSON.stringify({ name: "Grace Hopper" }))
            await send(again).click()
            await confirm()
            await answers(again, 201)
            const asked = traces.requests.map((request) => request.url().slice(base.length))
            assert.deepStrictEqual(asked.slice(-3), ["/api/v1/auth/login", "/api/v1/auth/refresh", "/api/v1/contacts"])
            assert.deepStrictEqual(strangers(visited), [])
            const refusals = traces.errors.filter((error) => !/status of 40[01]/.test(error))
            assert.deepStrictEqual(refusals, [])
          })
        }))

      it("leads from a problem type to its description", () =>
        Effect.gen(function* () {
          const { base, page } = yield* visit("/docs#problem/plan_limit_reached")
          yield* run(async () => {
            await page.waitForURL(`${base}/docs/reference/errors#problem/plan_limit_reached`)
            await settle(page)
            const problem = page.locator("[id='problem/plan_limit_reached']")
            const top = await problem.evaluate((element) => element.getBoundingClientRect().top)
            assert.isTrue(top >= 0 && top < 300, String(top))
            assert.include(await problem.innerText(), "current")
          })
        }))

      it("finds guides, calls and error codes from the keyboard", () =>
        Effect.gen(function* () {
          const { base, page } = yield* visit("/docs")
          yield* run(async () => {
            await page.keyboard.press("/")
            await page.keyboard.type("invite")
            await page.locator("[role='option'][aria-selected='true']").waitFor()
            assert.include(await textOf(page, "[role='option'][aria-selected='true']"), "Invite a member")
            await page.keyboard.press("ArrowDown")
            assert.strictEqual(await page.locator("[role='option']").nth(1).getAttribute("aria-selected"), "true")
            await page.keyboard.press("ArrowUp")
            await page.keyboard.press("Enter")
            await page.waitForURL(`${base}/docs/reference/members#operation/inviteMember`)
            await settle(page)
            await page.keyboard.press("ControlOrMeta+k")
            await page.locator("[data-search-input]").fill("cursor invalid")
            await page.locator("[role='option']", { hasText: "cursor_invalid" }).waitFor()
            await page.locator("[data-search-input]").fill("xyzzy plugh")
            await page.locator("[data-search-none]").waitFor()
            await page.locator("[data-search-input]").fill("replyToId body")
            await page.locator("[role='option']", { hasText: "Send a message › Body" }).waitFor()
            await page.locator("[data-search-input]").fill("attributes exactly as they are")
            await page.locator("[role='option'][aria-selected='true']", { hasText: "Contacts, tags" }).waitFor()
            await page.keyboard.press("Enter")
            await page.waitForURL(`${base}/docs/guides/contacts#*`)
            await page.keyboard.press("/")
            await page.keyboard.press("Escape")
            assert.isFalse(await page.locator("dialog").isVisible())
          })
        }))

      it("copies a call", () =>
        Effect.gen(function* () {
          const { base, page } = yield* visit("/docs", { permissions: ["clipboard-read", "clipboard-write"] })
          yield* run(async () => {
            await page.locator(".hero .copy").click()
            await page.locator(".hero .copy", { hasText: "Copied" }).waitFor()
            assert.include(await page.evaluate(() => navigator.clipboard.readText()), `curl ${base}/api/v1/auth/me`)
          })
        }))

      it("can be used from the keyboard, and shows where one is", () =>
        Effect.gen(function* () {
          const { page } = yield* visit("/docs/reference")
          yield* run(async () => {
            await page.keyboard.press("Tab")
            assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Skip to the content")
            await page.keyboard.press("Enter")
            await page.keyboard.press("Tab")
            const focused = await page.evaluate(() => {
              const element = document.activeElement
              if (element === null) return null
              return { isInMain: element.closest("main") !== null, outline: getComputedStyle(element).outlineStyle }
            })
            assert.deepStrictEqual(focused, { isInMain: true, outline: "solid" })
          })
        }))

      it("is light or dark as the system says, until the reader chooses", () =>
        Effect.gen(function* () {
          const { page } = yield* visit("/docs", { colorScheme: "dark" })
          yield* run(async () => {
            const back = () => backOf(page)
            assert.strictEqual(await back(), "rgb(14, 16, 19)")
            await page.locator("[data-theme-button]").click()
            assert.strictEqual(await back(), "rgb(255, 255, 255)")
            await page.reload().then(() => settle(page))
            assert.strictEqual(await back(), "rgb(255, 255, 255)")
            await page.locator("[data-theme-button]").click()
            await page.locator("[data-theme-button]").click()
            assert.strictEqual(
              await page.locator("[data-theme-button]").getAttribute("aria-label"),
              "Colours: as the system"
            )
            assert.strictEqual(await back(), "rgb(14, 16, 19)")
          })
        }))

      it("folds its navigation away on a phone", () =>
        Effect.gen(function* () {
          const { base, page } = yield* visit("/docs/reference", { viewport: { width: 390, height: 844 } })
          yield* run(async () => {
            const menu = page.getByRole("button", { name: "Menu" })
            const nav = page.getByRole("navigation", { name: "Documentation" })
            assert.isFalse(await nav.isVisible())
            await menu.click()
            assert.isTrue(await nav.isVisible())
            assert.strictEqual(await menu.getAttribute("aria-expanded"), "true")
            await page.keyboard.press("Escape")
            assert.isFalse(await nav.isVisible())
            await menu.click()
            await nav.getByRole("link", { name: "Idempotency" }).click()
            await page.waitForURL(`${base}/docs/guides/idempotency`)
          })
        }))

      it("does not jump while it finds out who reads", () =>
        Effect.gen(function* () {
          const { page } = yield* visit("/docs/guides/errors", { signedIn: true })
          yield* run(async () => {
            const shift = await page.evaluate(
              () =>
                new Promise<number>((resolve) => {
                  let sum = 0
                  const add = (entries: PerformanceEntryList) => {
                    for (const entry of entries) sum += Number(Object(entry).value)
                  }
                  const observer = new PerformanceObserver((list) => add(list.getEntries()))
                  observer.observe({ type: "layout-shift", buffered: true })
                  // Drawing is complete by now; the frame after the next reports all layout shifts.
                  requestAnimationFrame(() =>
                    requestAnimationFrame(() => {
                      add(observer.takeRecords())
                      resolve(sum)
                    })
                  )
                })
            )
            assert.isBelow(shift, 0.02)
          })
        }))

      // The colours of an open page follow the system, and its dimensions do not change.
      const quarter = Math.ceil(paths.length / 4)
      for (const { part, width } of [1360, 390].flatMap((width) =>
        [0, 1, 2, 3].map((index) => ({ width, part: paths.slice(index * quarter, (index + 1) * quarter) }))
      )) {
        it(`asks no other host, keeps its policy, fits and can be read, light and dark: ${width} pixels, from ${part[0]} on`, () =>
          Effect.gen(function* () {
            const visited = yield* visit("/docs", { signedIn: true, viewport: { width, height: 900 } })
            const { base, page } = visited
            yield* run(async () => {
              for (const path of part) {
                if (page.url() !== base + path) await page.goto(base + path).then(() => settle(page))
                for (const [colorScheme, back] of colours) {
                  await page.emulateMedia({ colorScheme })
                  assert.strictEqual(await backOf(page), back, path)
                  assert.deepStrictEqual(await faultsOf(page), [], `${path} ${colorScheme}`)
                  assert.strictEqual(await overflowOf(page), 0, `${path} ${colorScheme}`)
                }
              }
              assert.deepStrictEqual(strangers(visited), [])
              assert.deepStrictEqual(visited.traces.errors, [])
            })
          }))
      }

      it("admits an invited person and reports errors until then", () =>
        Effect.gen(function* () {
          const { newInvitation } = yield* Site
          const token = yield* newInvitation
          const visited = yield* visit(`/invitations/accept#token=${token}`)
          yield* run(async () => {
            const { base, page } = visited
            assert.strictEqual(page.url(), `${base}/invitations/accept`)
            assert.deepStrictEqual(await faultsOf(page), [])
            await page.getByLabel("Your name").fill("Grace Hopper")
            await page.getByLabel("Password").fill("short")
            await page.getByRole("button", { name: "Join" }).click()
            assert.include(await textOf(page, "[data-fault='password']"), "at least 8 characters")
            assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "password")
            await page.reload()
            await page.getByLabel("Your name").fill("Grace Hopper")
            await page.getByLabel("Password").fill("a long enough password")
            await page.getByRole("button", { name: "Join" }).click()
            await page.locator("[data-welcome]").waitFor()
            assert.include(await textOf(page, "[data-welcome]"), "Grace Hopper")
            assert.deepStrictEqual(await faultsOf(page), [])
            assert.deepStrictEqual(strangers(visited), [])
            assert.deepStrictEqual(visited.traces.errors, [])
          })
        }))

      it("shows why an invitation is not accepted", () =>
        Effect.gen(function* () {
          const { page } = yield* visit("/invitations/accept#token=not-an-invitation", {
            colorScheme: "dark",
            viewport: { width: 390, height: 844 }
          })
          yield* run(async () => {
            await page.getByLabel("Your name").fill("Grace Hopper")
            await page.getByLabel("Password").fill("a long enough password")
            await page.getByRole("button", { name: "Join" }).click()
            assert.include(await page.getByRole("alert").innerText(), "invitation")
            assert.deepStrictEqual(await faultsOf(page), [])
            assert.strictEqual(await overflowOf(page), 0)
          })
        }))

      it("leads a person with an account and another password to a new password", () =>
        Effect.gen(function* () {
          const { newInvitationOfReader } = yield* Site
          const { base, page } = yield* visit(`/invitations/accept#token=${yield* newInvitationOfReader}`)
          yield* run(async () => {
            await page.getByLabel("Your name").fill("Ada Lovelace")
            await page.getByLabel("Password").fill("not the one that they have")
            await page.getByRole("button", { name: "Join" }).click()
            const way = page.getByRole("link", { name: "Reset the password by email" })
            await way.waitFor()
            assert.deepStrictEqual(await faultsOf(page), [])
            await way.click()
            await page.waitForURL(`${base}/password/reset`)
            await page.getByRole("button", { name: "Send me a link" }).waitFor()
          })
        }))

      it("sends a link to a new password, and says the same of every address", () =>
        Effect.gen(function* () {
          const visited = yield* visit("/password/reset", { viewport: { width: 390, height: 844 } })
          yield* run(async () => {
            const { page } = visited
            assert.strictEqual(await page.locator("h1").innerText(), "Forgotten your password?")
            assert.deepStrictEqual(await faultsOf(page), [])
            assert.strictEqual(await overflowOf(page), 0)
            await page.getByRole("button", { name: "Send me a link" }).click()
            assert.include(await textOf(page, "[data-fault='email']"), "address")
            await page.getByLabel("E-mail address").fill("nobody@people.test")
            await page.getByRole("button", { name: "Send me a link" }).click()
            await page.locator("[data-asked]").waitFor()
            assert.strictEqual(await page.locator("h1").innerText(), "Check your mailbox")
            assert.deepStrictEqual(await faultsOf(page), [])
            assert.deepStrictEqual(strangers(visited), [])
            assert.deepStrictEqual(visited.traces.errors, [])
          })
        }))

      it("sets a new password by a link, once", () =>
        Effect.gen(function* () {
          const { newPasswordReset } = yield* Site
          const token = yield* newPasswordReset
          const visited = yield* visit(`/password/reset#token=${token}`)
          yield* run(async () => {
            const { base, page } = visited
            assert.strictEqual(page.url(), `${base}/password/reset`)
            await page.getByLabel("New password").fill("short")
            await page.getByRole("button", { name: "Set the password" }).click()
            assert.include(await textOf(page, "[data-fault='password']"), "at least 8 characters")
            assert.deepStrictEqual(await faultsOf(page), [])
            await page.getByLabel("New password").fill("a long enough password")
            await page.getByRole("button", { name: "Set the password" }).click()
            await page.locator("[data-done]").waitFor()
            assert.strictEqual(await page.locator("h1").innerText(), "Your password is set")
            assert.deepStrictEqual(await faultsOf(page), [])
            assert.deepStrictEqual(strangers(visited), [])
            assert.deepStrictEqual(visited.traces.errors, [])
          })
          const again = yield* visit(`/password/reset#token=${token}`)
          yield* run(async () => {
            const { page } = again
            await page.getByLabel("New password").fill("a long enough password")
            await page.getByRole("button", { name: "Set the password" }).click()
            await page.getByRole("button", { name: "Send me a link" }).waitFor()
            assert.include(await page.getByRole("alert").innerText(), "not valid")
          })
        }))

      it("reports an incomplete invitation link", () =>
        Effect.gen(function* () {
          const { page } = yield* visit("/invitations/accept")
          yield* run(async () => {
            assert.include(await textOf(page, "[data-invitation-missing]"), "no invitation")
            assert.isFalse(await page.locator("[data-form]").isVisible())
          })
        }))
    })
  })
