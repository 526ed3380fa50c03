import { AudienceSnapshotId } from "@parley/domain"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { confirm } from "../console/confirm.ts"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast, view } from "./broadcast.ts"

/** Sends a broadcast. */
export const sendCommand = Command.make(
  "send",
  {
    org: Flags.org,
    broadcast,
    snapshot: typedFlag("snapshot", AudienceSnapshotId).pipe(
      Flag.withDescription("The list of recipients that a preview has kept (who matches now)"),
      Flag.optional
    ),
    yes: Flags.yes,
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ broadcast, json, org, quiet, snapshot, yes }) {
    const params = { id: broadcast }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const { name, version } = yield* tenant.broadcasts.get({ params })
        yield* confirm(`Send the broadcast "${name}" (${broadcast}) of ${tenant.name} now?`, yes)
        const sent = yield* tenant.broadcasts.send({
          params,
          // What was asked about is what is sent.
          headers: { "if-match": version },
          payload: Option.isSome(snapshot) ? { audienceSnapshotId: snapshot.value } : {}
        })
        yield* printOne(view, { json, quiet }, sent)
      })
    )
  })
).pipe(
  Command.withDescription("Send a broadcast now, whenever it was scheduled for; a running service sends it"),
  Command.withExamples([
    { command: "parley broadcasts send --org acme 0197..." },
    { command: "parley broadcasts send --org acme 0197... --snapshot 0197... --yes" }
  ])
)
