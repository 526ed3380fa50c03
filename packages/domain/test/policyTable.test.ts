import { assert, it } from "@effect/vitest"
import { type UseCaseAccess } from "@parley/domain"
import { rowsOf } from "./promises.ts"
import { asTable, useCases } from "./useCases.ts"

const accessOf = (access: UseCaseAccess) => (typeof access === "string" ? access : access.permission)

const head = ["use case", "who may", "plan gate"]

const table = asTable([
  head,
  ...useCases.map(({ useCase: { access, gatedBy, name } }) => [name, accessOf(access), gatedBy ?? "-"])
])

const expected = asTable([head, ...rowsOf(({ policy }) => [policy])])

it("declares who may run each use case, and which of them a plan may lack", ({ annotate }) => {
  assert.strictEqual(table, expected, `\n${table}\n`)
  return annotate(`\n${table}`).then(() => undefined)
})

it("names each use case once", () => {
  const names = useCases.map(({ useCase }) => useCase.name)
  assert.deepStrictEqual(names, Array.from(new Set(names)))
})
