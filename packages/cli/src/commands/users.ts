import {
  createUser,
  EmailAddressInput,
  linkPasswordReset,
  SingleLineText,
  resetPassword,
  setUserStatus,
  User,
  Users
} from "@parley/domain/platform"
import { Console, DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { collectAfter, pageFlags } from "../console/listing.ts"
import { printJson, printList, printOne, type View } from "../console/print.ts"
import { choosePassword, confirm, passwordFromInput, showMade } from "../console/prompts.ts"
import { typedArgument, typedFlag } from "../console/typed.ts"
import { userNamed } from "../tenant/selection.ts"
import { operate } from "../tenant/target.ts"

const view: View<User> = {
  schema: User,
  none: 'There are no users yet. Create one: parley users create ann@acme.example --name "Ann"',
  columns: [
    { heading: "ID", of: (user) => user.id },
    { heading: "EMAIL", of: (user) => user.email },
    { heading: "NAME", of: (user) => user.name },
    { heading: "STATUS", of: (user) => user.status },
    {
      heading: "MAILBOX",
      of: (user) => (user.emailVerifiedAt === null ? "unverified" : "verified")
    },
    { heading: "CREATED", of: (user) => DateTime.formatIso(user.createdAt) }
  ]
}

const printWithPassword = (
  json: boolean,
  user: User,
  { isMade, password }: { readonly password: Redacted.Redacted; readonly isMade: boolean }
) => {
  if (!isMade) return printOne(view, { json }, user)
  return json
    ? printJson({ ...Schema.encodeSync(User)(user), password: Redacted.value(password) })
    : Effect.andThen(printOne(view, { json }, user), showMade(password))
}

const create = Command.make(
  "create",
  {
    email: typedArgument("email", EmailAddressInput).pipe(Argument.withDescription("E-mail address of the login")),
    name: typedFlag("name", SingleLineText).pipe(
      Flag.withDescription("Display name (the address before the @)"),
      Flag.optional
    ),
    passwordFromInput,
    json: Flags.json
  },
  Effect.fn(function* ({ email, json, name, passwordFromInput }) {
    yield* operate(
      Effect.gen(function* () {
        const chosen = yield* choosePassword(passwordFromInput)
        const [localPart = email] = email.split("@")
        const user = yield* createUser({
          email,
          name: Option.getOrElse(name, () => localPart),
          password: chosen.password
        })
        yield* printWithPassword(json, user, chosen)
      })
    )
  })
).pipe(
  Command.withDescription("Create a user; the generated password is shown once and replaced at the first login"),
  Command.withExamples([
    { command: 'parley users create ann@acme.example --name "Ann"' },
    { command: "parley users create ann@acme.example --password-stdin < password.txt" }
  ])
)

const list = Command.make(
  "list",
  pageFlags,
  Effect.fn(function* ({ json, limit, quiet }) {
    yield* operate(
      Effect.gen(function* () {
        const users = yield* Users
        const { isCut, rows } = yield* collectAfter(limit, (count, last: User | null) =>
          users.list({ limit: count, after: last?.id ?? null })
        )
        yield* printList(view, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the users, oldest first"), Command.withAlias("ls"))

const disable = Command.make(
  "disable",
  { user: Flags.user, yes: Flags.yes, json: Flags.json },
  Effect.fn(function* ({ json, user, yes }) {
    yield* confirm(`Disable ${user}? All their sessions end.`, yes)
    yield* operate(
      Effect.gen(function* () {
        const { id } = yield* userNamed(user)
        yield* printOne(view, { json }, yield* setUserStatus({ id, status: "disabled" }))
      })
    )
  })
).pipe(Command.withDescription("Disable a user and end all sessions"))

const enable = Command.make(
  "enable",
  { user: Flags.user, json: Flags.json },
  Effect.fn(function* ({ json, user }) {
    yield* operate(
      Effect.gen(function* () {
        const { id } = yield* userNamed(user)
        yield* printOne(view, { json }, yield* setUserStatus({ id, status: "active" }))
      })
    )
  })
).pipe(Command.withDescription("Enable a disabled user"))

const reset = Command.make(
  "reset-password",
  { user: Flags.user, passwordFromInput, yes: Flags.yes, json: Flags.json },
  Effect.fn(function* ({ json, passwordFromInput, user, yes }) {
    yield* confirm(`Set a new password for ${user}? All their sessions end.`, yes)
    yield* operate(
      Effect.gen(function* () {
        const { id } = yield* userNamed(user)
        const chosen = yield* choosePassword(passwordFromInput)
        yield* printWithPassword(json, yield* resetPassword({ id, password: chosen.password }), chosen)
      })
    )
  })
).pipe(Command.withDescription("Set a temporary password and end all sessions"))

const resetLink = Command.make(
  "reset-link",
  { user: Flags.user, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, quiet, user }) {
    yield* operate(
      Effect.gen(function* () {
        const { id } = yield* userNamed(user)
        const { link, user: owner } = yield* linkPasswordReset({ id })
        const expiresAt = DateTime.formatIso(link.expiresAt)
        if (json) return yield* printJson({ email: owner.email, url: link.url, expiresAt })
        if (quiet) return yield* Console.log(link.url)
        yield* Console.log(`Send this link to ${owner.email} only. It works once, until ${expiresAt}:\n\n${link.url}`)
      })
    )
  })
).pipe(
  Command.withDescription("Create a one-time link to set a new password, for services without mail"),
  Command.withExamples([{ command: "parley users reset-link ann@acme.example" }])
)

export const users = Command.make("users").pipe(
  Command.withSubcommands([create, list, disable, enable, reset, resetLink])
)
