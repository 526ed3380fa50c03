import { readdirSync, readFileSync } from "node:fs"
import { defineConfig } from "oxlint"

const listed = readFileSync(new URL("packages/domain/src/areas.ts", import.meta.url), "utf8")

const folders = new Map(
  Array.from(listed.matchAll(/import \{ (\w+) \} from "\.\/([^"]+)\/module\.ts"/gu), ([, area = "", folder = ""]) => [
    area,
    folder
  ])
)

const order = /export const areas = \[([^\]]*)\]/u.exec(listed)?.[1] ?? ""

/** The folders of the areas in the order of `areas.ts`. An area can import the areas before it, and no area after it. */
const areas = Array.from(order.matchAll(/\w+/gu), ([area]) => folders.get(area) ?? area)

/** The imports that each product folder of the domain can have. */
const layers: Readonly<Record<string, ReadonlyArray<string>>> = JSON.parse(
  readFileSync(new URL("scripts/layers.json", import.meta.url), "utf8")
)

const foldersIn = (path: string): ReadonlyArray<string> =>
  readdirSync(new URL(path, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** A product folder is one area, or has one folder for each of its areas. */
const areaFolders = foldersIn("packages/domain/src/")
  .filter((folder) => folder !== "kernel" && folder !== "composition")
  .flatMap((folder) =>
    areas.includes(folder) ? [folder] : foldersIn(`packages/domain/src/${folder}/`).map((area) => `${folder}/${area}`)
  )

const unlisted = areaFolders.filter((area) => !areas.includes(area))

if (unlisted.length > 0) throw new Error(`Add these areas to areas.ts: ${unlisted.join(", ")}.`)

const productOf = (area: string) => area.split("/", 1)[0] ?? area

/** Import specifiers contain the last segment of the path in each case. */
const lastOf = (area: string) => area.replace(/^.*\//u, "")

const noSql = {
  group: [
    "effect/sql",
    "effect/sql/*",
    "@effect/sql-pg",
    "@effect/sql-pg/*",
    "@parley/pg-pipeline",
    "@parley/pg-pipeline/*",
    "pg"
  ],
  message: "SQL lives in the Postgres adapter."
}

const noInternals = { group: ["@parley/*/internal/*"], message: "Internal to its package." }

/** The index of the package loads a client for Redis, some 700 modules. */
const noPlatformIndex = {
  group: ["@effect/platform-node", "!@effect/platform-node/*"],
  message: "Import the module, such as @effect/platform-node/NodeHttpServer."
}

const knowsNoPackage = { group: ["@parley/*"], message: "The database client depends on no other package." }

const knowsTheDomainOnly = {
  group: [
    "@parley/testkit",
    "@parley/testkit/*",
    "@parley/simulators/*",
    "@parley/cli",
    "@parley/service",
    "@parley/service/*",
    "@parley/*-adapter",
    "@parley/*-adapter/*",
    "@parley/*-adapters",
    "@parley/*-adapters/*"
  ],
  message: "An adapter knows the domain only."
}

const nothingToPutTogether = {
  group: [
    "@parley/*-adapter",
    "@parley/*-adapter/*",
    "@parley/*-adapters",
    "@parley/*-adapters/*",
    "!@parley/http-adapter/client"
  ],
  message: "The service puts the adapters together; the command line asks it."
}

const noTestKit = {
  group: ["@parley/testkit", "@parley/testkit/*", "@parley/simulators/*", "@parley/cli"],
  message: "The service stands on the adapters."
}

const testsOnly = {
  group: ["@parley/testkit", "@parley/testkit/*"],
  message: "The testkit is for tests. Simulated providers are in @parley/simulators."
}

const runsInABrowser = {
  group: ["@effect/*", "**/server/**", "node:*"],
  message: "The contract and the client also run in a browser."
}

const dependsOnNothing = {
  group: ["effect", "effect/**", "@effect/**", "@parley/**"],
  message: "The light client has no dependencies."
}

const throughProductFolders = {
  regex: "^@parley/domain$",
  message: "Import an entry of a product folder, such as @parley/domain/crm. The root entry is for embedders."
}

const pure = [
  { group: ["@parley/*"], message: "The domain depends on nothing of ours." },
  {
    group: ["effect/http*", "effect/http*/*", "effect/sql", "effect/sql/*", "effect/cli", "effect/cli/*", "@effect/*"],
    message: "That is an adapter's business: make it a port."
  }
]

const isAllowed = (own: string, area: string) =>
  productOf(area) === productOf(own) || layers[productOf(own)]?.includes(productOf(area)) === true

// A negated pattern of one group allows an import that another group refuses.
const throughIndex = (own: string) => ({
  group: areas
    .slice(0, areas.indexOf(own))
    .filter((area) => isAllowed(own, area))
    .map(lastOf)
    .flatMap((area) => [`**/${area}/**`, `!**/${area}/index.ts`]),
  message: "Import another area through its index.ts."
})

const nothingAbove = (own: string | null) => ({
  group: areas.slice(own === null ? 0 : areas.indexOf(own) + 1).map((area) => `**/${lastOf(area)}/**`),
  message: "An area can import areas below it only. Define a port here that the upper area implements."
})

/** Product folders beside or above the folder of an area. */
const otherFolders = (own: string) => ({
  group: areas.filter((area) => !isAllowed(own, area)).map((area) => `**/${area}/**`),
  message: `scripts/layers.json does not allow this import in ${productOf(own)}/.`
})

const onlyOwnEvents = {
  group: ["**/kernel/index.ts", "**/kernel/Outbox.ts"],
  importNames: ["Outbox", "eventAppender"],
  message: "An area appends its own events, through appendEvent in its events.ts."
}

const restricted = (
  ...patterns: ReadonlyArray<
    { readonly message: string } & (
      | { readonly group: ReadonlyArray<string>; readonly importNames?: ReadonlyArray<string> }
      | { readonly regex: string }
    )
  >
) => ({
  "eslint/no-restricted-imports": [
    "error" as const,
    {
      patterns: patterns.map((pattern) => {
        if ("regex" in pattern) return { ...pattern }
        const { group, importNames, message } = pattern
        return { group: [...group], message, ...(importNames && { importNames: [...importNames] }) }
      })
    }
  ] as const
})

export default defineConfig({
  jsPlugins: [
    "./scripts/placesPlugin.mjs",
    "./scripts/secretsPlugin.mjs",
    "./scripts/statePlugin.mjs",
    "./scripts/useCasesPlugin.mjs"
  ],
  plugins: ["typescript", "import", "oxc", "eslint", "unicorn", "node", "vitest"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  ignorePatterns: ["**/bundled/**", "**/dist/**", "**/node_modules/**"],
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-duplicates": "error",
    "import/no-self-import": "error",
    "import/extensions": ["error", "always", { ignorePackages: true }],
    "typescript/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
    "typescript/array-type": ["error", { default: "generic", readonly: "generic" }],
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "eslint/no-console": "error",
    "eslint/no-restricted-globals": [
      "error",
      { name: "Date", message: "Ask Clock or DateTime." },
      { name: "fetch", message: "Ask HttpClient." }
    ],
    "eslint/no-restricted-properties": [
      "error",
      { object: "Math", property: "random", message: "Ask the Ids or Random port." },
      { object: "process", property: "env", message: "Ask Config." }
    ],
    "secrets/no-plain-comparison": "error",
    "eslint/no-await-in-loop": "off",
    "import/no-unassigned-import": ["error", { allow: ["effect/schema/SchemaJITCompiler/enable"] }],
    "oxc/no-map-spread": "off",
    "vitest/valid-title": "off",
    "vitest/valid-describe-callback": "off",
    "eslint/no-shadow": "off",
    "eslint/no-underscore-dangle": "off",
    "eslint/require-yield": "off",
    // What an automation does is called so, and it is a list.
    "unicorn/no-thenable": "off",
    "unicorn/consistent-function-scoping": "off"
  },
  overrides: [
    ...areas.flatMap((area) => {
      const rules = [...pure, throughIndex(area), nothingAbove(area), otherFolders(area)]
      return [
        {
          files: [`packages/domain/src/${area}/**`],
          rules: { "import/no-nodejs-modules": "error" as const, ...restricted(...rules, onlyOwnEvents) }
        },
        { files: [`packages/domain/src/${area}/events.ts`], rules: restricted(...rules) }
      ]
    }),
    {
      files: ["packages/domain/src/kernel/**"],
      rules: { "import/no-nodejs-modules": "error", ...restricted(...pure, nothingAbove(null)) }
    },
    {
      files: ["packages/*/src/**"],
      rules: { "places/no-own-place": "error", "state/no-module-state": "error" }
    },
    { files: ["packages/cli/src/assets.ts"], rules: { "places/no-own-place": "off" } },
    { files: ["packages/domain/src/**/use-cases/**"], rules: { "use-cases/only-use-cases": "error" } },
    {
      files: ["packages/domain/src/*.ts", "packages/domain/src/*/index.ts", "packages/domain/src/composition/**"],
      rules: { "import/no-nodejs-modules": "error", ...restricted(...pure) }
    },
    {
      files: ["packages/{http-adapter,provider-adapters}/src/**"],
      rules: restricted(throughProductFolders, knowsTheDomainOnly, noInternals, noSql, noPlatformIndex)
    },
    {
      files: ["packages/http-adapter/src/{api,client}/**"],
      rules: {
        "import/no-nodejs-modules": "error",
        ...restricted(throughProductFolders, runsInABrowser, knowsTheDomainOnly, noInternals, noSql)
      }
    },
    { files: ["packages/pg-pipeline/src/**"], rules: restricted(knowsNoPackage) },
    {
      files: ["packages/postgres-adapter/src/**"],
      rules: restricted(throughProductFolders, knowsTheDomainOnly, noInternals, noPlatformIndex)
    },
    {
      files: ["packages/{simulators,testkit}/src/**"],
      rules: {
        ...restricted(throughProductFolders, knowsTheDomainOnly, noInternals, noSql, noPlatformIndex),
        "secrets/no-plain-comparison": "off"
      }
    },
    {
      // The light client has no ports. It uses what browsers and Node have in common.
      files: ["packages/client/src/**"],
      rules: {
        "import/no-nodejs-modules": "error",
        "eslint/no-restricted-globals": "off",
        "eslint/no-restricted-properties": "off",
        ...restricted(dependsOnNothing)
      }
    },
    {
      files: ["packages/service/src/**"],
      rules: restricted(throughProductFolders, noTestKit, noInternals, noSql, noPlatformIndex)
    },
    {
      files: ["packages/cli/src/**"],
      rules: restricted(throughProductFolders, nothingToPutTogether, testsOnly, noInternals, noSql, noPlatformIndex)
    },
    {
      files: ["packages/http-adapter/site/**"],
      env: { browser: true, es2024: true },
      rules: { "eslint/no-restricted-globals": "off", "typescript/array-type": "off" }
    },
    {
      files: ["test/**", "packages/*/test/**", "examples/**"],
      rules: { "eslint/no-restricted-globals": "off", "secrets/no-plain-comparison": "off" }
    },
    { files: ["packages/*/test/**"], rules: restricted(throughProductFolders) },
    {
      // They list all exports of the domain.
      files: ["packages/domain/test/useCases.ts", "packages/domain/test/kernel/requirements.test.ts"],
      rules: { "eslint/no-restricted-imports": "off" }
    },
    {
      files: ["packages/postgres-adapter/test/support/testDatabase.ts"],
      rules: { "eslint/no-restricted-properties": "off" }
    },
    {
      // A program of somebody else, who need not know Effect.
      files: ["examples/receive-webhooks/src/**", "examples/where-is-my-order/src/**"],
      rules: { "eslint/no-console": "off", "eslint/no-restricted-properties": "off" }
    },
    {
      files: ["bench/**", "scripts/**"],
      rules: {
        "eslint/no-restricted-globals": "off",
        "eslint/no-restricted-properties": "off",
        "eslint/no-console": "off",
        "secrets/no-plain-comparison": "off"
      }
    }
  ]
})
