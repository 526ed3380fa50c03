import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer, Path, Predicate, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { type Ran, runTool } from "../openapi/runTool.ts"
import { consumerProgram } from "./consumerProgram.ts"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const compiler = `${root}node_modules/typescript/bin/tsc`
const names = [
  "client",
  "domain",
  "testkit",
  "simulators",
  "http-adapter",
  "pg-pipeline",
  "postgres-adapter",
  "provider-adapters",
  "service",
  "cli"
]
const perhapsAMinute = 180_000

const Manifest = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
const readManifest = Schema.decodeEffect(Manifest)
const writeJson = Schema.encodeEffect(Schema.fromJsonString(Schema.Json))

/** A tool needed the network, which is unavailable. */
class Offline extends Schema.TaggedError<Offline>()("Offline", { tool: Schema.String, code: Schema.String }) {}

const offlineCode = ({ faults, output }: Ran) =>
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.exec(faults + output)?.[0]

const online = Effect.fnUntraced(function* (folder: string, tool: string, args: ReadonlyArray<string>) {
  const ran = yield* runTool(folder, tool, args)
  const code = offlineCode(ran)
  if (ran.exit !== 0 && code !== undefined) return yield* new Offline({ tool, code })
  assert.strictEqual(ran.exit, 0, `${tool} ${args.join(" ")}: ${ran.output}${ran.faults}`)
  return ran
})

const pack = Effect.fnUntraced(function* (folder: string) {
  const built = yield* runTool(root, process.execPath, [compiler, "-b", "tsconfig.packages.json"])
  assert.strictEqual(built.exit, 0, built.output)
  const all = ["-r", "--filter", "./packages/*", "pack", "--pack-destination", folder]
  yield* online(root, "npx", ["--yes", "--prefer-offline", "--fetch-retries=0", "pnpm@12", ...all])
})

const tsconfig = {
  compilerOptions: {
    target: "ES2024",
    module: "NodeNext",
    lib: ["ES2024", "ESNext.Disposable", "DOM"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true
  },
  files: ["consumer.ts"]
}

const quietly = [
  "--prefer-offline",
  "--no-audit",
  "--no-fund",
  "--ignore-scripts",
  "--fetch-retries=1",
  "--fetch-retry-mintimeout=1000",
  "--loglevel=error"
]

/** A plain npm project with the packed packages installed; none where npm has no network. */
class Consumer extends Context.Service<Consumer, { readonly project: string; readonly offline: Offline | null }>()(
  "@parley/http-adapter/test/packages/Consumer"
) {
  static readonly layer = Layer.effect(
    Consumer,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { join } = yield* Path.Path
      const tarballs = yield* fs.makeTempDirectoryScoped({ prefix: "parley-packed-" })
      const project = yield* fs.makeTempDirectoryScoped({ prefix: "parley-consumer-" })
      const offline = yield* Effect.gen(function* () {
        yield* pack(tarballs)
        const packed = yield* fs.readDirectory(tarballs)
        const dependencies = Object.fromEntries(
          names.map((name) => [
            `@parley/${name}`,
            `file:${tarballs}/${packed.find((file) => new RegExp(`^parley-${name}-\\d`).test(file))}`
          ])
        )
        const manifest = {
          name: "consumer",
          private: true,
          type: "module",
          dependencies: { ...dependencies, effect: "~4.1.0" }
        }
        yield* fs.writeFileString(join(project, "package.json"), yield* writeJson(manifest))
        yield* fs.writeFileString(join(project, "tsconfig.json"), yield* writeJson(tsconfig))
        yield* fs.writeFileString(join(project, "consumer.ts"), consumerProgram)
        yield* online(project, "npm", ["install", ...quietly])
        return null
      }).pipe(Effect.catchTag("Offline", (offline) => Effect.succeed(offline)))
      return { project, offline }
    })
  )
}

