import { MakeContacts, ShopDomainInput, StoreProvider } from "@parley/domain/commerce"
import { wholeNumber, WrongUsage } from "@parley/service/configuration"
import { Console, DateTime, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { type Format, printJson, printOne } from "../../console/print.ts"
import { confirm } from "../../console/prompts.ts"
import { typedArgument, typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { browserCode, finishFlag, printedVerifier, readSecrets, runJourney } from "./authorization.ts"
import { connection, view } from "./views.ts"

/** Flags of the settings of a store. */
const settingFlags = {
  makeContacts: Flag.Literals("make-contacts", MakeContacts.literals).pipe(
    Flag.withDescription("Customers that become contacts"),
    Flag.optional
  ),
  takeConsent: Flag.Literals("take-consent", ["yes", "no"]).pipe(
    Flag.withDescription("Whether consent given in the store counts here"),
    Flag.optional
  ),
  abandonedAfter: typedFlag("cart-abandoned-after", wholeNumber(15, 10_080)).pipe(
    Flag.withMetavar("minutes"),
    Flag.withDescription("Minutes without activity after which a cart is abandoned"),
    Flag.optional
  )
}

type Said<F> = { readonly [Name in keyof F]: F[Name] extends Flag.Flag<infer A> ? A : never }

/** Converts the flags to the API contract. */
const settingsOf = ({ abandonedAfter, makeContacts, takeConsent }: Said<typeof settingFlags>) => ({
  ...(Option.isSome(makeContacts) && { makeContacts: makeContacts.value }),
  ...(Option.isSome(takeConsent) && { takeConsent: takeConsent.value === "yes" }),
  ...(Option.isSome(abandonedAfter) && { cartAbandonedAfterMinutes: abandonedAfter.value })
})

const shop = typedArgument("shop", ShopDomainInput).pipe(
  Argument.withDescription("Address of the shop, such as acme.myshopify.com")
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
  yield* Console.log(`Code verifier (shown once): ${later.codeVerifier}`)
})

export const connectCommand = Command.make(
  "connect",
  {
    org: Flags.org,
    shop,
    provider: typedFlag("provider", StoreProvider).pipe(
      Flag.withDescription("Platform of the shop (shopify)"),
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
    "Connect a store: print the URL for the consent of the shop owner, and finish when the browser returns"
  ),
  Command.withExamples([{ command: "parley stores connect acme.myshopify.com --make-contacts reachable" }])
)

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
).pipe(
  Command.withDescription(
    "Authorize a connected shop again, or connect a new one with the default settings, and finish when the browser returns. stores update changes the settings"
  )
)

export const completeCommand = Command.make(
  "complete",
  { org: Flags.org, connection, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ connection: id, json, org, quiet }) {
    const [code, codeVerifier] = yield* readSecrets([browserCode, printedVerifier])
    if (code === undefined || codeVerifier === undefined) return
    yield* inTenant(org, ({ storeConnections }) =>
      Effect.flatMap(storeConnections.complete({ params: { id }, payload: { code, codeVerifier } }), (store) =>
        printOne(view, { json, quiet }, store)
      )
    )
  })
).pipe(
  Command.withDescription(
    "Finish connecting a store that was started with --finish later. It prompts for two secrets: the code from the browser, then the code verifier. Without a terminal it reads them from the standard input, one per line"
  ),
  Command.withExamples([
    { command: 'printf \'%s\\n\' "$CODE" "$VERIFIER" | parley stores complete STORE_ID --org acme' }
  ])
)

export const updateCommand = Command.make(
  "update",
  { org: Flags.org, connection, ...settingFlags, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ connection, json, org, quiet, ...input }) {
    const payload = settingsOf(input)
    if (Object.keys(payload).length === 0) {
      return yield* new WrongUsage({
        message: "Specify a change: --make-contacts, --take-consent or --cart-abandoned-after."
      })
    }
    yield* inTenant(org, ({ storeConnections }) =>
      Effect.flatMap(storeConnections.update({ params: { id: connection }, headers: {}, payload }), (changed) =>
        printOne(view, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Change the settings of a store: contacts, consent and abandoned carts"))

export const disconnectCommand = Command.make(
  "disconnect",
  { org: Flags.org, connection, yes: Flags.yes },
  Effect.fn(function* ({ connection, org, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ name, storeConnections }) {
        yield* confirm(`Disconnect the store ${connection} of ${name} and erase all its data?`, yes)
        yield* storeConnections.delete({ params: { id: connection }, headers: {} })
        yield* Console.error(`The store ${connection} is disconnected.`)
      })
    )
  })
).pipe(Command.withDescription("Uninstall the app from a store, and erase all data of the store"))
