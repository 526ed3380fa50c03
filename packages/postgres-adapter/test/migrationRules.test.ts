import { assert, describe, it } from "@effect/vitest"
import { Migrations } from "@parley/postgres-adapter"
import { brokenRules } from "@parley/postgres-adapter/testing"
import { Effect } from "effect"
import { type ExpandStep, migrations } from "../src/migrations/index.ts"
import { appliedIds, emptied, on, statement, step } from "./support/steps.ts"

const baselines = 8

const brief = { tables: ["people"], brief: true }

const seeded = Effect.gen(function* () {
  const url = yield* emptied
  yield* statement("CREATE TABLE people (id integer PRIMARY KEY, name text)").pipe(on(url))
  yield* statement("CREATE TABLE nobody (id integer PRIMARY KEY, name text)").pipe(on(url))
  yield* statement("INSERT INTO people SELECT id, 'Ann' FROM generate_series(1, 1000) AS id").pipe(on(url))
  return url
})

const cases: ReadonlyArray<
  readonly [string, string, Partial<Pick<ExpandStep, "brief" | "tables">>, ReadonlyArray<string>]
> = [
  ["a new table", "CREATE TABLE pets (id integer)", {}, []],
  ["a new nullable column", "ALTER TABLE people ADD COLUMN note text", brief, []],
  [
    "a column in a step that is not brief",
    "ALTER TABLE people ADD COLUMN note text",
    { tables: ["people"] },
    ["people: AccessExclusiveLock blocks calls, and the step is not brief"]
  ],
  ["a column of a table without rows", "ALTER TABLE nobody ADD COLUMN note text", {}, []],
  [
    "a brief step with an undeclared table",
    "ALTER TABLE people ADD COLUMN note text",
    { brief: true },
    ["people: missing in the tables of the step"]
  ],
  [
    "an index inside a transaction",
    "CREATE INDEX people_name ON people (name)",
    { tables: ["people"] },
    ["people: ShareLock blocks calls, and the step is not brief"]
  ],
  [
    "an index inside a transaction that claims to be brief",
    "CREATE INDEX people_name ON people (name)",
    brief,
    ["people: the brief step reads the table under ShareLock"]
  ],
  [
    "a rewrite",
    "ALTER TABLE people ALTER COLUMN id TYPE bigint",
    brief,
    ["people: the step rewrites the table", "people: the brief step reads the table under AccessExclusiveLock"]
  ],
  [
    "a rewrite of a table without rows",
    "ALTER TABLE nobody ALTER COLUMN id TYPE bigint",
    {},
    ["nobody: the step rewrites the table"]
  ],
  [
    "NOT NULL without a validated check",
    "ALTER TABLE people ALTER COLUMN name SET NOT NULL",
    brief,
    ["people: the brief step reads the table under AccessExclusiveLock"]
  ],
  [
    "a check that is validated immediately",
    "ALTER TABLE people ADD CONSTRAINT named CHECK (name <> '')",
    brief,
    ["people: the brief step reads the table under AccessExclusiveLock"]
  ],
  ["a check that is validated later", "ALTER TABLE people ADD CONSTRAINT named CHECK (name <> '') NOT VALID", brief, []]
]

describe("the rules of migrations", () => {
  it.effect.each(cases)("judge %s", ([, text, differing, expected]) =>
    Effect.gen(function* () {
      const url = yield* seeded
      assert.deepStrictEqual(yield* brokenRules(step(9, statement(text), differing)).pipe(on(url)), expected)
      assert.deepStrictEqual(yield* brokenRules(step(9, statement(text), differing)).pipe(on(url)), expected)
    })
  )

  it.effect("allow the validation of a constraint, and NOT NULL after it", () =>
    Effect.gen(function* () {
      const url = yield* seeded
      yield* statement("ALTER TABLE people ADD CONSTRAINT named CHECK (name IS NOT NULL) NOT VALID").pipe(on(url))
      const validation = statement("ALTER TABLE people VALIDATE CONSTRAINT named")
      assert.deepStrictEqual(yield* brokenRules(step(9, validation)).pipe(on(url)), [])
      yield* validation.pipe(on(url))
      const notNull = step(10, statement("ALTER TABLE people ALTER COLUMN name SET NOT NULL"), brief)
      assert.deepStrictEqual(yield* brokenRules(notNull).pipe(on(url)), [])
    })
  )

  it.effect("hold for each step after the baselines, and for a made-up one, as if every table had rows", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply(migrations.slice(0, baselines)).pipe(on(url))
      const column = statement("ALTER TABLE contacts ADD COLUMN made_up text")
      const id = migrations.length + 1
      const steps = [...migrations, step(id, column, { tables: ["contacts"], brief: true })]
      for (const [index, each] of steps.entries()) {
        if (index < baselines) continue
        if (each.transactional) {
          assert.deepStrictEqual(yield* brokenRules(each, { everyTable: true }).pipe(on(url)), [], each.name)
        }
        yield* Migrations.apply(steps.slice(0, index + 1), { phase: each.phase }).pipe(on(url))
        assert.include(yield* appliedIds.pipe(on(url)), each.id)
      }
      const another = step(id + 1, statement("ALTER TABLE contacts ADD COLUMN another text"), { tables: ["contacts"] })
      assert.deepStrictEqual(yield* brokenRules(another, { everyTable: true }).pipe(on(url)), [
        "contacts: AccessExclusiveLock blocks calls, and the step is not brief"
      ])
    })
  )
})
