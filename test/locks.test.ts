import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll } from "vitest"

const root = join(import.meta.dirname, "..")

interface Fault {
  readonly what: string
  readonly file: string
  readonly text: string
  readonly rule: string
}

const domain = join(root, "packages/domain/src")

const areas = readdirSync(domain, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("/module.ts"))
  .map((file) => file.replace("/module.ts", ""))

const stepsUp = (area: string) =>
  area
    .split("/")
    .map(() => "..")
    .join("/")

/** Each area is imported through its index.ts only. */
const sideDoors = areas.flatMap((name): ReadonlyArray<Fault> => {
  const other = name === "platform/identity" ? "platform/audit" : "platform/identity"
  const text = (to: string, from: string) =>
    `import { inner } from "${stepsUp(to)}/${from}/inner.ts"\nexport const own = inner\n`
  const rule = "no-restricted-imports"
  return [
    {
      what: `a side door into the area ${name}`,
      file: `packages/domain/src/${other}/Into-${name.replace("/", "-")}.ts`,
      text: text(other, name),
      rule
    },
    {
      what: `a side door out of the area ${name}`,
      file: `packages/domain/src/${name}/Sideways.ts`,
      text: text(name, other),
      rule
    }
  ]
})

const layers: Readonly<Record<string, ReadonlyArray<string>>> = JSON.parse(
  readFileSync(join(root, "scripts/layers.json"), "utf8")
)

const productOf = (area: string) => area.split("/", 1)[0] ?? area

/** A product folder imports only the folders in its row of layers.json. */
const wrongLayers = areas.flatMap((area) =>
  areas
    .filter((other) => productOf(other) !== productOf(area) && !layers[productOf(area)]?.includes(productOf(other)))
    .map((other): Fault => ({
      what: `an import of ${other} in ${area}`,
      file: `packages/domain/src/${area}/Layer-${other.replace("/", "-")}.ts`,
      text: `import { own } from "${stepsUp(area)}/${other}/index.ts"\nexport const it = own\n`,
      rule: "no-restricted-imports"
    }))
)

