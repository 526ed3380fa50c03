import { PhoneNumber } from "@parley/domain/crm"
import {
  AddedNumber,
  ChatAccountId,
  ChatAccountView,
  CodeLanguage,
  RegistrationPin,
  VerificationCode
} from "@parley/domain/messaging"
import { Console, DateTime, Effect, Option, type Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, pageFlags, queryOf } from "../../console/listing.ts"
import { printJson, printList, printOne, type View } from "../../console/print.ts"
import { confirm } from "../../console/prompts.ts"
import { typedArgument, typedFlag } from "../../console/typed.ts"
import type { Tenant } from "../../tenant/Tenant.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { encodeChecklist, printChecklist } from "./onboarding.ts"

const view: View<ChatAccountView> = {
  schema: ChatAccountView,
  none: "This organization has no chat accounts.",
  columns: [
    { heading: "ID", of: (account) => account.id },
    { heading: "NAME", of: (account) => account.displayName },
    { heading: "PHONE", of: (account) => account.phone ?? "" },
    { heading: "MODE", of: (account) => account.mode },
    { heading: "STATUS", of: (account) => account.status },
    { heading: "QUALITY", of: (account) => account.qualityRating },
    { heading: "LIMIT", of: (account) => account.messagingLimit ?? "" },
    {
      heading: "CHECKED",
      of: ({ lastCheckedAt }) => (lastCheckedAt === null ? "never" : DateTime.formatIso(lastCheckedAt))
    },
    { heading: "ERROR", of: ({ lastError }) => lastError?.reason ?? "" }
  ]
}

const list = Command.make(
  "list",
  { org: Flags.org, ...pageFlags },
  Effect.fn(function* ({ json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ chatAccounts }) {
        const { isCut, rows } = yield* collect(limit, (page) => chatAccounts.list({ query: queryOf(page) }))
        yield* printList(view, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the connected numbers, newest first"), Command.withAlias("ls"))

const account = typedArgument("account", ChatAccountId).pipe(Argument.withDescription("Id of the chat account"))

/** Six digits, or a PIN that Parley creates. */
const pin = typedFlag("pin", RegistrationPin).pipe(
  Flag.withMetavar("digits"),
  Flag.withDescription("PIN of the two-step verification: six digits. Default: a created one"),
  Flag.optional
)

const encodeAccount = Schema.encodeSync(ChatAccountView)

/** Checklist of a number; `null` for an account with its own URL. */
const readChecklist = ({ chatAccounts }: Tenant, id: ChatAccountId) =>
  chatAccounts.onboarding({ params: { id } }).pipe(Effect.catchTag("UnsupportedByChannel", () => Effect.succeed(null)))

const check = Command.make(
  "check",
  { org: Flags.org, account, json: Flags.json },
  Effect.fn(function* ({ account, json, org }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const checked = yield* tenant.chatAccounts.check({ params: { id: account } })
        yield* printOne(view, { json }, checked)
        const checklist = json ? null : yield* readChecklist(tenant, account)
        if (checklist === null) return
        yield* Console.log("")
        yield* printChecklist(checklist)
      })
    )
  })
).pipe(
  Command.withDescription("Read the state of a number from the provider, and show the open steps of its onboarding")
)

const onboarding = Command.make(
  "onboarding",
  { org: Flags.org, account, json: Flags.json },
  Effect.fn(function* ({ account, json, org }) {
    yield* inTenant(org, ({ chatAccounts }) =>
      Effect.flatMap(chatAccounts.onboarding({ params: { id: account } }), (checklist) =>
        json ? printJson(encodeChecklist(checklist)) : printChecklist(checklist)
      )
    )
  })
).pipe(Command.withDescription("Show the steps from the signup of a number to its first message"))

/** Prints an account with the PIN that only this answer contains. */
const printRegistered = Effect.fnUntraced(function* (registered: ChatAccountView, json: boolean) {
  if (json) return yield* printJson(encodeAccount(registered))
  yield* printOne(view, {}, registered)
  if (registered.registrationPin === null) return
  yield* Console.log(`PIN  ${registered.registrationPin}`)
  yield* Console.error("Store the PIN: it is not shown again. It protects the number against a registration elsewhere.")
})

const pinOf = (given: Option.Option<Redacted.Redacted>) => (Option.isNone(given) ? {} : { pin: given.value })

const addNumber = Command.make(
  "add-number",
  {
    org: Flags.org,
    account,
    phone: typedFlag("phone", PhoneNumber).pipe(Flag.withDescription("Phone number, such as +14155550199")),
    verifiedName: typedFlag("verified-name", AddedNumber.fields.verifiedName).pipe(
      Flag.withDescription("Name that customers see. The provider reviews it")
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ account, json, org, phone, verifiedName }) {
    yield* inTenant(org, ({ chatAccounts }) =>
      Effect.flatMap(chatAccounts.addNumber({ params: { id: account }, payload: { phone, verifiedName } }), (added) =>
        printOne(view, { json }, added)
      )
    )
  })
).pipe(Command.withDescription("Add a number to the business account of a connected number, and connect it"))

