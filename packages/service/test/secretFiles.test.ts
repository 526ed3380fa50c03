import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Redacted } from "effect"
import { ChildProcess } from "effect/process"
import { inspect } from "node:util"
import { strayVariables } from "../src/environment.ts"
import { readSettings, type Settings } from "../src/readSettings.ts"
import { fileVariableOf } from "../src/Setting.ts"
import { catalogue, type SettingName } from "../src/settings.ts"

const inEnvironment = (environment: Record<string, string>) =>
  Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment))

const reading = (environment: Record<string, string>) => readSettings({}).pipe(inEnvironment(environment))

const faultsOf = (environment: Record<string, string>) =>
  Effect.map(Effect.flip(reading(environment)), (error) => {
    assert.strictEqual(error._tag, "WrongConfiguration")
    return error.message
  })

const url = "postgres://parley@db.example/parley"

const notRegular = "this is not a regular file"

/** A valid text of each secret. A new secret needs a text here. */
const examples: Readonly<Record<string, string>> = {
  databaseUrl: "postgres://parley:hush-url@db.example/parley",
  databasePassword: "hush-password",
  masterKeys: "k1:hush-keys",
  metricsToken: "hush-token-of-the-scraper",
  chatAppSecrets: "hush-new,hush-old",
  chatVerifyToken: "hush-verify",
  storeClientSecrets: "hush-store",
  smtpUrl: "smtps://ann:hush-mail@mail.example:465"
}

const names = Object.keys(catalogue) as ReadonlyArray<SettingName>

const secrets = names.filter((name) => catalogue[name].secret)

const revealed = (value: unknown): string =>
  Array.isArray(value) ? value.map(revealed).join(",") : Redacted.isRedacted(value) ? String(Redacted.value(value)) : ""

/** Variables that a secret needs next to it. */
const neighbours = (name: string): Record<string, string> =>
  name === "databasePassword" ? { PARLEY_DATABASE_URL: url } : {}

layer(NodeServices.layer)("a secret in a file", (it) => {
  const fileWith = Effect.fnUntraced(function* (content: string | Uint8Array) {
    const fs = yield* FileSystem.FileSystem
    const file = `${yield* fs.makeTempDirectoryScoped({ prefix: "parley secret ü " })}/secret`
    yield* typeof content === "string" ? fs.writeFileString(file, content) : fs.writeFile(file, content)
    return file
  })

  it.effect.each(secrets)("is possible for %s, without one trailing newline", (name) =>
    Effect.gen(function* () {
      const variable = fileVariableOf(catalogue[name]) ?? assert.fail()
      assert.strictEqual(variable, `${catalogue[name].variable}_FILE`)
      const text = examples[name] ?? assert.fail("a text for the new secret")
      for (const ending of ["", "\n", "\r\n"]) {
        const file = yield* fileWith(text + ending)
        const settings: Settings = yield* reading({ ...neighbours(name), [variable]: file })
        assert.strictEqual(revealed(settings[name].value), text)
        const { origin, shown, source } = settings[name]
        assert.deepStrictEqual([source, shown, origin], ["environment", `file:${file}`, `${variable} (${file})`])
      }
    })
  )

  it.effect("has a path relative to the credentials of the systemd unit", () =>
    Effect.gen(function* () {
      const file = yield* fileWith("k1:hush-keys")
      const name = file.slice(file.lastIndexOf("/") + 1)
      const folder = file.slice(0, file.lastIndexOf("/"))
      const settings = yield* reading({ CREDENTIALS_DIRECTORY: folder, PARLEY_MASTER_KEYS_FILE: name })
      assert.strictEqual(revealed(settings.masterKeys.value), "k1:hush-keys")
      assert.strictEqual(settings.masterKeys.shown, `file:${file}`)
      const absolute = yield* reading({ CREDENTIALS_DIRECTORY: "/nowhere", PARLEY_MASTER_KEYS_FILE: file })
      assert.strictEqual(revealed(absolute.masterKeys.value), "k1:hush-keys")
    })
  )

  it.effect.each(secrets)("is refused for %s with its variable and path, and without its content", (name) =>
    Effect.gen(function* () {
      const { variable } = catalogue[name]
      const text = examples[name] ?? assert.fail()
      const refused = Effect.fnUntraced(function* (file: string, reason: string, more: Record<string, string> = {}) {
        const message = yield* faultsOf({ ...neighbours(name), [`${variable}_FILE`]: file, ...more })
        assert.include(message, `${variable}_FILE (${file}): `)
        assert.include(message, reason)
        assert.notInclude(message, "hush")
      })
      yield* refused(yield* fileWith(text), `${variable} is also set`, { [variable]: text })
      yield* refused("/nowhere/secret", "the file does not exist")
      yield* refused("/", notRegular)
      yield* refused("/dev/zero", notRegular)
      yield* refused(yield* fileWith(""), "the file is empty")
      yield* refused(yield* fileWith("\n"), "the file is empty")
      yield* refused(yield* fileWith("h".repeat(65_537)), "the file is larger than 64 kB")
      yield* refused(yield* fileWith(Uint8Array.of(0xff, 0xfe)), "the file is not UTF-8 text")
    })
  )

  it.effect("is refused in a pipe, without a wait for a writer", () =>
    Effect.gen(function* () {
      const pipe = `${yield* fileWith("k1:hush-keys")}.pipe`
      assert.strictEqual(yield* ChildProcess.make("mkfifo", [pipe]).pipe(Effect.flatMap(({ exitCode }) => exitCode)), 0)
      assert.include(
        yield* faultsOf({ PARLEY_MASTER_KEYS_FILE: pipe }),
        `PARLEY_MASTER_KEYS_FILE (${pipe}): ${notRegular}`
      )
    })
  )

  it.effect("can be behind a link", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = yield* fileWith("k1:hush-keys")
      yield* fs.symlink(file, `${file}.link`)
      const settings = yield* reading({ PARLEY_MASTER_KEYS_FILE: `${file}.link` })
      assert.strictEqual(revealed(settings.masterKeys.value), "k1:hush-keys")
    })
  )

  it.effect("is refused in the wrong form without its content", () =>
    Effect.gen(function* () {
      const file = yield* fileWith("mysql://ann:hush@db/parley")
      const message = yield* faultsOf({ PARLEY_DATABASE_URL_FILE: file })
      assert.include(message, `PARLEY_DATABASE_URL_FILE (${file}): expected an address such as postgres://`)
      assert.notInclude(message, "hush")
    })
  )

  it.effect("has a variable that is no typo, and that no other setting has", () =>
    Effect.gen(function* () {
      const variables = { PARLEY_SMTP_URL_FILE: "/run/secrets/smtp", PARLEY_PORT_FILE: "/run/secrets/port" }
      assert.deepStrictEqual(yield* strayVariables.pipe(inEnvironment(variables)), ["PARLEY_PORT_FILE"])
    })
  )

  it.effect("is hidden by a flag", () =>
    Effect.gen(function* () {
      const flags = { databaseUrl: yield* Effect.succeedSome("postgres://db/other") }
      const settings = yield* readSettings(flags).pipe(inEnvironment({ PARLEY_DATABASE_URL_FILE: "/nowhere" }))
      assert.strictEqual(settings.databaseUrl.origin, "--database-url")
    })
  )
})

