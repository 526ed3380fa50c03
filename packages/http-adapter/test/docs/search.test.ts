import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../../src/api/Api.ts"
import { readGuides } from "../../src/server/docs/Guides.ts"
import { readAreas } from "../../src/server/docs/areas.ts"
import { type SearchEntry, searchEntries } from "../../src/server/docs/searchEntries.ts"
import { openApi } from "../../src/server/openapi/openApi.ts"

interface Finder<Index> {
  readonly indexOf: (entries: ReadonlyArray<SearchEntry>) => Index
  readonly find: (index: Index, typed: string) => ReadonlyArray<SearchEntry>
  readonly distanceOf: (one: string, other: string, limit: number) => number
}

const { distanceOf, find, indexOf }: Finder<object> = await import(
  new URL("../../site/assets/find.js", import.meta.url).href
)

/** Typed text, and the page or place among the first three results. */
const expected = [
  ["login", "/docs/guides/authentication"],
  ["auth", "/docs/guides/authentication"],
  ["authentification", "/docs/guides/authentication"],
  ["api key", "/docs/guides/automation-tokens"],
  ["24-hour window", "/docs/guides/inbox"],
  ["service window", "/docs/guides/inbox"],
  ["dedupe", "/docs/guides/contacts"],
  ["duplicats", "/docs/guides/contacts"],
  ["opt-out", "/docs/guides/contacts"],
  ["unsubcribe", "/docs/guides/contacts"],
  ["rate limit", "/docs/guides/rate-limits"],
  ["rate limt", "/docs/guides/rate-limits"],
  ["429", "/docs/guides/rate-limits"],
  ["webhook signature", "/docs/guides/webhooks"],
  ["webhok signture", "/docs/guides/webhooks"],
  ["idempotency", "/docs/guides/idempotency"],
  ["idempotancy", "/docs/guides/idempotency"],
  ["pagination", "/docs/guides/pagination"],
  ["pagnation", "/docs/guides/pagination"],
  ["cursor", "/docs/guides/pagination"],
  ["broadcst", "/docs/guides/broadcasts"],
  ["shopify", "/docs/guides/stores"],
  ["etag", "/docs/guides/concurrency"],
  ["templates", "/docs/guides/templates"],
  ["sdk", "/docs/guides/from-typescript"],
  ["invite a member", "/docs/reference/members"],
  ["invtie member", "/docs/reference/members"],
  ["create contact", "/docs/reference/contacts"],
  ["plan_limit_reached", "/docs/reference/errors"],
  ["replyToId", "/docs/reference/messages"],
  ["pointer", "/docs/guides/errors#validation-errors"],
  ["contct bulk tag", "/docs/reference/contacts#operation/changeContacts"],
  ["Retry-After", "/docs/guides/rate-limits"],
  ["quiet hrs", "/docs/guides/broadcasts#when-it-waits"]
] as const

const index = Effect.map(readGuides, (guides) =>
  indexOf(searchEntries(guides, readAreas(Api), openApi("http://parley.test")))
)

layer(NodeFileSystem.layer)("the search of the documentation", (it) => {
  it.effect("has the expected page among the first three results", () =>
    Effect.gen(function* () {
      const known = yield* index
      const found = expected.map(([typed, page]) => {
        const places = find(known, typed).map(({ href }) => href)
        const first = places.slice(0, 3)
        return [typed, first.some((href) => href === page || href.split("#")[0] === page) ? page : first]
      })
      assert.deepStrictEqual(
        found,
        expected.map(([typed, page]) => [typed, page])
      )
    })
  )

  it.effect("finds a section by words of its text, and nothing for unknown words", () =>
    Effect.gen(function* () {
      const known = yield* index
      const [first] = find(known, "attributes exactly as they are")
      assert.match(first?.href ?? "", /^\/docs\/guides\/contacts#/)
      assert.deepStrictEqual(find(known, "xyzzy plugh"), [])
    })
  )

  it.effect("ranks guides before operations, and operations before fields", () =>
    Effect.gen(function* () {
      const kinds = find(yield* index, "broadcast").map(({ kind }) => kind)
      assert.strictEqual(kinds[0], "guide")
      const firstPart = kinds.indexOf("part")
      assert.isTrue(firstPart === -1 || !kinds.slice(firstPart).includes("operation"))
    })
  )

  it.effect("accepts one typo in short words and two in long ones", () =>
    Effect.sync(() => {
      assert.strictEqual(distanceOf("webhok", "webhook", 1), 1)
      assert.strictEqual(distanceOf("wbehook", "webhook", 1), 1)
      assert.strictEqual(distanceOf("idempotancy", "idempotency", 2), 1)
      assert.strictEqual(distanceOf("pagnaton", "pagination", 2), 2)
      assert.isAbove(distanceOf("contact", "consent", 1), 1)
    })
  )
})
