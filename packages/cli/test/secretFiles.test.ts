import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Schema } from "effect"
import { commandLine, printed } from "./support/commandLine.ts"

const Findings = Schema.Array(
  Schema.Struct({
    check: Schema.String,
    status: Schema.String,
    found: Schema.String,
    advice: Schema.NullOr(Schema.String)
  })
)

layer(NodeServices.layer, { excludeTestServices: true })("a secret in a file", (it) => {
  const given = Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-secrets-" })
    yield* fs.writeFileString(`${folder}/password`, "hush\n", { mode: 0o600 })
    yield* fs.writeFileString(`${folder}/token`, "0123456789abcdef\n")
    yield* fs.chmod(`${folder}/token`, 0o644)
    return {
      folder,
      fs,
      environment: {
        PARLEY_DATABASE_URL: "postgres://ann@127.0.0.1:1/nothing",
        PARLEY_DATABASE_PASSWORD_FILE: `${folder}/password`,
        PARLEY_METRICS_TOKEN_FILE: `${folder}/token`
      }
    }
  })

  it.effect("is shown by its path", () =>
    Effect.gen(function* () {
      const { environment, folder } = yield* given
      const { out } = yield* commandLine(environment).parley("config")
      assert.match(out, new RegExp(`^PARLEY_DATABASE_PASSWORD +file:${folder}/password +environment `, "mu"))
      assert.match(out, new RegExp(`^PARLEY_METRICS_TOKEN +file:${folder}/token +environment `, "mu"))
      assert.notInclude(out, "hush")
      assert.notInclude(out, "0123456789abcdef")
    })
  )

  it.effect("is a warning of the doctor if other users can read it", () =>
    Effect.gen(function* () {
      const { environment, folder } = yield* given
      const findings = yield* printed(Findings, yield* commandLine(environment).parley("doctor", "--json"))
      assert.deepStrictEqual(
        findings.filter(({ check }) => check === "secret files").map(({ advice, status }) => [status, advice]),
        [
          ["ok", null],
          ["warning", `run: chmod o-r ${folder}/token`]
        ]
      )
    })
  )

  it.effect("that is missing ends a command with 3, its variable and its path", () =>
    Effect.gen(function* () {
      const { environment, folder, fs } = yield* given
      yield* fs.remove(`${folder}/password`)
      assert.deepStrictEqual(yield* commandLine(environment).parley("orgs", "list"), {
        code: 3,
        out: "",
        err: `parley: PARLEY_DATABASE_PASSWORD_FILE (${folder}/password): the file does not exist.`
      })
    })
  )
})