const requestCode = Command.make(
  "request-code",
  {
    org: Flags.org,
    account,
    method: Flag.Literals("method", ["sms", "voice"]).pipe(
      Flag.withDescription("Send the code by SMS or by a call"),
      Flag.withDefault("sms")
    ),
    language: typedFlag("language", CodeLanguage).pipe(
      Flag.withDescription("Language of the code, such as en_US or de. Default: en_US"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ account, json, language, method, org }) {
    const payload = { method, ...(Option.isSome(language) && { language: language.value }) }
    yield* inTenant(org, ({ chatAccounts }) =>
      Effect.flatMap(chatAccounts.requestCode({ params: { id: account }, payload }), (requested) =>
        printOne(view, { json }, requested)
      )
    )
  })
).pipe(Command.withDescription("Request the code that verifies a number"))

const verifyCode = Command.make(
  "verify-code",
  {
    org: Flags.org,
    account,
    code: typedArgument("code", VerificationCode).pipe(Argument.withDescription("Code of the SMS or the call")),
    json: Flags.json
  },
  Effect.fn(function* ({ account, code, json, org }) {
    yield* inTenant(org, ({ chatAccounts }) =>
      Effect.flatMap(chatAccounts.verifyCode({ params: { id: account }, payload: { code } }), (verified) =>
        printOne(view, { json }, verified)
      )
    )
  })
).pipe(Command.withDescription("Verify a number with its code. Register it afterwards"))

const register = Command.make(
  "register",
  { org: Flags.org, account, pin, json: Flags.json },
  Effect.fn(function* ({ account, json, org, pin }) {
    yield* inTenant(org, ({ chatAccounts }) =>
      Effect.flatMap(chatAccounts.register({ params: { id: account }, payload: pinOf(pin) }), (registered) =>
        printRegistered(registered, json)
      )
    )
  })
).pipe(Command.withDescription("Register a number for sending. The provider accepts ten registrations in 72 hours"))

const deregister = Command.make(
  "deregister",
  { org: Flags.org, account, yes: Flags.yes, json: Flags.json },
  Effect.fn(function* ({ account, json, org, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ chatAccounts }) {
        yield* confirm("Deregister the number? It cannot send or receive until it is registered again.", yes)
        const ended = yield* chatAccounts.deregister({ params: { id: account } })
        yield* printOne(view, { json }, ended)
      })
    )
  })
).pipe(Command.withDescription("End the registration of a number"))

const changePin = Command.make(
  "change-pin",
  { org: Flags.org, account, pin, json: Flags.json },
  Effect.fn(function* ({ account, json, org, pin }) {
    yield* inTenant(org, ({ chatAccounts }) =>
      Effect.flatMap(chatAccounts.changePin({ params: { id: account }, payload: pinOf(pin) }), (changed) =>
        printRegistered(changed, json)
      )
    )
  })
).pipe(Command.withDescription("Change the PIN of a registered number"))

/** Address of events: Parley, or none of its own. Without the flag, the address stays. */
const overrideFlag = (name: string, description: string) =>
  Flag.Literals(name, ["parley", "none"]).pipe(
    Flag.withDescription(`${description}: parley or none. Default: it stays`),
    Flag.optional
  )

const subscribe = Command.make(
  "subscribe",
  {
    org: Flags.org,
    account,
    callback: overrideFlag("callback", "Address for the events of the business account"),
    numberCallback: overrideFlag("number-callback", "Address for the events of this number only"),
    json: Flags.json
  },
  Effect.fn(function* ({ account, callback, json, numberCallback, org }) {
    const payload = {
      ...(Option.isSome(callback) && { overrideCallback: callback.value === "parley" }),
      ...(Option.isSome(numberCallback) && { overrideNumberCallback: numberCallback.value === "parley" })
    }
    yield* inTenant(org, ({ chatAccounts }) =>
      Effect.flatMap(chatAccounts.subscribe({ params: { id: account }, payload }), (subscribed) =>
        printOne(view, { json }, subscribed)
      )
    )
  })
).pipe(Command.withDescription("Subscribe the app to the events of a number"))

export const chatAccounts = Command.make("chat-accounts").pipe(
  Command.withSubcommands([
    list,
    check,
    onboarding,
    addNumber,
    requestCode,
    verifyCode,
    register,
    deregister,
    changePin,
    subscribe
  ])
)
