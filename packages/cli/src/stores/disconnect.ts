import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { confirm } from "../console/confirm.ts"
import * as Flags from "../console/flags.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { connection } from "./connection.ts"

/** Disconnects a store, and forgets it. */
export const disconnectCommand = Command.make(
  "disconnect",
  { org: Flags.org, connection, yes: Flags.yes },
  Effect.fn(function* ({ connection, org, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ name, storeConnections }) {
        yield* confirm(`Disconnect the store ${connection} of ${name}, and erase all that is known of it?`, yes)
        yield* storeConnections.delete({ params: { id: connection }, headers: {} })
        yield* Console.error(`The store ${connection} is disconnected.`)
      })
    )
  })
).pipe(Command.withDescription("Uninstall the app from a store, and erase all that is known of the store"))
