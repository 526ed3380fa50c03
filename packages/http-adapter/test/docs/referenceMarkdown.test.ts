import { assert, describe, it } from "@effect/vitest"
import { Api } from "../../src/api/Api.ts"
import { areaPath, readAreas } from "../../src/server/docs/areas.ts"
import { callsOf, refusalsOf } from "../../src/server/docs/contract.ts"
import { errorsMarkdown } from "../../src/server/docs/errorsMarkdown.ts"
import { areaMarkdown } from "../../src/server/docs/referenceMarkdown.ts"
import { openApi } from "../../src/server/openapi/openApi.ts"

const document = openApi("http://parley.test")
const pages = new Map(readAreas(Api).map((area) => [area.path, areaMarkdown(document, area, "page")]))

const pageOf = (area: string) => pages.get(areaPath(area)) ?? ""

/** Text below a heading, up to the next heading of the same level. */
const below = (page: string, heading: string) => {
  const [marks = ""] = heading.split(" ")
  return page.split(`\n${heading}\n`)[1]?.split(`\n${marks} `)[0] ?? ""
}

describe("the Markdown of the reference", () => {
  it("lists each variant of a body with all of its fields", () => {
    const body = below(pageOf("Messages"), "## Send a message").split("```")[0] ?? ""
    assert.match(body, /^`kind` \(required\): Kind, which decides the other fields.* One of:$/m)
    const variants = body.split(/^- `kind` /m).slice(1)
    assert.lengthOf(variants, 12)
    for (const kind of ["image", "video", "document", "sticker"]) {
      const variant = variants.find((text) => text.startsWith(`"${kind}"\n`)) ?? ""
      for (const field of ["mediaId", "link", "caption", "replyToId", "recipient"]) {
        assert.match(variant, new RegExp(`^ {2}- \`${field}\` \\(`, "m"), `${kind} ${field}`)
      }
    }
    assert.match(
      variants.at(-1) ?? "",
      / {4}One of:\n {4}- object with `id`\n[^]* {4}- object with `name` and `language`\n/
    )
  })

  it("lists the variants of a field below it", () => {
    const body = below(pageOf("Contacts"), "## Change many contacts")
    assert.match(
      body,
      /^- `change` \(object, required\).*\n {2}`action` \(required\): .* One of:\n {2}- `action` "tag"\n {4}- `tags`/m
    )
    assert.include(body, "  - `filter` ([ContactFilter](#contactfilter)): Filter for the contacts")
  })

  it("describes a schema of several places once, and links to it", () => {
    for (const [path, page] of pages) {
      const schemas = Array.from(
        page.split("\n## Schemas\n")[1]?.matchAll(/^### (\w+)$/gm) ?? [],
        ([, name = ""]) => name
      )
      const links = new Set(Array.from(page.matchAll(/\]\(#(\w+)\)/g), ([, name = ""]) => name))
      assert.sameMembers(
        schemas.map((name) => name.toLowerCase()),
        Array.from(links),
        path
      )
      assert.isBelow(page.length, 200_000, path)
    }
    const workflows = pageOf("Workflows")
    assert.lengthOf(workflows.match(/Operator\. Each field has its own operators/g) ?? [], 1)
    assert.include(below(workflows, "### ContactFilter"), "- `all` (list of [ContactFilter](#contactfilter))")
  })

  it("states a needed permission once", () => {
    for (const [path, page] of pages) assert.notMatch(page, /^Needs the permission .*\n\nPermission: /m, path)
  })

  it("has the operations of an area in the order of its list", () => {
    for (const { name, operations } of readAreas(Api)) {
      const onPage = callsOf(document).flatMap(({ area, operation }) => (area === name ? [operation.operationId] : []))
      assert.deepStrictEqual(
        operations.map(({ id }) => id),
        onPage,
        name
      )
    }
  })

  it("has the fields and a detail of every error code", () => {
    const page = errorsMarkdown(document)
    const codes = new Set(
      callsOf(document).flatMap(({ operation }) => refusalsOf(document, operation).map(({ code }) => code))
    )
    for (const code of codes)
      assert.match(below(page, `## ${code}`), /^\nStatus \d{3}\. [^]*\nExample of `detail`: \S/, code)
    assert.include(
      below(page, "## plan_limit_reached"),
      "- `max` (integer, required): Maximum in the plan of the organization."
    )
    assert.include(below(page, "## method_not_allowed"), "Status 405.")
  })
})
