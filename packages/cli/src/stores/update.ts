import { WrongUsage } from "@parley/service/configuration"
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { connection, view } from "./connection.ts"
import { settingFlags, settingsOf } from "./settings.ts"

/** Changes what is said of a store. */
export const updateCommand = Command.make(
  "update",
  { org: Flags.org, connection, ...settingFlags, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ connection, json, org, quiet, ...said }) {
    const payload = settingsOf(said)
    if (Object.keys(payload).length === 0) {
      return yield* new WrongUsage({
        message: "Say what to change: --make-contacts, --take-consent or --cart-abandoned-after."
      })
    }
    yield* inTenant(org, ({ storeConnections }) =>
      Effect.flatMap(storeConnections.update({ params: { id: connection }, headers: {}, payload }), (changed) =>
        printOne(view, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Change of whom contacts are made, whose consent counts, and when carts are abandoned"))
