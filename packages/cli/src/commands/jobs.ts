import { Job, JobId, JobKindName, JobState } from "@parley/domain/platform"
import { DateTime, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { collect, listFlags, narrowed, one, queryOf } from "../console/listing.ts"
import { printList, printOne, type View } from "../console/print.ts"
import { typedArgument } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"

const at = (time: DateTime.Utc | null) => (time === null ? "" : DateTime.formatIso(time))

/** Unit of the progress. Imports of files count bytes; other jobs count records. */
const unitOf = ({ kind }: Job) => (kind === "contacts.import" ? " bytes" : "")

const progressOf = (job: Job) => {
  const { done, total } = job.progress
  return `${total === null ? String(done) : `${done} of ${total}`}${unitOf(job)}`
}

const listView: View<Job> = {
  schema: Job,
  none: "This organization has no job.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "KIND", of: ({ kind }) => kind },
    { heading: "STATE", of: ({ state }) => state },
    { heading: "PROGRESS", of: progressOf, align: "right" },
    { heading: "CREATED", of: ({ createdAt }) => at(createdAt) },
    { heading: "ERROR CODE", of: ({ errorCode }) => errorCode ?? "" }
  ]
}

const view: View<Job> = {
  schema: Job,
  none: "There is no job.",
  columns: [
    ...listView.columns.slice(0, 4).map(({ heading, of }) => ({ heading, of })),
    {
      heading: "COUNTS",
      of: ({ counts }) =>
        Object.entries(counts)
          .map(([name, count]) => `${name} ${count}`)
          .join(", ")
    },
    { heading: "CREATED", of: ({ createdAt }) => at(createdAt) },
    { heading: "STARTED", of: ({ startedAt }) => at(startedAt) },
    { heading: "FINISHED", of: ({ finishedAt }) => at(finishedAt) },
    { heading: "RESULT", of: ({ resultUrl }) => resultUrl ?? "" },
    { heading: "ERROR CODE", of: ({ errorCode }) => errorCode ?? "" },
    { heading: "ERROR", of: ({ error }) => error ?? "" }
  ]
}

const listCommand = Command.make(
  "list",
  {
    org: Flags.org,
    state: Flag.Literals("state", JobState.literals).pipe(
      Flag.withDescription("Only jobs in this state"),
      Flag.optional
    ),
    ...listFlags({ state: one(JobState), kind: one(JobKindName) })
  },
  Effect.fn(function* ({ filter, json, limit, org, quiet, state }) {
    const asked = yield* narrowed(filter, { ...(Option.isSome(state) && { state: state.value }) })
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ jobs }) {
        const { isCut, rows } = yield* collect(limit, (page) => jobs.list({ query: { ...asked, ...queryOf(page) } }))
        yield* printList(listView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription(
    "List the jobs, newest first. PROGRESS counts records, and the bytes of the file for an import"
  ),
  Command.withAlias("ls"),
  Command.withExamples([{ command: "parley jobs list --org acme --state failed" }])
)

const job = typedArgument("job", JobId).pipe(Argument.withDescription("The id of the job"))

const showCommand = Command.make(
  "show",
  { org: Flags.org, job, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ job, json, org, quiet }) {
    yield* inTenant(org, ({ jobs }) =>
      Effect.flatMap(jobs.get({ params: { id: job } }), (found) => printOne(view, { json, quiet }, found))
    )
  })
).pipe(Command.withDescription("Show the progress, the result and the error of a job"))

/** Commands for jobs of an organization. */
export const jobs = Command.make("jobs").pipe(Command.withSubcommands([listCommand, showCommand]))
