import { Console, DateTime, Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "./console/flags.ts"
import { bodyOf, forward, readForward } from "./events/forward.ts"
import { followed, fromFlags } from "./events/from.ts"
import { listenSecret } from "./events/ListenSecret.ts"
import { sharedSettings } from "./parley.ts"
import { inTenant } from "./tenant/inTenant.ts"

/** Has what happens forwarded to a program on somebody's own machine. */
export const listen = Command.make(
  "listen",
  {
    org: Flags.org,
    ...fromFlags,
    forward: Flag.String("forward").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription("Post each event there, signed as a webhook subscription signs; on this machine, too"),
      Flag.mapEffect(readForward),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ forward: to, json, org, ...from }) {
    const settings = yield* sharedSettings
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const events = yield* followed(tenant, from)
        const secret = yield* listenSecret(settings, tenant.id)
        if (Option.isSome(to)) yield* Console.error(`What goes to ${to.value} is signed with ${secret}`)
        yield* Console.error(`Listening to ${tenant.name}.`)
        yield* Stream.runForEach(
          events,
          Effect.fnUntraced(function* (row) {
            const body = bodyOf(tenant.id, row)
            const sent = Option.isSome(to) ? yield* forward(to.value, secret, row, body) : null
            const line = `${DateTime.formatIso(row.at)}  ${row.position}  ${row.event.type}`
            yield* Console.log(json ? body : sent === null ? line : `${line}  ${sent.words}`)
            if (json && sent?.isTaken === false) yield* Console.error(`${line}  ${sent.words}`)
          })
        )
      })
    )
  })
).pipe(
  Command.withExamples([
    { command: "parley listen --forward http://127.0.0.1:3000/hook" },
    { command: "parley listen --org acme --events 'message.*,order.*' --since 10m --json" }
  ])
)
