import { assert, describe, it } from "@effect/vitest"
import { Assets } from "@parley/domain/kernel"
import { TestKit } from "@parley/testkit"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { brotliCompressSync, constants } from "node:zlib"
import { encodingOf } from "../../src/server/openapi/route.ts"
import { bundledBaseUrl, openApi } from "../../src/server/openapi/openApi.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"

describe("the encoding of the OpenAPI document", () => {
  it.each<readonly [string | undefined, "br" | "gzip" | null]>([
    [undefined, null],
    ["", null],
    ["identity", null],
    ["gzip", "gzip"],
    ["gzip, deflate, br", "br"],
    ["GZIP;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br; q=0.0", null]
  ])("for %s is %s", (header, expected) => {
    assert.strictEqual(encodingOf(header), expected)
  })
})

overHttp("the OpenAPI document of the service", TestKit.layer, (it) => {
  it.effect("is the same in each encoding", () =>
    Effect.gen(function* () {
      for (const encoding of ["br", "gzip"]) {
        const answer = yield* call("GET", "/openapi.json", { headers: { "accept-encoding": encoding } })
        assert.strictEqual(answer.headers.get("content-encoding"), encoding)
        assert.strictEqual(answer.headers.get("vary"), "Accept-Encoding")
        assert.strictEqual(answer.text, JSON.stringify(openApi("http://parley.test")))
      }
    })
  )
})

const site = fileURLToPath(new URL("../../site", import.meta.url))
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const ofBundle = (baseUrl: string) => ({ ...openApi(baseUrl), tags: [{ name: "of the bundle" }] })

/** Files of a bundle, with a document that differs from the generated one. */
const layerBundle = Layer.effect(
  Assets,
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "parley assets ü-"))
      symlinkSync(site, join(folder, "site"))
      writeFileSync(join(folder, "openapi.json.br"), brotliCompressSync(JSON.stringify(ofBundle(bundledBaseUrl)), fast))
      return pathToFileURL(`${folder}/`).href
    }),
    (folder) => Effect.sync(() => rmSync(fileURLToPath(folder), { recursive: true }))
  )
)

overHttp("the OpenAPI document of a bundle", Layer.merge(TestKit.layer, layerBundle), (it) => {
  it.effect("is the file of the bundle with the URL of the service", () =>
    Effect.gen(function* () {
      const answer = yield* call("GET", "/openapi.json")
      assert.deepStrictEqual(JSON.parse(answer.text), JSON.parse(JSON.stringify(ofBundle("http://parley.test"))))
    })
  )
})
