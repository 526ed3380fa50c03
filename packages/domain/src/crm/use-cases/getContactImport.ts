import { Effect, Stream } from "effect"
import { writeCsv } from "../../files/index.ts"
import { type Job, Jobs } from "../../jobs/index.ts"
import { useCase } from "../../kernel/index.ts"
import {
  ContactImport,
  type ContactImportId,
  type ImportFault,
  type ImportOrder,
  noRows
} from "../imports/ContactImport.ts"
import { ContactImports } from "../imports/ContactImports.ts"
import { pathOfFaults } from "../imports/paths.ts"

/** An import together with how far its job is. */
export const importOf = (order: ImportOrder, job: Job): ContactImport => {
  const counts = { ...noRows, ...job.counts }
  return new ContactImport({
    id: order.id,
    jobId: order.jobId,
    state: job.state,
    format: order.format,
    dryRun: order.dryRun,
    onExisting: order.onExisting,
    createTags: order.createTags,
    country: order.country,
    tags: order.tags,
    mapping: order.mapping,
    progress: job.progress,
    counts,
    error: job.error,
    errorsUrl: counts.bad > 0 ? pathOfFaults(order.id) : null,
    createdBy: job.createdBy,
    createdAt: order.createdAt,
    finishedAt: job.finishedAt
  })
}

/** Reads how far an import is, and what came of it. */
export const getContactImport = useCase(
  "contacts.getImport",
  { access: { permission: "contacts.import" } },
  Effect.fnUntraced(function* (id: ContactImportId) {
    const order = yield* (yield* ContactImports).get(id)
    return importOf(order, yield* (yield* Jobs).get(order.jobId))
  })
)

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
