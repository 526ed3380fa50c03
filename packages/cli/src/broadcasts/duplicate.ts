import { NewBroadcast } from "@parley/domain"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast, view } from "./broadcast.ts"

/** Drafts a broadcast that says the same. */
export const duplicateCommand = Command.make(
  "duplicate",
  {
    org: Flags.org,
    broadcast,
    name: typedFlag("name", NewBroadcast.fields.name).pipe(
      Flag.withDescription("What the draft is called (the same)"),
      Flag.optional
    ),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ broadcast, json, name, org, quiet }) {
    const payload = Option.isSome(name) ? { name: name.value } : {}
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.duplicate({ params: { id: broadcast }, payload }), (draft) =>
        printOne(view, { json, quiet }, draft)
      )
    )
  })
).pipe(Command.withDescription("Draft a broadcast that says the same as another one"))