const faults: ReadonlyArray<Fault> = [
  ...sideDoors,
  ...wrongLayers,
  ...["url", "dirname", "filename", 'resolve("./texts")'].map((property, index) => ({
    what: `a file next to a source, by import.meta.${property}`,
    file: `packages/http-adapter/src/Place${index}.ts`,
    text: `export const place = import.meta.${property}\n`,
    rule: "no-own-place"
  })),
  {
    what: "a domain file that imports HTTP",
    file: "packages/domain/src/platform/identity/Faulty.ts",
    text: 'import { HttpClient } from "effect/http"\nexport const client = HttpClient.HttpClient\n',
    rule: "no-restricted-imports"
  },
  {
    what: "a domain file that imports SQL",
    file: "packages/domain/src/kernel/Faulty.ts",
    text: 'import { SqlClient } from "effect/sql"\nexport const client = SqlClient.SqlClient\n',
    rule: "no-restricted-imports"
  },
  {
    what: "a domain file that imports an adapter",
    file: "packages/domain/src/platform/audit/Faulty.ts",
    text: 'import { TestKit } from "@parley/testkit"\nexport const kit = TestKit.layer\n',
    rule: "no-restricted-imports"
  },
  {
    what: "a domain file that reads the machine's clock",
    file: "packages/domain/src/platform/audit/Clocked.ts",
    text: "export const now = () => new Date()\n",
    rule: "no-restricted-globals"
  },
  {
    what: "a domain file that reads files",
    file: "packages/domain/src/platform/audit/Reading.ts",
    text: 'import { readFileSync } from "node:fs"\nexport const read = readFileSync\n',
    rule: "no-nodejs-modules"
  },
  {
    what: "SQL in the HTTP adapter",
    file: "packages/http-adapter/src/server/Faulty.ts",
    text: 'import { SqlClient } from "effect/sql"\nexport const client = SqlClient.SqlClient\n',
    rule: "no-restricted-imports"
  },
  {
    what: "SQL in the command line",
    file: "packages/cli/src/Faulty.ts",
    text: 'import { PgClient } from "@effect/sql-pg"\nexport const client = PgClient.PgClient\n',
    rule: "no-restricted-imports"
  },
  {
    what: "SQL in the service",
    file: "packages/service/src/Faulty.ts",
    text: 'import { PgClient } from "@effect/sql-pg"\nexport const client = PgClient.PgClient\n',
    rule: "no-restricted-imports"
  },
  {
    what: "the database client in an adapter of providers",
    file: "packages/provider-adapters/src/Asking.ts",
    text: 'import { layer } from "@parley/pg-pipeline"\nexport const database = layer\n',
    rule: "no-restricted-imports"
  },
  {
    what: "a database client that imports the domain",
    file: "packages/pg-pipeline/src/Faulty.ts",
    text: 'import { StorageTimeout } from "@parley/domain"\nexport const timeout = StorageTimeout\n',
    rule: "no-restricted-imports"
  },
  {
    what: "a service that stands on the testkit",
    file: "packages/service/src/Testing.ts",
    text: 'import { InMemory } from "@parley/testkit"\nexport const memory = InMemory.layer\n',
    rule: "no-restricted-imports"
  },
  {
    what: "a service that stands on a simulator",
    file: "packages/service/src/Simulating.ts",
    text: 'import { startChatSimulator } from "@parley/simulators/chat"\nexport const start = startChatSimulator\n',
    rule: "no-restricted-imports"
  },
  {
    what: "a simulator that imports the testkit",
    file: "packages/simulators/src/Testing.ts",
    text: 'import { InMemory } from "@parley/testkit"\nexport const memory = InMemory.layer\n',
    rule: "no-restricted-imports"
  },
  {
    what: "a command line that imports the testkit",
    file: "packages/cli/src/Testing.ts",
    text: 'import { InMemory } from "@parley/testkit"\nexport const memory = InMemory.layer\n',
    rule: "no-restricted-imports"
  },
  {
    what: "a command line that chooses an adapter",
    file: "packages/cli/src/Choosing.ts",
    text: 'import { Database } from "@parley/postgres-adapter"\nexport const database = Database\n',
    rule: "no-restricted-imports"
  },
  {
    what: "a command line that loads an adapter when it needs one",
    file: "packages/cli/src/Loading.ts",
    text: 'export const database = () => import("@parley/postgres-adapter")\n',
    rule: "no-restricted-imports"
  },
  {
    what: "an adapter that knows the service",
    file: "packages/http-adapter/src/server/Serving.ts",
    text: 'import { layerPorts } from "@parley/service"\nexport const ports = layerPorts\n',
    rule: "no-restricted-imports"
  },
  {
    what: "an adapter that knows another",
    file: "packages/http-adapter/src/server/Knowing.ts",
    text: 'import { Database } from "@parley/postgres-adapter"\nexport const database = Database\n',
    rule: "no-restricted-imports"
  },
  {
    what: "server code in the contract",
    file: "packages/http-adapter/src/api/Faulty.ts",
    text: 'import { ServerConfig } from "../server/ServerConfig.ts"\nexport const config = ServerConfig\n',
    rule: "no-restricted-imports"
  },
  {
    what: "Node in the client",
    file: "packages/http-adapter/src/client/Faulty.ts",
    text: 'import { createHash } from "node:crypto"\nexport const hash = createHash\n',
    rule: "no-nodejs-modules"
  },
  {
    what: "Effect in the light client",
    file: "packages/client/src/Faulty.ts",
    text: 'import { Effect } from "effect"\nexport const done = Effect.void\n',
    rule: "no-restricted-imports"
  },
  {
    what: "Node in the light client",
    file: "packages/client/src/Hashing.ts",
    text: 'import { createHash } from "node:crypto"\nexport const hash = createHash\n',
    rule: "no-nodejs-modules"
  },
  {
    what: "chance outside of its port",
    file: "packages/testkit/src/Faulty.ts",
    text: "export const chance = () => Math.random()\n",
    rule: "no-restricted-properties"
  },
  {
    what: "the environment outside of Config",
    file: "packages/provider-adapters/src/Faulty.ts",
    text: "export const home = process.env.HOME\n",
    rule: "no-restricted-properties"
  },
  {
    what: "a signature that is compared with ===",
    file: "packages/provider-adapters/src/Comparing.ts",
    text: "export const isSigned = (claim: string, signature: string) => claim === signature\n",
    rule: "no-plain-comparison"
  },
  {
    what: "a secret that is looked for in a list",
    file: "packages/provider-adapters/src/Searching.ts",
    text: 'import { Redacted } from "effect"\nexport const isOne = (all: ReadonlyArray<string>, one: Redacted.Redacted) => all.includes(Redacted.value(one))\n',
    rule: "no-plain-comparison"
  },
  ...(
    [
      ["a variable of a module", "Varying", "let count = 0\nexport const next = () => (count += 1)\n"],
      [
        "a map that a module keeps",
        "Keeping",
        "const kept = new Map<string, string>()\nexport const keep = kept.set\n"
      ],
      ["a set in a constant of a module", "Holding", "export const held = { names: new Set<string>() }\n"],
      ["a map of a class", "Sharing", "export class Shared {\n  static readonly all = new Map<string, string>()\n}\n"],
      [
        "a semaphore of a module",
        "Locking",
        'import { Semaphore } from "effect"\nexport const turn = Semaphore.makeUnsafe(1)\n'
      ]
    ] as const
  ).map(([what, name, text]) => ({
    what,
    file: `packages/domain/src/platform/audit/${name}.ts`,
    text,
    rule: "no-module-state"
  })),
  ...[
    "cli",
    "client",
    "http-adapter",
    "pg-pipeline",
    "postgres-adapter",
    "provider-adapters",
    "service",
    "simulators",
    "testkit"
  ].map((name) => ({
    what: `a variable of a module of ${name}`,
    file: `packages/${name}/src/Varying.ts`,
    text: "let count = 0\nexport const next = () => (count += 1)\n",
    rule: "no-module-state"
  })),
  ...(
    [
      ["a helper among use cases", "checkTags", "export const checkTags = () => true\n"],
      [
        "an exported helper beside a use case",
        "markTag",
        'import { useCase } from "../../../kernel/index.ts"\nexport const mark = 1\nexport const markTag = useCase("tags.mark", { access: "user" }, () => mark)\n'
      ]
    ] as const
  ).map(([what, name, text]) => ({
    what,
    file: `packages/domain/src/platform/audit/use-cases/${name}.ts`,
    text,
    rule: "only-use-cases"
  })),
  {
    what: "a digest that is compared as text",
    file: "packages/domain/src/platform/audit/Digesting.ts",
    text: 'export const isIt = (hmac: { digest: (as: string) => string }, claim: string) => hmac.digest("hex") !== claim\n',
    rule: "no-plain-comparison"
  }
]

