import { DomainEvent } from "@parley/domain"
import { Console, DateTime, Effect, Schema, Stream } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { inTenant } from "../tenant/inTenant.ts"
import type { Followed } from "../tenant/Tenant.ts"
import { followed, fromFlags } from "./from.ts"

const encode = Schema.encodeSync(Schema.toCodecJson(DomainEvent))

const line = ({ actor, at, event, position }: Followed) => {
  const { type, ...data } = event
  return `${DateTime.formatIso(at)}  ${position}  ${type}  ${actor.kind}:${actor.id}  ${JSON.stringify(data)}`
}

/** Prints what happens, as it happens. */
export const tailCommand = Command.make(
  "tail",
  { org: Flags.org, ...fromFlags, json: Flags.json },
  Effect.fn(function* ({ json, org, ...from }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const events = yield* followed(tenant, from)
        yield* Stream.runForEach(events, (row) => {
          const { actor, at, causation, cursor, event, position } = row
          return Console.log(
            json
              ? JSON.stringify({ cursor, position, at: DateTime.formatIso(at), actor, causation, event: encode(event) })
              : line(row)
          )
        })
      })
    )
  })
).pipe(
  Command.withDescription("Print what happens, as it happens, a line each, until you end it"),
  Command.withExamples([{ command: "parley events tail --org acme --events 'message.*' --since 10m" }])
)
