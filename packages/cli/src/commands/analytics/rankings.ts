import { AgentRow, AgentSort, BroadcastRow } from "@parley/domain/analytics"
import { DateTime, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { queryOf } from "../../console/listing.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { duration, namedTable, share } from "./drawing.ts"
import { collectRange, printRange, rangeFlags, rangeOf } from "./range.ts"

/** Draws members in 80 columns. Shows the status of a member only if it is not active. */
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

export const agentsCommand = Command.make(
  "agents",
  {
    org: Flags.org,
    sort: Flag.Literals("sort", ["replies", "resolved", "open"]).pipe(
      Flag.withDescription("Sort by this figure, highest first"),
      Flag.withDefault("replies")
    ),
    ...rangeFlags,
    limit: Flags.limit,
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ json, limit, org, quiet, sort, ...input }) {
    const asked = { ...rangeOf(input), sort: AgentSort.make(`-${sort}`) }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ analytics }) {
        const list = yield* collectRange(limit, (page) => analytics.agents({ query: { ...asked, ...queryOf(page) } }))
        yield* printRange({ schema: AgentRow, none: "Nobody did anything.", drawn: agentsTable }, { json, quiet }, list)
      })
    )
  })
).pipe(
  Command.withDescription(
    "List the figures of members, with the median times to a first response, a reply and a resolution"
  ),
  Command.withExamples([{ command: "parley analytics agents --org acme --period 30d --sort resolved" }])
)

/** Draws broadcasts in 80 columns. Start days are in this time zone. */
export const broadcastsTable = (
  rows: ReadonlyArray<BroadcastRow>,
  { timezone }: { readonly timezone: string }
): string => {
  const dayOf = ({ startedAt }: BroadcastRow) =>
    DateTime.formatIsoDate(DateTime.setZone(startedAt, DateTime.zoneMakeNamedUnsafe(timezone)))
  return namedTable(rows, ({ name }) => name, [
    { heading: "STARTED", of: dayOf },
    { heading: "SENT", of: ({ sent }) => String(sent), align: "right" },
    { heading: "DELIVERED", of: ({ deliveredRate }) => share(deliveredRate), align: "right" },
    { heading: "READ", of: ({ readRate }) => share(readRate), align: "right" },
    { heading: "REPLIED", of: ({ repliedRate }) => share(repliedRate), align: "right" },
    { heading: "FAILED", of: ({ failed }) => String(failed), align: "right" },
    { heading: "ORDERS", of: ({ attributedOrders }) => String(attributedOrders), align: "right" }
  ])
}

export const broadcastsCommand = Command.make(
  "broadcasts",
  { org: Flags.org, ...rangeFlags, limit: Flags.limit, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, limit, org, quiet, ...input }) {
    const asked = rangeOf(input)
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ analytics }) {
        const list = yield* collectRange(limit, (page) =>
          analytics.broadcasts({ query: { ...asked, ...queryOf(page) } })
        )
        const none = "No broadcast started."
        yield* printRange({ schema: BroadcastRow, none, drawn: broadcastsTable }, { json, quiet }, list)
      })
    )
  })
).pipe(
  Command.withDescription("List the broadcasts that started, newest first, with their results"),
  Command.withExamples([{ command: "parley analytics broadcasts --org acme --from 2026-11-01 --to 2026-11-20" }])
)
