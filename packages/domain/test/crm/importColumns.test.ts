import { assert, describe, it } from "@effect/vitest"
import { ContactField, ContactFieldId } from "@parley/domain/crm"
import { Arbitrary, DateTime, Schema } from "effect"
import { toImportColumns, findUnknownColumns } from "../../src/crm/imports/ContactFile.ts"
import { ignoredTarget, isExportOnlyColumn, contactTargets } from "../../src/crm/imports/ContactImport.ts"
import { mapColumns } from "../../src/crm/imports/columnMapping.ts"
import { headerAliases, partialNameHeaders } from "../../src/crm/imports/columnMatching.ts"

const at = DateTime.makeUnsafe("2026-11-20T10:00:00Z")

const field = (key: string, name: string, number: number) =>
  new ContactField({
    id: ContactFieldId.make(`01934b8e-a4b5-7444-989a-86a7b8c9da0${number}`),
    key,
    name,
    type: "text",
    choices: null,
    status: "active",
    createdAt: at,
    updatedAt: at,
    version: 1
  })

const fields = [
  field("city", "Wohnort", 1),
  field("birth_date", "Día de nacimiento", 2),
  field("birthDate", "Born", 3),
  field("mobile", "Second phone", 4),
  field("place", "city", 5)
]

/** Field of each column name on its own. */
const known: ReadonlyArray<readonly [name: string, target: string]> = [
  ...contactTargets.map((target) => [target, target] as const),
  ...Object.entries(headerAliases).flatMap(([target, names]) => names.map((name) => [name, target] as const)),
  ...Object.values(partialNameHeaders).flatMap((names) => names.map((name) => [name, "name"] as const)),
  ["city", "attribute.city"],
  ["Wohnort", "attribute.city"],
  ["attribute.city", "attribute.city"],
  ["birth_date", "attribute.birth_date"],
  ["Día de nacimiento", "attribute.birth_date"],
  ["birthDate", "attribute.birthDate"],
  ["Second phone", "attribute.mobile"]
]

/** The name of an organization's field maps to it. */
const targetOf = ([name, target]: readonly [string, string]) => (name === "Mobile" ? "attribute.mobile" : target)

const isOfSeveral = (name: string) => name.toLowerCase().replace("_", "") === "birthdate"

const strokes = ["", "", " ", "-", "_", "\u2013", "\u00A0", "\u0301", "\u0308"]

/** The name in another case, with accents, spaces, hyphens and underscores in it. */
const disguised = (name: string, seeds: ReadonlyArray<number>): string =>
  Array.from(name)
    .map((letter, index) => {
      const seed = seeds[index % seeds.length] ?? 0
      const cased = seed % 2 === 0 ? letter.toUpperCase() : letter.toLowerCase()
      return cased + (strokes[seed % strokes.length] ?? "")
    })
    .join("")

const all = (names: ReadonlyArray<string>) => ({ names, areAll: true })

const numbersBelow = (end: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: end - 1 })))

const seeds = Arbitrary.array(numbersBelow(1_000), { minLength: 1, maxLength: 40 })

const anyColumn = Arbitrary.schema(
  Schema.Union([Schema.Literals(known.map(([name]) => name)), Schema.Literals(["createdAt", "x", "attribute.x", ""])])
)

const anyColumns = Arbitrary.map(Arbitrary.array(anyColumn, { maxLength: 5 }), (names) => [...new Set(names)])

describe("unmapped columns", () => {
  for (const entry of known) {
    it(`fill ${targetOf(entry)} if they are called ${entry[0]}`, () => {
      assert.deepStrictEqual(mapColumns([], all([entry[0]]), fields), {
        mapping: [{ column: entry[0], target: targetOf(entry) }]
      })
    })
  }

  it.prop("are recognized regardless of case, accents, spaces, hyphens and underscores", { seeds }, (given) => {
    for (const entry of known.filter(([name]) => !isOfSeveral(name) && !name.includes("."))) {
      const column = disguised(entry[0], given.seeds)
      assert.deepStrictEqual(
        mapColumns([], all([column]), fields),
        { mapping: [{ column, target: targetOf(entry) }] },
        column
      )
    }
  })

  it.prop(
    "fill something or are named, each of them once, and no two of them the same",
    { names: anyColumns },
    ({ names }) => {
      for (const columns of [all(names), { names, areAll: false }]) {
        const mapped = mapColumns([], columns, fields)
        if ("faults" in mapped) {
          assert.isNotEmpty(mapped.faults)
          continue
        }
        const result = toImportColumns(names, mapped.mapping)
        assert.deepStrictEqual(
          result.map(({ name }) => name),
          names
        )
        const filled = result.flatMap(({ field: target }) => target ?? [])
        assert.strictEqual(new Set(filled).size, filled.length)
        if (filled.includes("name")) assert.notIncludeMembers(filled, ["firstName"])
        if (filled.includes("name")) assert.notIncludeMembers(filled, ["lastName"])
        assert.deepStrictEqual(
          findUnknownColumns(names, mapped.mapping),
          result.flatMap(({ field: target, name }) => (target === null && !isExportOnlyColumn(name) ? [name] : []))
        )
      }
    }
  )

  it.prop("have one meaning in every order", { names: anyColumns }, ({ names }) => {
    const [one, other] = [mapColumns([], all(names), fields), mapColumns([], all(names.toReversed()), fields)]
    if ("faults" in one || "faults" in other) assert.strictEqual("faults" in one, "faults" in other)
    else assert.sameDeepMembers([...one.mapping], [...other.mapping])
  })

  it.prop("follow an explicit mapping regardless of their names", { names: anyColumns }, ({ names }) => {
    const input = names.slice(0, 1).map((column) => ({ column, target: "external" }))
    const rest = names.slice(1, 3).map((column) => ({ column, target: ignoredTarget }))
    const mapping = [...input, ...rest]
    if (input.length > 0) assert.deepStrictEqual(mapColumns(mapping, all(names), fields), { mapping })
  })
})

describe("columns whose names do not tell", () => {
  const messages = (names: ReadonlyArray<string>) => {
    const mapped = mapColumns([], all(names), fields)
    return "faults" in mapped ? mapped.faults.map(({ message }) => message) : mapped.mapping
  }

  const clash = (columns: string, target: string) =>
    `The columns ${columns} all match ${target}. Map the columns, or map one of them to ignore`

  it("are refused where several fill one thing, or one could fill several", () => {
    assert.deepStrictEqual(messages(["E-Mail", "email address", "Mail"]), [
      clash('"E-Mail" and "email address" and "Mail"', "email")
    ])
    assert.deepStrictEqual(messages(["Name", "Vorname", "Nachname"]), [
      clash('"Name" and "Vorname" and "Nachname"', "name")
    ])
    assert.deepStrictEqual(messages(["BirthDate"]), [
      'The column "BirthDate" matches attribute.birth_date and attribute.birthDate. Map the columns'
    ])
  })

  it("are name parts if the other part exists", () => {
    assert.deepStrictEqual(messages(["Nombre", "Apellidos"]), [
      { column: "Nombre", target: "firstName" },
      { column: "Apellidos", target: "lastName" }
    ])
    assert.deepStrictEqual(messages(["NOM", "Prénom"]), [
      { column: "NOM", target: "lastName" },
      { column: "Prénom", target: "firstName" }
    ])
    assert.deepStrictEqual(messages(["Nome", "Vorname"]), [clash('"Nome" and "Vorname"', "name")])
  })
})
