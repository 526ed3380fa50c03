import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { givenMember, givenOrganization, TestKit } from "@parley/testkit"
import { Effect, FileSystem, Layer, Path, Redacted, Schema } from "effect"
import { HttpServer } from "effect/http"
import { fileURLToPath } from "node:url"
import { settings } from "../src/server/ServerConfig.ts"
import { Server } from "../src/server/index.ts"
import { at, itemsAt, text } from "../test/openapi/document.ts"
import { runTool } from "../test/openapi/runTool.ts"
import { generatedClientProgram } from "./generatedClientProgram.ts"
import { generatedSdkProgram } from "./generatedSdkProgram.ts"

const modules = fileURLToPath(new URL("node_modules", import.meta.url))
const compiler = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url))

const spectral = fileURLToPath(new URL("spectralProgram.mjs", import.meta.url))

/** No tool may ask another host for anything. */
const offline = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }

const run = (folder: string, script: string, ...args: ReadonlyArray<string>) =>
  runTool(folder, process.execPath, [script, ...args], offline)

const givenFolder = Effect.fnUntraced(function* (files: Readonly<Record<string, string>>) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-openapi-" })
  yield* fs.symlink(modules, (yield* Path.Path).join(folder, "node_modules"))
  for (const [name, content] of Object.entries(files)) {
    yield* fs.writeFileString((yield* Path.Path).join(folder, name), content)
  }
  return folder
})

const readJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

const tsconfig = (compilerOptions: object, files: ReadonlyArray<string>) =>
  JSON.stringify({
    compilerOptions: {
      target: "ES2024",
      module: "NodeNext",
      lib: ["ES2024", "DOM", "DOM.Iterable"],
      types: ["node"],
      typeRoots: [fileURLToPath(new URL("../../../node_modules/@types", import.meta.url))],
      strict: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      ...compilerOptions
    },
    files
  })

const sdkSettings = `export default {
  input: "openapi.json",
  output: { path: "generated", importFileExtension: ".ts" },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"]
}
`

/** `by-phone` and `imports` are not contact ids, and the segment after them is not an action, so the paths are unambiguous. */
const isAmbiguousByRule = (place: string) =>
  place.startsWith("/paths/~1api~1v1~1contacts~1{contactId}~1") ||
  place === "/paths/~1api~1v1~1contacts~1imports~1{importId}"

/** The types of events are listed with their `type` and an `example`, as schemas are: it takes the example of a list for some. */
const isExampleInExample = (fault: unknown) =>
  at(fault, "code") === "oas3-valid-schema-example" && itemsAt(fault, "path").slice(0, -1).includes("example")

layer(NodeServices.layer, { excludeTestServices: true, timeout: "60 seconds" })(
  "the OpenAPI document in others' tools",
  (it) => {
    it.effect(
      "passes the recommended rules of redocly",
      () =>
        Effect.gen(function* () {
          const folder = yield* givenFolder({ "openapi.json": text })
          const { faults, output } = yield* run(
            folder,
            `${modules}/@redocly/cli/bin/cli.js`,
            "lint",
            "--extends=recommended",
            "--format=json",
            "openapi.json"
          )
          const report = yield* readJson(output)
          assert.strictEqual(at(report, "totals", "errors"), 0, output + faults)
          const warnings = itemsAt(report, "problems").map((problem) => [
            at(problem, "ruleId"),
            itemsAt(problem, "location").map((place) => String(at(place, "pointer")).replace("#", ""))[0]
          ])
          assert.deepStrictEqual(
            warnings.filter(([rule, place]) => rule !== "no-ambiguous-paths" || !isAmbiguousByRule(String(place))),
            []
          )
        }).pipe(Effect.scoped),
      60_000
    )

    it.effect(
      "passes the rules of spectral for OpenAPI, without an error and without a warning",
      () =>
        Effect.gen(function* () {
          const folder = yield* givenFolder({
            "openapi.json": text,
            "untitled.json": JSON.stringify({ openapi: "3.1.0", paths: {} })
          })
          const { exit, faults, output } = yield* run(folder, spectral, "untitled.json", "openapi.json")
          assert.strictEqual(exit, 0, faults)
          const [untitled, ours] = itemsAt(yield* readJson(output))
          assert.isNotEmpty(untitled)
          assert.deepStrictEqual(Array.isArray(ours) ? ours.filter((fault) => !isExampleInExample(fault)) : ours, [])
        }).pipe(Effect.scoped),
      120_000
    )

    it.effect(
      "makes a typed client with openapi-typescript, which type-checks and works",
      () =>
        Effect.gen(function* () {
          const folder = yield* givenFolder({
            "openapi.json": text,
            "client.ts": generatedClientProgram,
            "package.json": '{ "type": "module" }',
            "tsconfig.json": tsconfig({ exactOptionalPropertyTypes: true }, ["client.ts", "schema.d.ts"])
          })
          const generated = yield* run(
            folder,
            `${modules}/openapi-typescript/bin/cli.js`,
            "openapi.json",
            "-o",
            "schema.d.ts"
          )
          assert.strictEqual(generated.exit, 0, generated.faults)
          const checked = yield* run(folder, compiler, "-p", "tsconfig.json")
          assert.strictEqual(checked.exit, 0, checked.output)

          const baseUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
          const organization = yield* givenOrganization({ plan: "growth" })
          const { password, user } = yield* givenMember(organization, "owner")
          const ran = yield* run(folder, "client.ts", baseUrl, user.email, Redacted.value(password))
          assert.deepStrictEqual(
            JSON.parse(ran.output),
            ["owner", "created Thank customers, enabled: false", "/name", 1],
            ran.faults
          )
        }).pipe(
          Effect.scoped,
          Effect.provide(Server.layer(settings({ port: 0, accessLog: false })).pipe(Layer.provideMerge(TestKit.layer)))
        ),
      60_000
    )

    it.effect(
      "makes a client with @hey-api/openapi-ts, which type-checks, uploads files and reads them back",
      () =>
        Effect.gen(function* () {
          const folder = yield* givenFolder({
            "openapi.json": text,
            "openapi-ts.config.ts": sdkSettings,
            "client.ts": generatedSdkProgram,
            "package.json": '{ "type": "module" }',
            "tsconfig.json": tsconfig({}, ["client.ts"])
          })
          const generator = `${modules}/@hey-api/openapi-ts/bin/run.js`
          const generated = yield* run(folder, generator, "-f", "openapi-ts.config.ts")
          assert.strictEqual(generated.exit, 0, generated.output + generated.faults)
          const checked = yield* run(folder, compiler, "-p", "tsconfig.json")
          assert.strictEqual(checked.exit, 0, checked.output)

          const baseUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
          const organization = yield* givenOrganization({ plan: "growth" })
          const { password, user } = yield* givenMember(organization, "owner")
          const ran = yield* run(folder, "client.ts", baseUrl, user.email, Redacted.value(password))
          assert.deepStrictEqual(
            yield* readJson(ran.output),
            {
              file: ["document", "prices.pdf", 24],
              isSame: true,
              code: "validation_failed",
              format: "csv",
              names: ["Grace"],
              count: 1,
              events: ["contact.created"]
            },
            ran.faults
          )
        }).pipe(
          Effect.scoped,
          Effect.provide(Server.layer(settings({ port: 0, accessLog: false })).pipe(Layer.provideMerge(TestKit.layer)))
        ),
      60_000
    )
  }
)
