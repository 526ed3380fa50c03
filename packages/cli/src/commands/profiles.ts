import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { Refused } from "../console/Failure.ts"
import { listFlags, one } from "../console/listing.ts"
import { suggestion } from "../console/nearest.ts"
import { printList, type View } from "../console/print.ts"
import { sharedSettings } from "../parley.ts"
import { callerOf, type NamedProfile, type ProfileFolder, profileFolder } from "../profiles/ProfileFolder.ts"
import { useOf } from "../tenant/target.ts"

/** A profile for display, without its tokens. */
const Shown = Schema.Struct({
  id: Schema.String,
  server: Schema.String,
  who: Schema.String,
  organizations: Schema.Array(Schema.String),
  status: Schema.Literals(["logged in", "logged out"]),
  used: Schema.Boolean
})

const view: View<typeof Shown.Type> = {
  schema: Shown,
  none: "You have no logins. Log in: parley login --server https://parley.example",
  columns: [
    { heading: "", of: ({ used }) => (used ? "*" : "") },
    { heading: "NAME", of: ({ id }) => id },
    { heading: "SERVER", of: ({ server }) => server },
    { heading: "WHO", of: ({ who }) => who },
    { heading: "ORGANIZATIONS", of: ({ organizations }) => organizations.join(", ") },
    { heading: "STATUS", of: ({ status }) => status }
  ]
}

const shown = ({ name, profile }: NamedProfile, used: string | null): typeof Shown.Type => ({
  id: name,
  server: profile.server,
  who: callerOf(profile),
  organizations: profile.organizations.map(({ name, slug }) => slug ?? name),
  status: profile.tokens === null ? "logged out" : "logged in",
  used: name === used
})

const name = Argument.String("name").pipe(Argument.withDescription("Name of the profile"))

const profileNamed = Effect.fnUntraced(function* (folder: ProfileFolder, name: string) {
  const names = yield* folder.names
  if (names.includes(name)) return
  return yield* new Refused({
    message: `The profile "${name}" does not exist.${suggestion(name, names)} To create it: parley login --profile ${name}`
  })
})

const list = Command.make(
  "list",
  listFlags({ status: one(Shown.fields.status) }),
  Effect.fn(function* ({ filter, json, limit, quiet }) {
    const folder = yield* profileFolder(yield* sharedSettings)
    const used = yield* folder.used
    const rows = (yield* folder.list)
      .map((each) => shown(each, used))
      .filter(({ status }) => filter.status === undefined || status === filter.status)
    yield* printList(view, { json, quiet }, rows.slice(0, limit), rows.length > limit)
  })
).pipe(
  Command.withDescription(
    "List the stored logins; the current one has a star. It does not ask the services, so a revoked token is listed as logged in"
  ),
  Command.withAlias("ls"),
  Command.withExamples([{ command: "parley profiles list" }])
)

const use = Command.make(
  "use",
  { name: Argument.optional(name) },
  Effect.fn(function* ({ name }) {
    const settings = yield* sharedSettings
    const folder = yield* profileFolder(settings)
    if (Option.isNone(name)) {
      yield* folder.use(null)
      return yield* Console.log("No profile is in use. Commands use the configured database.")
    }
    yield* profileNamed(folder, name.value)
    yield* folder.use(name.value)
    yield* Console.log(`${useOf(settings, name.value)}.`)
  })
).pipe(
  Command.withDescription("Use this login for commands. Without a name, commands use the configured database"),
  Command.withExamples([{ command: "parley profiles use prod" }, { command: "parley profiles use" }])
)

const remove = Command.make(
  "remove",
  { name },
  Effect.fn(function* ({ name }) {
    const settings = yield* sharedSettings
    const folder = yield* profileFolder(settings)
    yield* profileNamed(folder, name)
    const found = yield* Effect.orElseSucceed(folder.find(name), () => Option.none<NamedProfile>())
    const { endSession } = yield* Effect.promise(() => import("../server/connect.ts"))
    const isEnded = Option.isNone(found) ? true : yield* endSession(settings, found.value)
    yield* folder.remove(name)
    if ((yield* folder.used) === name) yield* folder.use(null)
    yield* Console.log(`Removed the profile ${name}.`)
    if (!isEnded) yield* Console.error("The service did not answer: the session there expires later.")
  })
).pipe(
  Command.withDescription("Log out, and delete the profile"),
  Command.withExamples([{ command: "parley profiles remove ci" }])
)

export const profiles = Command.make("profiles").pipe(Command.withSubcommands([list, use, remove]))
