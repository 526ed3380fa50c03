import { NewBroadcast, RetriedCode, RetriedStatus } from "@parley/domain"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast, view } from "./broadcast.ts"

/** Drafts a broadcast to those whom another one did not reach. */
export const retryCommand = Command.make(
  "retry",
  {
    org: Flags.org,
    broadcast,
    statuses: Flag.Literals("status", RetriedStatus.literals).pipe(
      Flag.withDescription("Whom to try again: failed, never_sent or in_doubt; repeat it for more than one"),
      Flag.atLeast(1)
    ),
    codes: typedFlag("code", RetriedCode).pipe(
      Flag.withMetavar("code"),
      Flag.withDescription("Of those that failed, only those with this error, as the report names it; may be repeated"),
      Flag.atLeast(0)
    ),
    acceptDouble: Flag.Boolean("accept-double").pipe(
      Flag.withDescription("Accept that somebody in doubt gets the message twice"),
      Flag.withDefault(false)
    ),
    name: typedFlag("name", NewBroadcast.fields.name).pipe(
      Flag.withDescription("What the draft is called (the same)"),
      Flag.optional
    ),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ acceptDouble, broadcast, codes, json, name, org, quiet, statuses }) {
    const payload = {
      statuses: [...new Set(statuses)],
      ...(codes.length > 0 && { codes }),
      ...(acceptDouble && { acceptDouble }),
      ...(Option.isSome(name) && { name: name.value })
    }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const draft = yield* tenant.broadcasts.retry({ params: { id: broadcast }, payload })
        yield* printOne(view, { json, quiet }, draft)
        if (json || quiet) return
        yield* Console.error(`See whom it goes to: parley broadcasts preview ${draft.id} --org ${tenant.name}`)
      })
    )
  })
).pipe(
  Command.withDescription(
    "Draft a broadcast to just those who failed, were never sent to, or are in doubt of another one"
  ),
  Command.withExamples([
    { command: "parley broadcasts retry --org acme 0197... --status failed --status never_sent" },
    { command: "parley broadcasts retry 0197... --status failed --code recipient_busy" }
  ])
)
