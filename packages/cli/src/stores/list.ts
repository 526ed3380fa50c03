import { StoreConnectionStatus } from "@parley/domain"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { collect, queryOf } from "../console/collect.ts"
import * as Flags from "../console/flags.ts"
import { listFlags, one } from "../console/listing.ts"
import { printList } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { listView } from "./connection.ts"

/** Lists stores. */
export const listCommand = Command.make(
  "list",
  { org: Flags.org, ...listFlags({ status: one(StoreConnectionStatus) }) },
  Effect.fn(function* ({ filter, json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ storeConnections }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          storeConnections.list({ query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(listView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the connected stores, newest first"), Command.withAlias("ls"))