const filesIn = Effect.fnUntraced(function* (name: string) {
  const { project } = yield* Consumer
  const fs = yield* FileSystem.FileSystem
  const folder = `${project}/node_modules/@parley/${name}`
  const files = yield* fs.readDirectory(folder, { recursive: true })
  const manifest = yield* Effect.flatMap(fs.readFileString(`${folder}/package.json`), readManifest)
  return { files: new Set(files), manifest }
})

const targetsOf = (exports: unknown): ReadonlyArray<string> =>
  Predicate.isString(exports) ? [exports] : Predicate.isObject(exports) ? Object.values(exports).flatMap(targetsOf) : []

layer(Layer.provideMerge(Consumer.layer, NodeServices.layer), {
  excludeTestServices: true,
  timeout: "180 seconds"
})("the packages, packed and installed in a plain npm project,", (it) => {
  const installed = (name: string, check: Effect.Effect<void, unknown, Consumer | NodeServices.NodeServices>) =>
    it.effect(
      name,
      ({ skip }) =>
        Effect.gen(function* () {
          const { offline } = yield* Consumer
          if (offline !== null) return skip(`${offline.tool} cannot reach its registry: ${offline.code}`)
          return yield* check
        }),
      perhapsAMinute
    )

  installed(
    "carry what they need and nothing else",
    Effect.gen(function* () {
      for (const name of names) {
        const { files, manifest } = yield* filesIn(name)
        for (const field of ["description", "keywords", "license", "sideEffects", "exports"]) {
          assert.isDefined(manifest[field], `${name} lacks ${field}`)
        }
        assert.notMatch(JSON.stringify(manifest.dependencies), /workspace:|catalog:/)
        for (const target of targetsOf(manifest.exports)) {
          assert.isTrue(files.has(target.replace("./", "")), `${name}: ${target} is missing`)
          assert.match(target, /^\.\/(?:dist\/.*\.(?:js|d\.ts)|package\.json)$/)
        }
        assert.isTrue(files.has("LICENSE"), `${name} lacks its licence`)
        const needless = Array.from(files).filter((file) =>
          /(?:^|\/)(?:test|node_modules|\.tsbuildinfo[^/]*|tsconfig\.json)(?:\/|$)/.test(file)
        )
        assert.deepStrictEqual(needless, [])
      }
    })
  )

  installed(
    "type-check, as far as they are ours",
    Effect.gen(function* () {
      const { project } = yield* Consumer
      const { output } = yield* runTool(project, process.execPath, [compiler, "-p", "."])
      assert.strictEqual(output.trim(), "")
      const lenient = yield* runTool(project, process.execPath, [compiler, "-p", ".", "--skipLibCheck"])
      assert.strictEqual(lenient.exit, 0, lenient.output)
    })
  )

  installed(
    "work together, with the documentation site and all its files",
    Effect.gen(function* () {
      const { project } = yield* Consumer
      const { faults, output } = yield* runTool(project, process.execPath, ["consumer.ts"])
      const { site, ...found } = yield* readManifest(output)
      assert.deepStrictEqual(
        found,
        {
          contract: "parley",
          isSeenOutside: true,
          file: "%PDF-1.7 Rye",
          organizations: ["owner"],
          light: [1, "GET /api/v1/contacts page=cursor"],
          adapters: true
        },
        faults
      )
      assert.isTrue(Predicate.hasProperty(site, "count") && Number(site.count) > 10, output)
      assert.isTrue(
        Predicate.hasProperty(site, "broken") && Array.isArray(site.broken) && site.broken.length === 0,
        output
      )
    })
  )

  installed(
    "bring the command line",
    Effect.gen(function* () {
      const { project } = yield* Consumer
      const { exit, faults, output } = yield* runTool(project, `${project}/node_modules/.bin/parley`, ["--help"])
      assert.strictEqual(exit, 0, faults)
      assert.include(output, "parley <subcommand>")
    })
  )
})
