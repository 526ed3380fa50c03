import { defineConfig } from "oxlint"

const areas = [
  "inbox",
  "crm",
  "campaigns",
  "analytics",
  "chat",
  "stores",
  "identity",
  "entitlements",
  "docs-handoff",
  "automation",
  "audit",
  "events"
]

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

export default defineConfig({
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
    "eslint/no-await-in-loop": "off",
    "eslint/no-shadow": "off",
    "eslint/no-underscore-dangle": "off",
    "eslint/require-yield": "off",
    "unicorn/consistent-function-scoping": "off"
  },
  overrides: [
    ...areas.map((area) => ({
      files: [`packages/domain/src/${area}/**`],
      rules: {
        "import/no-nodejs-modules": "error" as const,
        "eslint/no-restricted-imports": ["error" as const, { patterns: [...pure, throughIndex(area)] }]
      }
    })),
    {
      files: ["packages/domain/src/*.ts", "packages/domain/src/kernel/**"],
      rules: { "import/no-nodejs-modules": "error", "eslint/no-restricted-imports": ["error", { patterns: pure }] }
    },
    {
      files: ["packages/http-adapter/src/{api,client}/**"],
      rules: {
        "import/no-nodejs-modules": "error",
        "eslint/no-restricted-imports": [
          "error",
          {
            patterns: [
              { group: ["effect/sql", "effect/sql/*", "@effect/*"], message: "The contract also runs in a browser." }
            ]
          }
        ]
      }
    },
    {
      files: ["packages/{http-adapter,postgres-adapter,provider-adapters}/src/**"],
      rules: {
        "eslint/no-restricted-imports": [
          "error",
          {
            patterns: [
              { group: ["@parley/testkit", "@parley/cli"], message: "Adapters know the domain only." },
              { group: ["@parley/*/internal/*"], message: "Internal to its package." }
            ]
          }
        ]
      }
    },
    { files: ["packages/*/test/**"], rules: { "eslint/no-restricted-globals": "off" } }
  ]
})
