import { assert, describe, it } from "@effect/vitest"
import { catalogue, fileVariableOf } from "@parley/service/configuration"
import { Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { unknownWordIn } from "../support/calls.ts"
import { readYaml } from "../support/yaml.ts"

const root = fileURLToPath(new URL("../../../../", import.meta.url))

const texts = Schema.Array(Schema.String)
const none = Schema.Struct({})

const Health = Schema.Union([
  Schema.Struct({ disable: Schema.Literal(true) }),
  Schema.Struct({
    test: texts,
    interval: Schema.String,
    timeout: Schema.String,
    retries: Schema.Int,
    start_period: Schema.optional(Schema.String)
  })
])

/** The keys of a service that we use, and the keys that every service must have. */
const Service = Schema.Struct({
  image: Schema.String,
  restart: Schema.Literals(["unless-stopped", "no"]),
  read_only: Schema.Literal(true),
  cap_drop: Schema.Tuple([Schema.Literal("ALL")]),
  security_opt: Schema.Tuple([Schema.Literal("no-new-privileges:true")]),
  tmpfs: texts,
  stop_grace_period: Schema.Literal("40s"),
  environment: Schema.Record(Schema.String, Schema.String),
  cap_add: Schema.optional(Schema.Tuple([Schema.Literal("NET_BIND_SERVICE")])),
  command: Schema.optional(texts),
  depends_on: Schema.optional(
    Schema.Record(
      Schema.String,
      Schema.Struct({ condition: Schema.Literals(["service_healthy", "service_completed_successfully"]) })
    )
  ),
  healthcheck: Schema.optional(Health),
  networks: Schema.optional(texts),
  ports: Schema.optional(texts),
  secrets: Schema.optional(texts),
  shm_size: Schema.optional(Schema.String),
  stop_signal: Schema.optional(Schema.String),
  user: Schema.optional(Schema.String),
  volumes: Schema.optional(texts)
})

const Compose = Schema.Struct({
  name: Schema.String,
  "x-parley": Schema.Record(Schema.String, Schema.Unknown),
  services: Schema.Record(Schema.String, Service),
  networks: Schema.Record(Schema.String, Schema.Struct({ internal: Schema.Boolean })),
  volumes: Schema.Record(Schema.String, none),
  secrets: Schema.Record(Schema.String, Schema.Struct({ file: Schema.String }))
})

const read = (text: string) => Schema.decodeUnknownSync(Compose, { onExcessProperty: "error" })(readYaml(text))

const text = readFileSync(`${root}deploy/compose.yaml`, "utf8")
const compose = read(text)
const services = Object.entries(compose.services)
const own = services.filter(([, { image }]) => image.includes("parley"))

/** The program of the image, as `scripts/release/image.mjs` declares it. */
const program = ["/opt/parley/bin/node", "/opt/parley/lib/parley/parley.js"]

const known = new Set<string>(
  Object.values(catalogue).flatMap((setting) => [setting.variable, fileVariableOf(setting) ?? []].flat())
)
const secrets = new Set<string>(Object.values(catalogue).flatMap(({ secret, variable }) => (secret ? [variable] : [])))

describe("deploy/compose.yaml", () => {
  it("has the services, each with a read-only root and without capabilities", () => {
    assert.deepStrictEqual(
      services.map(([name]) => name),
      ["postgres", "migrate", "api", "worker", "caddy"]
    )
  })

  it.each([
    ["an unknown key", /^ {4}user: postgres/mu, "    usr: postgres"],
    ["a writable root", /read_only: true/u, "read_only: false"],
    ["a short grace period", /stop_grace_period: 40s/u, "stop_grace_period: 10s"],
    ["a capability", /NET_BIND_SERVICE/u, "SYS_ADMIN"]
  ])("would be refused with $0", (_, found, replacement) => {
    assert.match(text, found)
    assert.throws(() => read(text.replace(found, replacement)))
  })

  it("sets only variables that exist, and secrets only by file", () => {
    assert.lengthOf(own, 3)
    for (const [, { environment }] of own) {
      const variables = Object.keys(environment)
      assert.isNotEmpty(variables)
      assert.deepStrictEqual(
        variables.filter((variable) => !known.has(variable)),
        []
      )
      const plain = variables.filter((variable) => secrets.has(variable))
      assert.deepStrictEqual(plain, ["PARLEY_DATABASE_URL"])
      assert.notMatch(environment["PARLEY_DATABASE_URL"] ?? "", /:\/\/[^/@]*:/u, "a password")
    }
  })

  it("calls only commands and flags that exist", () => {
    for (const [name, { command = [] }] of own) assert.isNull(unknownWordIn(command), name)
    assert.strictEqual(unknownWordIn(["serve", "--no-worker"]), "--no-worker")
    assert.strictEqual(unknownWordIn(["sreve"]), "sreve")
  })

  it("asks each process whether it is ready, with the program of the image", () => {
    const image = readFileSync(`${root}scripts/release/image.mjs`, "utf8")
    assert.include(image, `const program = ${JSON.stringify(program).replaceAll(",", ", ")}`)
    for (const name of ["api", "worker"]) {
      const health = compose.services[name]?.healthcheck
      const test = health !== undefined && "test" in health ? health.test : []
      assert.deepStrictEqual(test.slice(0, 4), ["CMD", ...program, "ready"])
      assert.isNull(unknownWordIn(test.slice(3)))
    }
  })

  it("names only secrets, networks, volumes and services that it declares", () => {
    for (const [name, service] of services) {
      const used = [service.secrets ?? [], service.networks ?? [], Object.keys(service.depends_on ?? {})]
      const declared = [compose.secrets, { ...compose.networks, default: null }, compose.services]
      used.forEach((names, index) => assert.containsAllKeys({ x: 0, ...declared[index] }, ["x", ...names], name))
      for (const file of Object.values(service.environment)) {
        const [, secret] = /^\/run\/secrets\/(.+)$/u.exec(file) ?? []
        if (secret !== undefined) assert.include(service.secrets ?? [], secret, name)
      }
      for (const volume of service.volumes ?? []) {
        const [source = ""] = volume.split(":")
        if (source.startsWith("./")) assert.isTrue(existsSync(`${root}deploy/${source}`), volume)
        else assert.property(compose.volumes, source)
      }
    }
  })
})