layer(NodeServices.layer)("the separate password of the database", (it) => {
  const completed = Effect.fnUntraced(function* (address: string) {
    const settings = yield* reading({ PARLEY_DATABASE_URL: address, PARLEY_DATABASE_PASSWORD: "p@ss/word: ?" })
    return settings.databaseUrl.value === null ? null : Redacted.value(settings.databaseUrl.value)
  })

  it.effect.each([
    ["postgres://ann@db/parley", "postgres://ann:p%40ss%2Fword%3A%20%3F@db/parley"],
    [
      "postgresql://db:5433/parley?sslmode=require",
      "postgresql://:p%40ss%2Fword%3A%20%3F@db:5433/parley?sslmode=require"
    ],
    ["postgres://ann@one,two:5433/parley", "postgres://ann:p%40ss%2Fword%3A%20%3F@one,two:5433/parley"]
  ] as const)("completes %s", ([address, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* completed(address), expected)
    })
  )

  it.effect("is refused next to a URL with a password, and without a URL", () =>
    Effect.gen(function* () {
      for (const address of ["postgres://ann:hush@db/parley", "postgres://ann@db/parley?password=hush"]) {
        const message = yield* faultsOf({ PARLEY_DATABASE_URL: address, PARLEY_DATABASE_PASSWORD: "hush" })
        assert.strictEqual(
          message,
          "PARLEY_DATABASE_PASSWORD: PARLEY_DATABASE_URL already contains a password. Remove one."
        )
      }
      const alone = yield* faultsOf({ PARLEY_DATABASE_PASSWORD: "hush" })
      assert.include(alone, "PARLEY_DATABASE_PASSWORD: expected PARLEY_DATABASE_URL")
    })
  )
})

describe("a setting with a redacted value", () => {
  it.each(names)("is a secret: %s", (name) => {
    const schema = inspect(catalogue[name].schema.ast, { depth: 8 })
    assert.strictEqual(schema.includes("Redacted"), catalogue[name].secret)
  })
})
