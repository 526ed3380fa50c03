import { BroadcastRow } from "@parley/domain"
import { DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import { queryOf } from "../console/collect.ts"
import * as Flags from "../console/flags.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { namedTable } from "./namedTable.ts"
import { rangeFlags, rangeOf } from "./range.ts"
import { collectRange, printRange } from "./rangeList.ts"
import { share } from "./shown.ts"

/** Broadcasts in eighty columns. They started on a day of this zone. */
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

/** Lists what came of broadcasts. */
export const broadcastsCommand = Command.make(
  "broadcasts",
  { org: Flags.org, ...rangeFlags, limit: Flags.limit, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, limit, org, quiet, ...said }) {
    const asked = rangeOf(said)
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
  Command.withDescription("List the broadcasts that started, newest first, with what came of them by now"),
  Command.withExamples([{ command: "parley analytics broadcasts --org acme --from 2026-11-01 --to 2026-11-20" }])
)
