import { Effect, Stream } from "effect"
import { writeCsv } from "../../platform/files/index.ts"
import { useCase } from "../../kernel/index.ts"
import type { ContactImportId, ImportFault } from "../imports/ContactImport.ts"
import { ContactImports } from "../imports/ContactImports.ts"

const pageSize = 1_000

/** The names of columns, none of them twice, and none of those that are taken. */
const unlike = (taken: ReadonlyArray<string>, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set(taken)
  return names.map((name) => {
    let free = name
    while (seen.has(free)) free = `${free}_`
    seen.add(free)
    return free
  })
}

/** Reads the bad rows of an import as CSV: where they stand, what is wrong, and their cells as they are in the file. */
export const readImportFaults = useCase(
  "contacts.readImportFaults",
  { access: { permission: "contacts.import" } },
  Effect.fnUntraced(function* (id: ContactImportId) {
    const imports = yield* ContactImports
    const { header } = yield* imports.get(id)
    const context = yield* Effect.context<Effect.Services<ReturnType<typeof imports.faults>>>()
    const own = ["line", "column", "reason"]
    const columns = unlike(own, header)
    const rowOf = ({ cells, column, line, reason }: ImportFault) =>
      Object.fromEntries([
        ["line", String(line)],
        ["column", column ?? ""],
        ["reason", reason],
        ...columns.map((name, at) => [name, cells[at] ?? ""] as const)
      ])
    const rows = Stream.unfold(0, (after: number | null) =>
      after === null
        ? Effect.undefined
        : Effect.map(
            imports.faults(id, after, pageSize),
            (faults) => [faults, faults.length < pageSize ? null : (faults.at(-1)?.number ?? null)] as const
          )
    ).pipe(Stream.flattenIterable, Stream.map(rowOf))
    return Stream.provideContext(writeCsv([...own, ...columns])(rows), context)
  })
)
