import { defineConfig } from "oxlint"

const areas = [
  "inbox",
  "crm",
  "campaigns",
  "analytics",
  "chat",
  "deliveries",
  "stores",
  "identity",
  "mail",
  "operations",
  "entitlements",
  "docs-handoff",
  "automation",
  "audit",
  "events",
  "jobs",
  "files",
  "work"
]

const noSql = {
  group: ["effect/sql", "effect/sql/*", "@effect/sql-pg", "@effect/sql-pg/*", "@electric-sql/*", "pg"],
  message: "SQL lives in the Postgres adapter."
}

const noInternals = { group: ["@parley/*/internal/*"], message: "Internal to its package." }

const knowsTheDomainOnly = {
  group: [
    "@parley/testkit",
    "@parley/testkit/*",
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
  group: ["@parley/testkit", "@parley/testkit/*", "@parley/cli"],
  message: "The service stands on the adapters."
}

const runsInABrowser = {
  group: ["@effect/*", "**/server/**", "node:*"],
  message: "The contract and the client also run in a browser."
}

const pure = [
  { group: ["@parley/*"], message: "The domain depends on nothing of ours." },
  {
    group: ["effect/http*", "effect/http*/*", "effect/sql", "effect/sql/*", "effect/cli", "effect/cli/*", "@effect/*"],
    message: "That is an adapter's business: make it a port."
  }
]

const throughIndex = (own: string) => ({
  group: areas.flatMap((area) => (area === own ? [] : [`**/${area}/**`, `!**/${area}/index.ts`])),
  message: "Another area is reached through its index.ts."
})

const restricted = (
  ...patterns: ReadonlyArray<{ readonly group: ReadonlyArray<string>; readonly message: string }>
) => ({
  "eslint/no-restricted-imports": [
    "error" as const,
    { patterns: patterns.map(({ group, message }) => ({ group: [...group], message })) }
  ] as const
})

export default defineConfig({
  jsPlugins: ["./scripts/secretsPlugin.mjs"],
  plugins: ["typescript", "import", "oxc", "eslint", "unicorn", "node", "vitest"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  ignorePatterns: ["**/dist/**", "**/node_modules/**"],
  rules: {
    "import/no-cycle": "error",
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
    "unicorn/consistent-function-scoping": "off"
  },
  overrides: [
    ...areas.map((area) => ({
      files: [`packages/domain/src/${area}/**`],
      rules: { "import/no-nodejs-modules": "error" as const, ...restricted(...pure, throughIndex(area)) }
    })),
    {
      files: ["packages/domain/src/*.ts", "packages/domain/src/kernel/**"],
      rules: { "import/no-nodejs-modules": "error", ...restricted(...pure) }
    },
    {
      files: ["packages/{http-adapter,provider-adapters}/src/**"],
      rules: restricted(knowsTheDomainOnly, noInternals, noSql)
    },
    {
      files: ["packages/http-adapter/src/{api,client}/**"],
      rules: {
        "import/no-nodejs-modules": "error",
        ...restricted(runsInABrowser, knowsTheDomainOnly, noInternals, noSql)
      }
    },
    { files: ["packages/postgres-adapter/src/**"], rules: restricted(knowsTheDomainOnly, noInternals) },
    {
      files: ["packages/testkit/src/**"],
      rules: { ...restricted(knowsTheDomainOnly, noInternals, noSql), "secrets/no-plain-comparison": "off" }
    },
    { files: ["packages/service/src/**"], rules: restricted(noTestKit, noInternals, noSql) },
    { files: ["packages/cli/src/**"], rules: restricted(nothingToPutTogether, noInternals, noSql) },
    {
      files: ["packages/http-adapter/site/**"],
      env: { browser: true, es2024: true },
      rules: { "eslint/no-restricted-globals": "off", "typescript/array-type": "off" }
    },
    {
      files: ["test/**", "packages/*/test/**", "examples/**"],
      rules: { "eslint/no-restricted-globals": "off", "secrets/no-plain-comparison": "off" }
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
