import { ShopDomainInput, StoreProvider } from "@parley/domain"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printJson, printOne } from "../console/print.ts"
import { typedArgument, typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { at, view } from "./connection.ts"
import { settingFlags, settingsOf } from "./settings.ts"

const shop = typedArgument("shop", ShopDomainInput).pipe(
  Argument.withDescription("The address of the shop, such as acme.myshopify.com")
)

const returnTo = Flag.String("return-to").pipe(
  Flag.withDescription("Where the browser goes once it is decided in the shop"),
  Flag.optional
)

const returning = (to: Option.Option<string>) => (Option.isSome(to) ? { returnTo: to.value } : {})

/** Connects a store: somebody has to agree in the shop. */
export const connectCommand = Command.make(
  "connect",
  {
    org: Flags.org,
    shop,
    provider: typedFlag("provider", StoreProvider).pipe(
      Flag.withDescription("The platform that the shop is on (shopify)"),
      Flag.withDefault("shopify")
    ),
    returnTo,
    ...settingFlags,
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ json, org, provider, quiet, returnTo, shop, ...said }) {
    const payload = { provider, shopDomain: shop, ...settingsOf(said), ...returning(returnTo) }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ name, storeConnections }) {
        const pending = yield* storeConnections.create({ payload })
        yield* printOne(view, { json, quiet }, pending)
        yield* Console.error(
          `Agree in the shop by ${at(pending.authorizeExpiresAt)}: ${pending.authorizeUrl}\nThen see what is read: parley stores status ${pending.id} --org ${name}`
        )
      })
    )
  })
).pipe(
  Command.withDescription("Connect a store, and say where somebody agrees to it"),
  Command.withExamples([{ command: "parley stores connect acme.myshopify.com --make-contacts reachable" }])
)

/** Has somebody agree in a shop once more. */
export const authorizeCommand = Command.make(
  "authorize",
  { org: Flags.org, shop, returnTo, json: Flags.json },
  Effect.fn(function* ({ json, org, returnTo, shop }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ storeConnections }) {
        const begun = yield* storeConnections.authorize({ query: { shop, ...returning(returnTo) } })
        if (json) return yield* printJson({ ...begun, expiresAt: at(begun.expiresAt) })
        yield* Console.log(begun.authorizeUrl)
        yield* Console.error(`Agree in the shop by ${at(begun.expiresAt)}.`)
      })
    )
  })
).pipe(Command.withDescription("Print where somebody agrees in a shop, for one that is connected, too"))
