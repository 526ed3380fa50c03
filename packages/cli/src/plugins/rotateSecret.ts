import { RotatedPluginSecret } from "@parley/domain"
import { wholeNumber } from "@parley/service/configuration"
import { Console, DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printJson } from "../console/print.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { plugin } from "./plugin.ts"

const encode = Schema.encodeSync(RotatedPluginSecret)

/** Makes a new secret and a new token. */
export const rotateSecretCommand = Command.make(
  "rotate-secret",
  {
    org: Flags.org,
    plugin,
    overlap: typedFlag("overlap", wholeNumber(0, 604_800)).pipe(
      Flag.withMetavar("seconds"),
      Flag.withDescription("For how long the former ones are good (86400, a day)"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ json, org, overlap, plugin }) {
    const payload = Option.isSome(overlap) ? { overlapSeconds: overlap.value } : {}
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ plugins }) {
        const rotated = yield* plugins.rotateSecret({ params: { id: plugin }, payload })
        if (json) return yield* printJson(encode(rotated))
        if (rotated.token !== undefined) yield* Console.log(`token   ${Redacted.value(rotated.token)}`)
        if (rotated.secret !== undefined) yield* Console.log(`secret  ${Redacted.value(rotated.secret)}`)
        const until = DateTime.formatIso(rotated.previousSecretExpiresAt)
        yield* Console.error(`The plugin ${plugin} has a new secret. The former one is good until ${until}.`)
      })
    )
  })
).pipe(Command.withDescription("Make a new secret and a new token; the plugin is told, if it can be"))
