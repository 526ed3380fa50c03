import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Organization } from "@parley/domain/platform"
import { aManifest } from "@parley/testkit"
import { Effect, Fiber, FileSystem, Schedule } from "effect"
import { findPointerLines, lineOf } from "../src/commands/plugins/manifestLines.ts"
import { commandLine, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"

const {
  lifecycle: _lifecycle,
  settings: _settings,
  ...manifest
} = {
  ...aManifest,
  key: "acme-dev",
  publisher: { name: "Acme", url: "http://127.0.0.1" },
  baseUrl: "http://127.0.0.1"
}

const write = (path: string, content: unknown) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    fs.writeFileString(path, typeof content === "string" ? content : JSON.stringify(content, null, 2))
  )

/** Waits until the output has this text. */
const until = (output: Effect.Effect<string>, part: string) =>
  output.pipe(
    Effect.repeat({ until: (text) => text.includes(part), schedule: Schedule.spaced("50 millis") }),
    Effect.timeout("40 seconds")
  )

describe("parley plugins dev", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("installs the manifest, applies its changes, and uninstalls it at the end", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-dev-" })
        const [path, tokenFile] = [`${folder}/plugin.json`, `${folder}/.env`]
        const { parley, started } = commandLine({ ...(yield* OnServer), PARLEY_WEBHOOK_ALLOW_LOOPBACK: "on" })
        yield* printed(Organization, yield* parley("orgs", "create", "Devs", "--json", "--plan", "scale"))
        const shown = Effect.map(parley("plugins", "list", "--org", "devs", "--json"), ({ out }) => out)

        yield* write(path, { ...manifest, permissions: ["contacts.fly"] })
        const { err, fiber, out } = yield* started(
          "plugins",
          "dev",
          path,
          "--org=devs",
          `--token-file=${tokenFile}`,
          "--remove"
        )
        const line = JSON.stringify({ ...manifest, permissions: [] }, null, 2)
          .split("\n")
          .findIndex((each) => each.includes('"permissions"'))
        assert.include(yield* until(err, "/permissions/0: "), `parley: ${path}:${line + 2}: /permissions/0: `)
        yield* write(path, manifest)
        yield* until(err, "acme-dev 1.4.0 is installed in devs (enabled).")
        yield* until(err, `The token is in ${tokenFile}.`)
        assert.match(yield* fs.readFileString(tokenFile), /^PARLEY_PLUGIN_TOKEN=\S+\nPARLEY_PLUGIN_SECRET=\S+\n$/u)
        assert.strictEqual((yield* fs.stat(tokenFile)).mode & 0o777, 0o600)

        yield* write(path, "{ not JSON")
        yield* until(err, `${path}:1: Expected valid JSON`)
        yield* write(path, { ...manifest, name: "Second draft", version: "0.0.1" })
        yield* until(err, "acme-dev 0.0.1 is updated in devs (enabled).")
        yield* until(out, "plugin.upgraded")
        assert.include(yield* shown, "Second draft")
        yield* Fiber.interrupt(fiber)
        assert.include(yield* err, "is uninstalled.")
        assert.notInclude(yield* shown, "acme-dev")
      }).pipe(Effect.provide(NodeServices.layer), Effect.scoped)
    )

    it.effect("finds the line of each value of a manifest", () =>
      Effect.sync(() => {
        const text = '{\n  "a/b": [1, {\n    "c": "x, }"\n  }],\n  "d": 2\n}'
        const lines = findPointerLines(text)
        const pointers = ["", "/a~1b", "/a~1b/1/c", "/d", "/d/missing", "/none"]
        assert.deepStrictEqual(
          pointers.map((pointer) => lineOf(lines, pointer)),
          [1, 2, 3, 5, 5, 1]
        )
      })
    )
  })
})