describe("the linter's locks", () => {
  let tree = ""

  const place = (file: string, text: string) => {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }

  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), "parley-locks-"))
    symlinkSync(join(root, "node_modules"), join(tree, "node_modules"))
    const parts = [
      "scripts/placesPlugin.mjs",
      "scripts/secretsPlugin.mjs",
      "scripts/statePlugin.mjs",
      "scripts/useCasesPlugin.mjs",
      "scripts/layers.json",
      "packages/domain/src/areas.ts"
    ]
    for (const file of ["oxlint.config.ts", ...parts]) {
      mkdirSync(dirname(join(tree, file)), { recursive: true })
      copyFileSync(join(root, file), join(tree, file))
    }
    place(
      "packages/domain/src/platform/identity/Sound.ts",
      'import { record } from "../audit/index.ts"\nexport const write = record\nexport const isThere = (secret: string | null) => secret !== null && secret !== ""\n'
    )
    place(
      "packages/domain/src/platform/audit/Sound.ts",
      'const words: ReadonlySet<string> = new Set(["one"])\nexport const distinct = [...new Set(["one", "one"])]\nexport const count = () => {\n  const counts = new Map<string, number>()\n  for (const word of words) counts.set(word, 1)\n  return counts\n}\nexport class Counted {\n  readonly seen = new Set<string>()\n}\n'
    )
    place(
      "packages/domain/src/platform/audit/use-cases/Sound.ts",
      'import { useCase } from "../../../kernel/index.ts"\nexport const Shown = 1\nexport const first = useCase("first", { access: "user" }, () => 1)\nexport const makeSound = (shown: number) => useCase("sound", { access: "user" }, () => shown)\n'
    )
    place(
      "packages/http-adapter/src/Sound.ts",
      'import { createRequire } from "node:module"\nexport const found = createRequire(import.meta.url).resolve("effect")\n'
    )
    place(
      "packages/cli/src/Sound.ts",
      'import { ParleyClient } from "@parley/http-adapter/client"\nimport { readSettings } from "@parley/service/configuration"\nexport const own = [ParleyClient, readSettings]\n'
    )
    for (const { file, text } of faults) place(file, text)
  })

  afterAll(() => rmSync(tree, { recursive: true, force: true }))

  const lint = () => {
    const { stdout } = spawnSync(join(root, "node_modules/.bin/oxlint"), ["--format", "unix", "packages"], {
      cwd: tree,
      encoding: "utf8"
    })
    return stdout.split("\n")
  }

  it("refuse what breaks the architecture, and nothing else", () => {
    const lines = lint()
    for (const { file, rule, what } of faults) {
      assert.isTrue(
        lines.some((line) => line.startsWith(`${file}:`) && line.includes(rule)),
        `${what} was not refused by ${rule}:\n${lines.join("\n")}`
      )
    }
    assert.deepStrictEqual(
      lines.filter((line) => line.includes("Sound.ts")),
      []
    )
  })
})
