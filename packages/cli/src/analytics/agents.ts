import { AgentRow, AgentSort } from "@parley/domain"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { queryOf } from "../console/collect.ts"
import * as Flags from "../console/flags.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { namedTable } from "./namedTable.ts"
import { rangeFlags, rangeOf } from "./range.ts"
import { collectRange, printRange } from "./rangeList.ts"
import { duration } from "./shown.ts"

/** Members in eighty columns; who is active is not told so. */
export const agentsTable = (rows: ReadonlyArray<AgentRow>): string =>
  namedTable(rows, ({ name, status }) => (status === "active" ? name : `${status}: ${name}`), [
    { heading: "SENT", of: ({ sent }) => String(sent), align: "right" },
    { heading: "REPLIES", of: ({ replies }) => String(replies), align: "right" },
    { heading: "RESOLVED", of: ({ resolved }) => String(resolved), align: "right" },
    { heading: "OPEN", of: ({ open }) => String(open), align: "right" },
    { heading: "WAITING", of: ({ waiting }) => String(waiting), align: "right" },
    { heading: "FIRST", of: ({ firstResponse }) => duration(firstResponse.medianSeconds), align: "right" },
    { heading: "REPLY", of: ({ reply }) => duration(reply.medianSeconds), align: "right" },
    { heading: "SOLVED", of: ({ resolution }) => duration(resolution.medianSeconds), align: "right" }
  ])

/** Lists what members have done. */
export const agentsCommand = Command.make(
  "agents",
  {
    org: Flags.org,
    sort: Flag.Literals("sort", ["replies", "resolved", "open"]).pipe(
      Flag.withDescription("Whoever has most of this comes first"),
      Flag.withDefault("replies")
    ),
    ...rangeFlags,
    limit: Flags.limit,
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ json, limit, org, quiet, sort, ...said }) {
    const asked = { ...rangeOf(said), sort: AgentSort.make(`-${sort}`) }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ analytics }) {
        const list = yield* collectRange(limit, (page) => analytics.agents({ query: { ...asked, ...queryOf(page) } }))
        yield* printRange({ schema: AgentRow, none: "Nobody did anything.", drawn: agentsTable }, { json, quiet }, list)
      })
    )
  })
).pipe(
  Command.withDescription("List what members have done, with the middle time to a first answer, a reply, a resolution"),
  Command.withExamples([{ command: "parley analytics agents --org acme --period 30d --sort resolved" }])
)
