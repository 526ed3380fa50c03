import { ShopDomainInput, StoreProvider } from "@parley/domain"
import { Console, DateTime, Effect, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { type Format, printJson, printOne } from "../console/print.ts"
import { typedArgument, typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { connection, view } from "./connection.ts"
import { finishFlag, readSecrets, runJourney } from "./journey.ts"
import { settingFlags, settingsOf } from "./settings.ts"

const shop = typedArgument("shop", ShopDomainInput).pipe(
  Argument.withDescription("The address of the shop, such as acme.myshopify.com")
)

type Journey = Effect.Success<ReturnType<typeof runJourney>>

/** Prints the connected store, or the verifier for the completing command. */
const printJourney = Effect.fnUntraced(function* (format: Format, { codeVerifier, started, store }: Journey) {
  if (store !== null) return yield* printOne(view, format, store)
  const later = {
    storeConnectionId: started.id,
    authorizeUrl: started.authorizeUrl,
    expiresAt: DateTime.formatIso(started.expiresAt),
    codeVerifier: Redacted.value(codeVerifier)
  }
  if (format.json === true) return yield* printJson(later)
  if (format.quiet === true) return yield* Console.log(later.storeConnectionId)
  yield* Console.log(`Code verifier (shown this once): ${later.codeVerifier}`)
})

/** Connects a store and completes the journey to its shop. */
export const connectCommand = Command.make(
  "connect",
  {
    org: Flags.org,
    shop,
    provider: typedFlag("provider", StoreProvider).pipe(
      Flag.withDescription("The platform of the shop (shopify)"),
      Flag.withDefault("shopify")
    ),
    finish: finishFlag,
    ...settingFlags,
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ finish, json, org, provider, quiet, shop, ...flags }) {
    yield* inTenant(org, (tenant) =>
      Effect.flatMap(
        runJourney(tenant, finish, (journey) =>
          Effect.map(
            tenant.storeConnections.create({
              payload: { provider, shopDomain: shop, ...settingsOf(flags), ...journey }
            }),
            ({ authorizeExpiresAt: expiresAt, authorizeUrl, id }) => ({ id, authorizeUrl, expiresAt })
          )
        ),
        (journey) => printJourney({ json, quiet }, journey)
      )
    )
  })
).pipe(
  Command.withDescription(
    "Connect a store: print where the owner of the shop agrees, and finish when the browser returns"
  ),
  Command.withExamples([{ command: "parley stores connect acme.myshopify.com --make-contacts reachable" }])
)

/** Authorizes a shop again. */
export const authorizeCommand = Command.make(
  "authorize",
  { org: Flags.org, shop, finish: finishFlag, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ finish, json, org, quiet, shop }) {
    yield* inTenant(org, (tenant) =>
      Effect.flatMap(
        runJourney(tenant, finish, (journey) =>
          Effect.map(
            tenant.storeConnections.authorize({ query: { shop, ...journey } }),
            ({ authorizeUrl, expiresAt, storeConnectionId: id }) => ({ id, authorizeUrl, expiresAt })
          )
        ),
        (journey) => printJourney({ json, quiet }, journey)
      )
    )
  })
).pipe(Command.withDescription("Authorize a shop, a connected one too, and finish when the browser returns"))

/** Completes a journey that was started with `--finish later`. */
export const completeCommand = Command.make(
  "complete",
  { org: Flags.org, connection, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ connection: id, json, org, quiet }) {
    const [code, codeVerifier] = yield* readSecrets(["Code", "Code verifier"])
    if (code === undefined || codeVerifier === undefined) return
    yield* inTenant(org, ({ storeConnections }) =>
      Effect.flatMap(storeConnections.complete({ params: { id }, payload: { code, codeVerifier } }), (store) =>
        printOne(view, { json, quiet }, store)
      )
    )
  })
).pipe(Command.withDescription("Finish connecting a store that was started with --finish later"))
