import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Path, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { Api } from "../../src/api/Api.ts"
import { reflectApi } from "../../src/api/describe.ts"
import { openApi } from "../../src/server/openapi/openApi.ts"
import { readSiteText } from "../../src/server/docs/SiteFiles.ts"
import { runTool } from "../openapi/runTool.ts"
import { readSamples, type Sample } from "./samples.ts"
import { shellWords } from "./shellWords.ts"

const home = fileURLToPath(new URL("../../", import.meta.url))
const compiler = fileURLToPath(new URL("../../../../node_modules/typescript/bin/tsc", import.meta.url))

const samples = await readSamples()

/** All examples in one module: shared imports once, and each example in a separate function. */
const moduleOf = (all: ReadonlyArray<Sample>) => {
  const lines = all.map(({ typescript }) => typescript.split("\n"))
  const imports = new Set(lines.flat().filter((line) => line.startsWith("import ")))
  const functions = all.map(({ id }, index) => {
    const body = (lines[index] ?? []).filter((line) => !line.startsWith("import "))
    return [`export const ${id} = async () => {`, ...body, "}"].join("\n")
  })
  return [...imports, ...functions].join("\n\n")
}

const settings = {
  extends: "../../../tsconfig.base.json",
  references: [{ path: "../../client" }],
  files: ["samples.ts", "guide.ts", "clientReadme.ts", "readme.ts"],
  compilerOptions: {
    rootDir: ".",
    noEmit: true,
    rewriteRelativeImportExtensions: false,
    tsBuildInfoFile: "tsbuildinfo",
    noUnusedLocals: false,
    types: ["node"]
  }
}

/** The blocks of a page, as one program. */
const programIn = (text: string) =>
  Array.from(text.matchAll(/^```ts\n(.*?)\n```$/gms), ([, code = ""]) => code).join("\n\n")

/** Request of a curl command. */
const readCurl = (command: string) => {
  const [program, ...words] = shellWords(command)
  const headers: Record<string, string> = {}
  const found = { program, method: "GET", url: "", headers, data: null as string | null, file: null as string | null }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    if (!word.startsWith("-")) {
      assert.strictEqual(found.url, "", command)
      found.url = word
      continue
    }
    const value = words[++at] ?? ""
    if (word === "-X") found.method = value
    else if (word === "-d") found.data = value
    else if (word === "--data-binary") found.file = value
    else if (word === "-H") headers[value.slice(0, value.indexOf(":")).toLowerCase()] = value.replace(/^[^:]+: /, "")
    else assert.fail(`${word} in ${command}`)
  }
  return found
}

const shapeOf = (path: string) =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, "([^/]+)")}$`)

layer(NodeServices.layer)("the examples of the site", (it) => {
  it.effect(
    "in TypeScript compile, including the guide, the package and the README",
    () =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const path = yield* Path.Path
        const folder = yield* files.makeTempDirectoryScoped({ directory: home, prefix: ".samples-" })
        const source = moduleOf(samples)
        yield* files.writeFileString(path.join(folder, "samples.ts"), source)
        const guide = yield* readSiteText("guides/from-typescript.md")
        const clientReadme = yield* files.readFileString(path.join(home, "../client/README.md"))
        const readme = yield* files.readFileString(path.join(home, "../../README.md"))
        yield* files.writeFileString(path.join(folder, "guide.ts"), programIn(guide))
        yield* files.writeFileString(path.join(folder, "clientReadme.ts"), programIn(clientReadme))
        yield* files.writeFileString(path.join(folder, "readme.ts"), programIn(readme))
        yield* files.writeFileString(path.join(folder, "tsconfig.json"), JSON.stringify(settings))
        const { exit, output } = yield* runTool(folder, process.execPath, [compiler, "-b", folder])
        assert.strictEqual(output, "")
        assert.strictEqual(exit, 0)
        assert.strictEqual(source.match(/^export const /gm)?.length, samples.length)
      }),
    // Without a build, the compiler first builds the dependencies of the client.
    600_000
  )

  it.effect("call every operation with the light client except provider calls", () =>
    Effect.sync(() => {
      const without = samples.filter(({ typescript }) => !typescript.includes("createParley("))
      assert.deepStrictEqual(without.map(({ id }) => id).toSorted(), [
        "receiveAccountDelivery",
        "receiveOwnChatDelivery",
        "receivePlatformChatDelivery",
        "receiveStoreDelivery"
      ])
    })
  )

  it.effect("in curl send what the contract reads, each of them", () =>
    Effect.gen(function* () {
      const { components, paths } = openApi("http://127.0.0.1:8787")
      const byId = new Map(
        reflectApi(Api).map((reflected) => [paths[reflected.path]?.[reflected.method]?.operationId, reflected])
      )
      assert.isAbove(samples.length, 100)
      for (const { curl, id, method, path } of samples) {
        const reflected = byId.get(id)
        const operation = paths[path]?.[method.toLowerCase()]
        if (reflected === undefined || operation === undefined) return assert.fail(id)
        const sent = readCurl(curl)
        const url = new URL(sent.url)
        assert.deepStrictEqual([sent.program, sent.method, url.origin], ["curl", method, "http://127.0.0.1:8787"], id)
        const places = shapeOf(path).exec(url.pathname)
        assert.isNotNull(places, id)
        if (reflected.endpoint.params !== undefined) {
          const names = Array.from(reflected.endpoint.path.matchAll(/:(\w+)/g), ([, name = ""]) => name)
          const params = names.map((name, index) => [name, decodeURIComponent(places?.[index + 1] ?? "")])
          yield* decodes(reflected.endpoint.params, Object.fromEntries(params), id)
        }
        const parameters = operation.parameters.map((one) =>
          "$ref" in one ? components.parameters[one.$ref.split("/").at(-1) ?? ""] : one
        )
        for (const parameter of parameters) {
          if (parameter?.required !== true) continue
          if (parameter.in === "query") assert.isTrue(url.searchParams.has(parameter.name), `${id} ${parameter.name}`)
          if (parameter.in === "header") assert.property(sent.headers, parameter.name.toLowerCase(), id)
        }
        assert.strictEqual(
          sent.headers["authorization"],
          operation.security.length > 0 ? "Bearer $TOKEN" : undefined,
          id
        )
        const types = Object.keys(operation.requestBody?.content ?? {})
        if (types.length === 0) {
          assert.deepStrictEqual([sent.data, sent.file], [null, null], id)
        } else if (sent.file !== null) {
          assert.include(types, sent.headers["content-type"], id)
        } else {
          assert.strictEqual(sent.headers["content-type"], "application/json", id)
          const body: unknown = JSON.parse(sent.data ?? "")
          const payload = reflected.endpoint.payload.get("application/json")?.schemas[0]
          if (payload !== undefined && operation["x-client-method"] !== undefined) yield* decodes(payload, body, id)
        }
      }
    })
  )
})

const decodes = (schema: Schema.Top, value: unknown, id: string) =>
  Schema.decodeUnknownEffect(schema as Schema.Codec<unknown>)(value).pipe(
    Effect.catch((error) => Effect.sync(() => assert.fail(`${id}: ${String(error)}`)))
  )
